#include "server/demo/demo_rehearsal.h"

#include <sstream>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace gangpack::server {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr char kNode[] = R"(
apiVersion: v1
kind: Node
metadata: {name: n1}
status: {capacity: {cpu: "2"}}
---
)";
constexpr char kPod[] = R"(
apiVersion: v1
kind: Pod
metadata: {namespace: ns, name: p}
spec: {containers: [{name: c, resources: {requests: {cpu: "2"}}}]}
---
)";

std::string StepYaml(const std::string& fields) {
  return "apiVersion: gangpack/v1alpha1\nkind: Step\n" + fields + "\n---\n";
}

DemoRehearsal RehearseText(const std::string& text) {
  std::istringstream in(text);
  return Rehearse({"name", "title", {{"act", {"-"}}}}, {}, in);
}

TEST(DemoRehearsalTest, AStepIsAMomentAndSoAreTheObjectsBetweenTwo) {
  const DemoRehearsal rehearsal =
      RehearseText(StepYaml("pause: [pod/ns/p]") + kNode + kPod + StepYaml("resume: [pod/ns/p]"));
  EXPECT_THAT(rehearsal.faults, IsEmpty());
  ASSERT_THAT(rehearsal.acts, SizeIs(1));
  EXPECT_EQ(rehearsal.acts[0].title, "act");
  const std::vector<DemoMoment>& moments = rehearsal.acts[0].moments;
  ASSERT_THAT(moments, SizeIs(3));
  EXPECT_TRUE(moments[0].step.has_value());
  EXPECT_THAT(moments[1].objects, SizeIs(2));
  EXPECT_FALSE(moments[1].step.has_value());
  EXPECT_TRUE(moments[2].step.has_value());
}

TEST(DemoRehearsalTest, EachMomentSaysWhatTheSimulationCameToByThen) {
  const DemoRehearsal rehearsal =
      RehearseText(StepYaml("pause: [pod/ns/p]") + kNode + kPod + StepYaml("resume: [pod/ns/p]"));
  const std::vector<DemoMoment>& moments = rehearsal.acts.at(0).moments;
  EXPECT_THAT(moments.at(0).expected.pods, IsEmpty());
  EXPECT_EQ(moments.at(1).expected.pods.at(0).view.state, PodState::kPending);
  EXPECT_EQ(moments.at(2).expected.pods.at(0).view.state, PodState::kBound);
  EXPECT_THAT(moments.at(2).expected.trace, IsEmpty());
}

TEST(DemoRehearsalTest, OneActGoesOnWhereTheOneBeforeEnded) {
  std::istringstream in(kPod);
  const DemoChapter chapter = {
      "name", "title", {{"nodes", {"examples/ome-qwen3/nodes.yaml"}}, {"pod", {"-"}}}};
  const DemoRehearsal rehearsal = Rehearse(chapter, {}, in);
  ASSERT_THAT(rehearsal.acts, SizeIs(2));
  EXPECT_EQ(rehearsal.acts[1].moments.at(0).expected.pods.at(0).view.state, PodState::kBound);
}

TEST(DemoRehearsalTest, WhatIsWrongIsAFaultAtItsPlace) {
  EXPECT_THAT(RehearseText("apiVersion: v1\nkind: Node\n").faults,
              ElementsAre(HasSubstr("-:1: metadata.name: ")));
  EXPECT_THAT(RehearseText(StepYaml("delete: [pod/ns/p]")).faults,
              ElementsAre(HasSubstr("which does not exist then")));
  EXPECT_THAT(RehearseText(StepYaml("deletes: []")).faults,
              ElementsAre(HasSubstr("-:3: deletes: no field of a Step")));
  EXPECT_THAT(RehearseText(std::string(kPod) +
                           "apiVersion: v1\nkind: Pod\nmetadata: {namespace: ns, name: p}\n"
                           "spec: {containers: [{name: other}]}\n")
                  .faults,
              SizeIs(1));
}

TEST(DemoRehearsalTest, TimeThatPassesAndARestartAreNotPlayed) {
  EXPECT_THAT(RehearseText(StepYaml("advance: 30s")).faults,
              ElementsAre(HasSubstr("-:3: advance: is not played")));
  EXPECT_THAT(RehearseText(StepYaml("restart: true")).faults,
              ElementsAre(HasSubstr("-:3: restart: is not played")));
  EXPECT_THAT(RehearseText(StepYaml("restart: false")).faults, IsEmpty());
}

TEST(DemoRehearsalTest, WhatIsNotUsedIsNoted) {
  EXPECT_THAT(RehearseText("apiVersion: v1\nkind: Service\nmetadata: {name: s}\n").notes,
              ElementsAre("1 object of other kinds skipped: 1 Service of v1"));
  EXPECT_THAT(RehearseText(kNode).notes, IsEmpty());
}

}  // namespace
}  // namespace gangpack::server
