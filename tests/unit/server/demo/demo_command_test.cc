#include "server/demo/demo_command.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/demo/demo_script.h"
#include "tests/unit/server/command_run.h"

namespace gangpack::server {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

using Ran = CommandRun;

Ran RunWith(const std::vector<std::string>& args, const std::string& input = "") {
  return RunCommandWith(RunDemo, args, input);
}

TEST(DemoCommandTest, TheExamplesComeToWhatIsSimulatedAndAreShownAsTheServerTellsThem) {
  const Ran ran = RunWith({});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, Not(HasSubstr("NOT AS ")));
  for (const DemoChapter& chapter : DemoScript("examples")) {
    EXPECT_THAT(ran.out, HasSubstr("==== " + chapter.title));
    EXPECT_THAT(ran.out, ContainsRegex("\n" + chapter.name + " +[0-9]+ of [0-9]+ .*as simulated"));
  }
  EXPECT_THAT(ran.out, AllOf(HasSubstr("/v1/pods"), HasSubstr("/v1/gangs"), HasSubstr("Try next")));
  EXPECT_EQ(ran.err, "");
}

TEST(DemoCommandTest, TheExamplesDoNotDependOnPacking) {
  EXPECT_EQ(RunWith({"--standalone-domain-packing=false"}).status, 0);
}

TEST(DemoCommandTest, TheExamplesMayBeElsewhereButMustBeThere) {
  EXPECT_EQ(RunWith({"--examples", "./examples/"}).status, 0);
  const Ran ran = RunWith({"--examples", "no/such/folder"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.out, "");
  EXPECT_THAT(ran.err, AllOf(HasSubstr("there is no folder \"no/such/folder\""),
                             HasSubstr("say --examples DIR")));
  const Ran other = RunWith({"--examples", "tests"});
  EXPECT_EQ(other.status, 2);
  EXPECT_THAT(other.err, HasSubstr("tests/ome-qwen3"));
}

TEST(DemoCommandTest, AGivenClusterIsPlayedOverHttp) {
  const Ran ran = RunWith({"--cluster", "examples/ome-qwen3"});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("qwen3-multi-node-engine-0  Complete  rack-b"));
}

TEST(DemoCommandTest, WhatWaitsAsSimulatedIsAsExpectedAndSaysWhy) {
  const Ran ran = RunWith({"--cluster", "examples/cannot-fit"});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, AllOf(HasSubstr("gpu-a-3 cordoned"), HasSubstr("0 of 4")));
  EXPECT_EQ(ran.err, "");
}

TEST(DemoCommandTest, StepsOfAGivenClusterArePlayed) {
  const Ran ran = RunWith({"--cluster", "examples/cannot-fit", "examples/cannot-fit/what-if"});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, AllOf(HasSubstr("gpu-a-3 is uncordoned"), HasSubstr("4 of 4")));
}

TEST(DemoCommandTest, BadInputExitsWithTwoAndNothingOnOut) {
  const Ran manifest = RunWith({"--cluster", "-"}, "apiVersion: v1\nkind: Node\n");
  EXPECT_EQ(manifest.status, 2);
  EXPECT_EQ(manifest.out, "");
  EXPECT_THAT(manifest.err, HasSubstr("-:1: metadata.name: "));
  const Ran flag = RunWith({"--clusters", "-"});
  EXPECT_EQ(flag.status, 2);
  EXPECT_THAT(flag.err, HasSubstr("did you mean --cluster?"));
  const Ran argument = RunWith({"examples"});
  EXPECT_EQ(argument.status, 2);
  EXPECT_THAT(argument.err, HasSubstr("expected --cluster examples"));
}

}  // namespace
}  // namespace gangpack::server
