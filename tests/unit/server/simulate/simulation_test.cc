#include "server/simulate/simulation.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/unit/server/manifest/test_objects.h"

namespace gangpack::server {
namespace {

class SimulationTest : public testing::Test {
 protected:
  void Apply(const ManifestObject& object) {
    for (const FieldFault& fault : simulation_.Apply(object)) {
      ADD_FAILURE() << fault.path << ": " << fault.message;
    }
  }
  void Do(const Step& step) { EXPECT_TRUE(simulation_.Run(step).empty()); }
  void Pause(const std::string& pod) {
    Step step;
    step.pause = {{"ns", pod}};
    Do(step);
  }
  void Resume(const std::string& pod) {
    Step step;
    step.resume = {{"ns", pod}};
    Do(step);
  }
  void Advance(absl::Duration duration) {
    Step step;
    step.advance = duration;
    Do(step);
  }
  void Rack(const std::string& name) {
    Apply(ParseObject(absl::StrCat("apiVersion: v1\nkind: Node\nmetadata: {name: ", name,
                                   ", labels: {rack: ", name.substr(0, 1),
                                   "}}\nstatus: {capacity: {cpu: 1}}\n")));
  }
  void Gang(int members, int timeout_seconds = 0) {
    Apply(ParseObject(absl::StrCat(
        "apiVersion: scheduling.x-k8s.io/v1alpha1\nkind: PodGroup\nmetadata: {name: g, namespace: "
        "ns, annotations: {ome.io/topology-key: rack}}\nspec: {minMember: ",
        members, ", scheduleTimeoutSeconds: ", timeout_seconds, "}\n")));
  }
  void Member(const std::string& name) {
    Apply(ParseObject(absl::StrCat(
        "apiVersion: v1\nkind: Pod\nmetadata: {name: ", name,
        ", namespace: ns, labels: {scheduling.x-k8s.io/pod-group: g}}\nspec: {containers: [{name: "
        "c, resources: {requests: {cpu: 1}}}]}\n")));
  }
  // "Bound n1", "Pending", ...
  std::string State(const std::string& name) {
    for (const SimulatedPod& pod : simulation_.Result().pods) {
      if (pod.view.pod.name != name) continue;
      return absl::StrCat(ToString(pod.view.state), pod.view.node.empty() ? "" : " ",
                          pod.view.node);
    }
    return "none";
  }
  // Its nodes come after one of its members.
  void SettleGangOfTwo() {
    Gang(2);
    Member("w-0");
    Rack("a1");
    Rack("a2");
    Member("w-1");
    simulation_.Settle();
  }
  SimulatedPod Find(const std::string& name) {
    for (const SimulatedPod& pod : simulation_.Result().pods) {
      if (pod.view.pod.name == name) return pod;
    }
    ADD_FAILURE() << "no pod " << name;
    return {};
  }
  void TearDown() override {
    EXPECT_EQ(simulation_.violation(), "");
    for (const SimulatedPod& pod : simulation_.Result().pods) {
      EXPECT_EQ(pod.view.message.empty(), pod.view.state != PodState::kPending)
          << pod.view.pod.ToString() << ": " << pod.view.message;
    }
  }

  Simulation simulation_{Policy()};
};

TEST_F(SimulationTest, TheListenerIsToldHowManyAttemptsThereWere) {
  std::vector<int64_t> told;
  simulation_.OnAttempt([&told](int64_t attempts) { told.push_back(attempts); });
  SettleGangOfTwo();
  EXPECT_EQ(told, (std::vector<int64_t>{1, 2}));
}

TEST_F(SimulationTest, NothingIsTriedBeforeAllDocumentsAreSeen) {
  SettleGangOfTwo();
  EXPECT_EQ(Find("w-0").attempts, 1);
  EXPECT_EQ(State("w-0"), "Bound a1");
  EXPECT_EQ(State("w-1"), "Bound a2");
}

TEST_F(SimulationTest, APauseNamesAPodThatIsYetToCome) {
  Pause("w-1");
  Rack("a1");
  Rack("a2");
  Gang(2);
  Member("w-0");
  Member("w-1");
  simulation_.Settle();
  EXPECT_EQ(State("w-0"), "Waiting a1");
  EXPECT_EQ(State("w-1"), "Pending");
  Resume("w-1");
  EXPECT_EQ(State("w-0"), "Bound a1");
  EXPECT_EQ(State("w-1"), "Bound a2");
}

TEST_F(SimulationTest, TimeoutsWaitForTheClockToTheSecond) {
  Pause("w-1");
  Rack("a1");
  Rack("a2");
  Gang(2, 30);
  Member("w-0");
  Member("w-1");
  Advance(absl::Seconds(30) - absl::Nanoseconds(1));
  EXPECT_EQ(Find("w-0").attempts, 1);
  Pause("w-0");
  Advance(absl::Nanoseconds(1));
  EXPECT_EQ(State("w-0"), "Pending");
  EXPECT_EQ(simulation_.Result().time, absl::Seconds(30));
}

TEST_F(SimulationTest, ARefusedBindingIsRetriedAtOnceWhileItSettles) {
  Rack("a1");
  Apply(PodNamed("q"));
  Step fail;
  fail.fail_binding = {{"ns", "late"}};
  Do(fail);
  EXPECT_EQ(State("q"), "Bound a1");
  Rack("a2");
  Apply(PodNamed("late"));
  simulation_.Settle();
  EXPECT_EQ(State("late"), "Bound a2");
  EXPECT_EQ(Find("late").attempts, 2);
  EXPECT_EQ(simulation_.Result().time, absl::ZeroDuration());
}

TEST_F(SimulationTest, WhileTimePassesAnErrorBacksOff) {
  Pause("w-1");
  Rack("a1");
  Rack("a2");
  Gang(2, 30);
  Member("w-0");
  Member("w-1");
  Advance(absl::Seconds(45));
  std::vector<std::string> tries;
  for (const TraceEntry& entry : simulation_.Result().trace) {
    if (entry.event == "Assumed" || entry.event == "Failed") {
      tries.push_back(absl::StrCat(entry.event, " at ", absl::FormatDuration(entry.time)));
    }
  }
  EXPECT_EQ(tries, (std::vector<std::string>{"Assumed at 0", "Failed at 30s", "Assumed at 31s"}));
}

TEST_F(SimulationTest, ARefusedPodIsTriedAgainByTheFlushEveryFiveMinutes) {
  Rack("a1");
  Apply(PodNamed("big", "2"));
  Advance(absl::Seconds(329));
  EXPECT_EQ(Find("big").attempts, 1);
  Advance(absl::Seconds(1));
  EXPECT_EQ(Find("big").attempts, 2);
  EXPECT_EQ(Find("big").view.message,
            "0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate");
}

TEST_F(SimulationTest, ARestartKeepsWhatTheApiServerKnows) {
  Pause("w-2");
  for (const char* name : {"a1", "a2", "a3", "b1"}) Rack(name);
  Gang(3);
  for (const char* name : {"w-0", "w-1", "w-2"}) Member(name);
  Step restart;
  restart.restart = true;
  Do(restart);
  EXPECT_EQ(State("w-0"), "Waiting a1");
  EXPECT_EQ(Find("w-0").attempts, 2) << "the held bind broke, and kube-scheduler came back";
  Resume("w-2");
  EXPECT_EQ(State("w-2"), "Bound a3");
}

TEST_F(SimulationTest, APodDeletedWhileItWaitsEndsItsCall) {
  Pause("w-1");
  Rack("a1");
  Rack("a2");
  Gang(2);
  Member("w-0");
  Member("w-1");
  Step step;
  step.deletions = {{StepDeletion::Kind::kPod, {"ns", "w-0"}, {}}};
  Do(step);
  EXPECT_EQ(State("w-0"), "none");
  Member("w-0");
  Resume("w-1");
  EXPECT_EQ(State("w-0").substr(0, 5), "Bound");
  EXPECT_EQ(State("w-1").substr(0, 5), "Bound");
}

// The API server writes first that a pod is being deleted, also without a grace period; the gang
// chooses while the old pod's node is still in use.
TEST_F(SimulationTest, ASuccessorIsPlacedBeforeTheDeletedPodsNodeIsFree) {
  Rack("a1");
  Rack("b1");
  Gang(1);
  Member("w-0");
  Do({});
  EXPECT_EQ(State("w-0"), "Bound a1");
  Member("w-1");
  Do({});
  EXPECT_EQ(State("w-1"), "Pending");  // a surplus member may only go where the gang is
  Step step;
  step.deletions = {{StepDeletion::Kind::kPod, {"ns", "w-0"}, {}}};
  Do(step);
  EXPECT_EQ(State("w-1"), "Bound b1");
}

TEST_F(SimulationTest, ASurplusMemberThatOnlyKubeSchedulerRefusesShowsItsWords) {
  Rack("a1");
  Rack("b1");
  Gang(1);
  Member("w-0");
  Do({});
  Member("w-1");
  Do({});
  EXPECT_EQ(Find("w-1").view.message.rfind("pinned domain a has no node feasible", 0), 0u);
  Apply(NodeNamed("b1", "1", "spec: {taints: [{key: k, effect: NoSchedule}]}"));
  Do({});
  EXPECT_EQ(Find("w-1").view.message,
            "0/2 nodes are available: 1 Insufficient cpu, 1 node(s) had untolerated taint(s). no "
            "new claims to deallocate");
}

TEST_F(SimulationTest, DeletingWhatDoesNotExistIsAFaultWithItsPlace) {
  Step step;
  step.deletions = {
      {StepDeletion::Kind::kNode, {"", "a1"}, {"f.yaml", 3, "delete[0]", "`node/a1`"}}};
  const std::vector<k8s::Fault> faults = simulation_.Run(step);
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].ToString().rfind("f.yaml:3: delete[0]: `node/a1`, which does not exist", 0),
            0u);
}

TEST_F(SimulationTest, GatedAndPausedPodsSayWhyTheyArePending) {
  Pause("paused");
  Rack("a1");
  Apply(PodNamed("gated", "1", "schedulingGates: [{name: example.com/g}]"));
  Apply(PodNamed("paused"));
  simulation_.Settle();
  EXPECT_NE(Find("gated").view.message.find("scheduling gates"), std::string::npos);
  EXPECT_NE(Find("paused").view.message.find("paused"), std::string::npos);
}

TEST_F(SimulationTest, APodThatIsDeletedSaysSoUnlessItIsBound) {
  const std::string gone = "deletionTimestamp: \"2026-01-01T00:00:00Z\"";
  const auto pod = [&](const std::string& name, const std::string& metadata,
                       const std::string& spec) {
    Apply(ParseObject(absl::StrCat("apiVersion: v1\nkind: Pod\nmetadata: {name: ", name,
                                   ", namespace: ns, ", metadata, "}\nspec: {", spec,
                                   "containers: [{name: c}]}\n")));
  };
  Rack("a1");
  Gang(2);
  pod("single", gone, "");
  pod("gated", gone, "schedulingGates: [{name: example.com/g}], ");
  pod("member", gone + ", labels: {scheduling.x-k8s.io/pod-group: g}", "");
  pod("bound", gone, "nodeName: a1, ");
  pod("alive", "labels: {}", "");
  simulation_.Settle();
  for (const char* name : {"single", "gated", "member"}) {
    EXPECT_EQ(Find(name).view.message, "not tried by kube-scheduler: the pod is being deleted");
    EXPECT_EQ(Find(name).attempts, 0);
  }
  EXPECT_EQ(State("bound"), "Bound a1");
  EXPECT_EQ(State("alive"), "Bound a1");
}

TEST_F(SimulationTest, TriesThatTimeBringsCountUntilSomethingChanges) {
  Pause("w-1");
  Rack("a1");
  Rack("a2");
  Gang(2, 1);
  Member("w-0");
  Member("w-1");
  simulation_.Settle();
  // Each try waits for a second, and comes again after a backoff.
  while (Find("w-0").attempts < KubeSchedulerModel::kTriesMax) Advance(absl::Seconds(1));
  EXPECT_EQ(State("w-0"), "Waiting a1");
  EXPECT_EQ(simulation_.Notes(), std::vector<std::string>());
  Advance(absl::Hours(720));
  EXPECT_EQ(Find("w-0").attempts, KubeSchedulerModel::kTriesMax);
  EXPECT_EQ(simulation_.Notes(),
            std::vector<std::string>{"pod ns/w-0 was tried 100 times without a binding or a change "
                                     "of an object, and not again"});
  Resume("w-1");
  EXPECT_EQ(State("w-0"), "Bound a1");
  EXPECT_EQ(State("w-1"), "Bound a2");
}

TEST_F(SimulationTest, TheSameInputGivesTheSameTrace) {
  const auto trace = [] {
    Simulation simulation{Policy()};
    for (const char* name : {"n1", "n2"}) EXPECT_TRUE(simulation.Apply(NodeNamed(name)).empty());
    for (const char* name : {"p", "q"}) EXPECT_TRUE(simulation.Apply(PodNamed(name)).empty());
    simulation.Settle();
    std::vector<std::string> lines;
    for (const TraceEntry& entry : simulation.Result().trace) {
      lines.push_back(absl::StrCat(entry.event, " ", entry.object, " ", entry.node));
    }
    return lines;
  };
  EXPECT_EQ(trace(), trace());
  EXPECT_FALSE(trace().empty());
}

}  // namespace
}  // namespace gangpack::server
