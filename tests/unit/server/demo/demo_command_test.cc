#include "server/demo/demo_command.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/demo/demo_story.h"
#include "tests/unit/server/command_run.h"

namespace gangpack::server {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

using Ran = CommandRun;

Ran RunWith(const std::vector<std::string>& args, const std::string& input = "") {
  return RunCommandWith(RunDemo, args, input);
}

TEST(DemoCommandTest, TheStoryComesToItsEndAndShowsItAsTheServerTellsIt) {
  const Ran ran = RunWith({});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, Not(HasSubstr("NOT AS EXPECTED")));
  for (const DemoAct& act : DemoStory()) EXPECT_THAT(ran.out, HasSubstr("== " + act.title));
  EXPECT_THAT(ran.out, AllOf(HasSubstr("serves filter on http://127.0.0.1:"), HasSubstr("/v1/pods"),
                             HasSubstr("/v1/gangs"), HasSubstr("Try next")));
  EXPECT_THAT(ran.out, HasSubstr("waits on clique-a-0, 1 of 2 placed"));
  EXPECT_EQ(ran.err, "");
}

TEST(DemoCommandTest, TheStoryDoesNotDependOnPacking) {
  EXPECT_EQ(RunWith({"--standalone-domain-packing=false"}).status, 0);
}

TEST(DemoCommandTest, AStoryThatCannotComeToItsEndExitsWithOne) {
  const Ran ran = RunWith({"--topology-key", "kubernetes.io/no-such-key"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.out, HasSubstr("NOT AS EXPECTED"));
  EXPECT_THAT(ran.err, HasSubstr("not everything was placed that should be"));
}

TEST(DemoCommandTest, AGivenClusterIsPlacedOverHttp) {
  const Ran ran = RunWith({"--cluster", "examples/ome-qwen3"});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("qwen3-multi-node-engine-0  Complete  rack-b"));
}

TEST(DemoCommandTest, AGivenClusterThatDoesNotFitExitsWithOneAndSaysWhy) {
  const Ran ran = RunWith({"--cluster", "examples/cannot-fit"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.out, HasSubstr("gpu-a-3 cordoned"));
  EXPECT_THAT(ran.err, HasSubstr("not everything was placed that should be"));
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
