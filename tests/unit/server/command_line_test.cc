#include "server/command_line.h"

#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/server/child_process.h"

namespace gangpack::server {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

struct Ran {
  int status = 0;
  std::string out;
  std::string err;
};

Ran RunWith(const std::vector<std::string>& args) {
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  const int status = RunCommandLine(args, in, out, err);
  return {status, out.str(), err.str()};
}

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
  for (const std::string command : {"simulate", "serve", "demo"}) {
    const Ran ran = RunWith({command, "--help"});
    EXPECT_EQ(ran.status, 0);
    EXPECT_THAT(ran.out, StartsWith(absl::StrCat("Usage: gangpack ", command)));
    EXPECT_THAT(ran.out, HasSubstr("Example:"));
    EXPECT_THAT(ran.out, HasSubstr("Exit status:"));
    EXPECT_EQ(RunWith({"help", command}).out, ran.out);
  }
}

TEST(CommandLineTest, HelpOnWhatIsNoCommandIsAnError) {
  EXPECT_EQ(RunWith({"help", "dance"}).status, 2);
  EXPECT_EQ(RunWith({"help", "help"}).status, 0);
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

}  // namespace
}  // namespace gangpack::server
