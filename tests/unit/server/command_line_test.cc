#include "server/command_line.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/server/child_process.h"
#include "tests/unit/server/command_run.h"

namespace gangpack::server {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

using Ran = CommandRun;

Ran RunWith(const std::vector<std::string>& args) { return RunCommandWith(RunCommandLine, args); }

TEST(CommandLineTest, HelpListsTheCommands) {
  for (const char* word : {"help", "--help", "-h"}) {
    const Ran ran = RunWith({word});
    EXPECT_EQ(ran.status, 0);
    EXPECT_THAT(ran.out, AllOf(HasSubstr("simulate"), HasSubstr("serve"), HasSubstr("demo"),
                               HasSubstr("Example: gangpack simulate")));
    EXPECT_EQ(ran.err, "");
  }
}

TEST(CommandLineTest, WithoutACommandTheHelpIsAnError) {
  const Ran ran = RunWith({});
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(ran.err, RunWith({"help"}).out);
}

TEST(CommandLineTest, EveryCommandExplainsItselfWithAnExample) {
  for (const std::string command : {"simulate", "serve", "config", "demo", "version"}) {
    const Ran ran = RunWith({command, "--help"});
    EXPECT_EQ(ran.status, 0);
    EXPECT_THAT(ran.out, StartsWith(absl::StrCat("Usage: gangpack ", command)));
    EXPECT_THAT(ran.out, HasSubstr("Example:"));
    EXPECT_THAT(ran.out, HasSubstr("Exit status:"));
    EXPECT_EQ(RunWith({"help", command}).out, ran.out);
  }
}

TEST(CommandLineTest, HelpOnWhatIsNoCommandIsAnError) {
  for (const char* word : {"dance", "--dance"}) {
    const Ran ran = RunWith({"help", word});
    EXPECT_EQ(ran.status, 2);
    EXPECT_EQ(ran.out, "");
    EXPECT_THAT(ran.err, StartsWith(absl::StrCat("gangpack: unknown command \"", word, "\"")));
  }
}

TEST(CommandLineTest, HelpOnHelpIsTheHelp) {
  const std::string help = RunWith({"help"}).out;
  for (const char* word : {"help", "--help", "-h"}) {
    for (const char* more : {"help", "--help", "-help", "-h", "--h"}) {
      const Ran ran = RunWith({word, more});
      EXPECT_EQ(ran.status, 0);
      EXPECT_EQ(ran.out, help);
    }
  }
}

TEST(CommandLineTest, HelpIsOnOneCommandAlone) {
  for (const std::vector<std::string>& args :
       {std::vector<std::string>{"help", "serve", "demo"}, {"help", "help", "demo"}}) {
    const Ran ran = RunWith(args);
    EXPECT_EQ(ran.status, 2);
    EXPECT_EQ(ran.out, "");
    EXPECT_EQ(ran.err, "gangpack help: unexpected argument \"demo\" (see gangpack help --help)\n");
  }
}

TEST(CommandLineTest, VersionExplainsItselfAndTakesNothingElse) {
  for (const char* word : {"version", "--version"}) {
    const Ran help = RunWith({word, "--help"});
    EXPECT_EQ(help.status, 0);
    EXPECT_THAT(help.out, StartsWith("Usage: gangpack version"));
    EXPECT_EQ(RunWith({"help", word}).out, help.out);
    const Ran argument = RunWith({word, "foo"});
    EXPECT_EQ(argument.status, 2);
    EXPECT_EQ(argument.out, "");
    EXPECT_EQ(argument.err,
              "gangpack version: unexpected argument \"foo\" (see gangpack version --help)\n");
    EXPECT_EQ(RunWith({word, "-x"}).err,
              "gangpack version: unknown flag \"-x\" (see gangpack version --help)\n");
    EXPECT_EQ(RunWith({word, "--help", "foo"}).status, 2);
  }
}

TEST(CommandLineTest, VersionIsOneLine) {
  for (const char* word : {"version", "--version"}) {
    const Ran ran = RunWith({word});
    EXPECT_EQ(ran.status, 0);
    EXPECT_THAT(ran.out, StartsWith("gangpack "));
    EXPECT_EQ(ran.out.find('\n'), ran.out.size() - 1);
  }
}

TEST(CommandLineTest, AnUnknownCommandExitsWithTwoAndNamesTheOneThatMayBeMeant) {
  const Ran near = RunWith({"simulat", "x.yaml"});
  EXPECT_EQ(near.status, 2);
  EXPECT_EQ(near.out, "");
  EXPECT_EQ(near.err,
            "gangpack: unknown command \"simulat\", expected one of those in gangpack help "
            "(did you mean simulate?)\n");
  EXPECT_EQ(RunWith({"dance"}).err,
            "gangpack: unknown command \"dance\", expected one of those in gangpack help\n");
}

TEST(CommandLineTest, AnUnknownFlagOfAnyCommandExitsWithTwo) {
  for (const std::string command : {"simulate", "serve", "demo"}) {
    const Ran ran = RunWith({command, "--topologykey", "rack"});
    EXPECT_EQ(ran.status, 2);
    EXPECT_EQ(ran.out, "");
    EXPECT_THAT(ran.err, HasSubstr("did you mean --topology-key?"));
  }
}

TEST(GangpackProgramTest, TheProgramRunsTheCommandLine) {
  ChildProcess version({GangpackProgram(), "version"});
  EXPECT_EQ(version.ReadRest(), RunWith({"version"}).out);
  EXPECT_EQ(version.Wait(), 0);
  ChildProcess unknown({GangpackProgram(), "dance"});
  EXPECT_EQ(unknown.ReadRest(), "");
  EXPECT_EQ(unknown.Wait(), 2);
}

// Standard error goes where the output is read from, and standard output to `to`.
ChildProcess RunTo(const std::string& to, const std::string& args) {
  return ChildProcess(
      {"/bin/sh", "-c", absl::StrCat("exec ", GangpackProgram(), " ", args, " 2>&1 >", to)});
}

TEST(GangpackProgramTest, OutputThatIsLostIsAFailureOfEveryCommand) {
  for (const char* args : {"help", "version", "simulate -", "simulate --help", "config",
                           "demo --cluster -", "demo --help", "serve --help"}) {
    ChildProcess lost = RunTo("/dev/full", args);
    lost.CloseInput();
    EXPECT_THAT(lost.ReadRest(), EndsWith("gangpack: standard output: No space left on device\n"))
        << args;
    EXPECT_EQ(lost.Wait(), 1) << args;
    ChildProcess written = RunTo("/dev/null", args);
    written.CloseInput();
    EXPECT_THAT(written.ReadRest(), Not(HasSubstr("standard output"))) << args;
    EXPECT_EQ(written.Wait(), 0) << args;
  }
}

TEST(GangpackProgramTest, WhatWentWrongBesidesKeepsItsExitStatus) {
  ChildProcess unknown = RunTo("/dev/full", "dance");
  EXPECT_THAT(unknown.ReadRest(), StartsWith("gangpack: unknown command"));
  EXPECT_EQ(unknown.Wait(), 2);
}

}  // namespace
}  // namespace gangpack::server
