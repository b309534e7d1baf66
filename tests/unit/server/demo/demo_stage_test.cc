#include "server/demo/demo_stage.h"

#include <sstream>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/demo/demo_rehearsal.h"
#include "server/demo/demo_script.h"
#include "server/demo/demo_table.h"
#include "server/simulate/simulate_command.h"

namespace gangpack::server {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kNodeAndPod[] = R"(
apiVersion: v1
kind: Node
metadata: {name: n1, labels: {rack: a}}
status: {capacity: {cpu: "2"}}
---
apiVersion: v1
kind: Pod
metadata: {namespace: ns, name: p}
spec: {containers: [{name: c, resources: {requests: {cpu: "2"}}}]}
)";

// What became of a chapter on a server of its own.
struct Performance {
  bool came = true;
  std::string out;
  ServerViews views;
};

Performance Perform(const DemoRehearsal& rehearsal, const Policy& policy = {}) {
  EXPECT_TRUE(rehearsal.faults.empty()) << rehearsal.faults[0];
  std::ostringstream out;
  DemoStage stage(policy, &out);
  const absl::Status served = stage.Serve();
  EXPECT_TRUE(served.ok()) << served;
  Performance performance;
  for (const RehearsedAct& act : rehearsal.acts) {
    performance.came = performance.came && stage.Play(act);
  }
  EXPECT_TRUE(stage.PrintTables().ok());
  performance.out = out.str();
  performance.views = stage.Views();
  return performance;
}

DemoRehearsal RehearseText(const std::string& text) {
  std::istringstream in(text);
  return Rehearse({"name", "title", {{"the act", {"-"}}}}, {}, in);
}

std::string SimulateJson(const std::string& folder) {
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  EXPECT_EQ(RunSimulate({"-o", "json", folder}, in, out, err), 0) << err.str();
  return out.str();
}

class ExampleTest : public testing::TestWithParam<const char*> {};

TEST_P(ExampleTest, TheEndTableOfTheServerIsThatOfTheSimulation) {
  const std::string folder = std::string("examples/") + GetParam();
  std::istringstream in;
  const Performance performance =
      Perform(Rehearse({GetParam(), "title", {{"the act", {folder}}}}, {}, in));
  EXPECT_TRUE(performance.came) << performance.out;
  const std::string simulated = SimulateJson(folder);
  EXPECT_THAT(performance.out, HasSubstr("/v1/pods\n" + *PodTable(simulated) + "\nGET "));
  EXPECT_THAT(performance.out, HasSubstr("/v1/gangs\n" + *GangTable(simulated)));
}

TEST_P(ExampleTest, EveryActOfItsChapterComesToWhatWasRehearsed) {
  for (const DemoChapter& chapter : DemoScript("examples")) {
    if (chapter.name != GetParam()) continue;
    std::istringstream in;
    const Performance performance = Perform(Rehearse(chapter, {}, in));
    EXPECT_TRUE(performance.came) << performance.out;
    for (const PodView& pod : performance.views.pods) {
      EXPECT_EQ(pod.state, PodState::kBound) << pod.pod.ToString() << " in the last act";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, ExampleTest,
                         testing::Values("ome-qwen3", "statefulset-and-lws", "cannot-fit",
                                         "nvl72"));

TEST(DemoStageTest, WhatHappensIsToldWithTheTitleAndWhatItCameTo) {
  const Performance performance = Perform(RehearseText(kNodeAndPod));
  EXPECT_TRUE(performance.came);
  EXPECT_THAT(
      performance.out,
      AllOf(HasSubstr("serves filter and prioritize on http://127.0.0.1:"), HasSubstr("-- the act"),
            HasSubstr("ns/p -> n1, calls bind"), HasSubstr("ns/p is bound to n1"),
            HasSubstr("pods now: 1 bound, as `gangpack simulate` foretells")));
}

TEST(DemoStageTest, AHeldBindIsAMomentToo) {
  for (const DemoChapter& chapter : DemoScript("examples")) {
    if (chapter.name != "ome-qwen3") continue;
    std::istringstream in;
    const Performance performance = Perform(Rehearse(chapter, {}, in));
    EXPECT_THAT(performance.out,
                HasSubstr("pods now: 1 with a bind call held open, 1 pending, as "));
  }
}

TEST(DemoStageTest, EveryFieldOfAStepThatIsPlayedIsDone) {
  const Performance performance = Perform(RehearseText(std::string(kNodeAndPod) + R"(---
apiVersion: gangpack/v1alpha1
kind: Step
delete: [pod/ns/p]
pause: [pod/ns/q]
failBinding: [pod/ns/r]
refuse: {pod/ns/s: [n1]}
---
apiVersion: v1
kind: Pod
metadata: {namespace: ns, name: q}
spec: {containers: [{name: c}]}
---
apiVersion: v1
kind: Pod
metadata: {namespace: ns, name: r}
spec: {containers: [{name: c}]}
---
apiVersion: v1
kind: Pod
metadata: {namespace: ns, name: s}
spec: {containers: [{name: c}]}
---
apiVersion: gangpack/v1alpha1
kind: Step
resume: [pod/ns/q]
delete: [node/n1]
)"));
  EXPECT_TRUE(performance.came) << performance.out;
  EXPECT_THAT(performance.out,
              AllOf(HasSubstr("pod ns/p is deleted"), HasSubstr("ns/r SchedulerError"),
                    HasSubstr("ns/r is bound to n1"), HasSubstr("ns/s FailedScheduling"),
                    HasSubstr("node n1 is deleted"), Not(HasSubstr("ns/q is bound"))));
}

TEST(DemoStageTest, WhatDoesNotComeIsSaidWithWhatWasExpected) {
  DemoRehearsal rehearsal = RehearseText(kNodeAndPod);
  rehearsal.acts.at(0).moments.at(0).expected.pods.at(0).view.state = PodState::kPending;
  const Performance performance = Perform(rehearsal);
  EXPECT_FALSE(performance.came);
  EXPECT_THAT(performance.out,
              HasSubstr("NOT AS EXPECTED: pod ns/p Bound; expected: pod ns/p Pending"));
}

}  // namespace
}  // namespace gangpack::server
