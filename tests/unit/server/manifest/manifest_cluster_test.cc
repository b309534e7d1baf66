#include "server/manifest/manifest_cluster.h"

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "gtest/gtest.h"
#include "tests/unit/server/manifest/test_objects.h"

namespace gangpack::server {
namespace {

class ManifestClusterTest : public testing::Test {
 protected:
  void Apply(const ManifestObject& object) {
    const std::vector<FieldFault> faults = cluster_.Apply(object);
    for (const FieldFault& fault : faults) ADD_FAILURE() << fault.path << ": " << fault.message;
  }
  std::string FaultPath(const ManifestObject& object) {
    const std::vector<FieldFault> faults = cluster_.Apply(object);
    return faults.size() == 1 ? faults[0].path : std::to_string(faults.size()) + " faults";
  }
  std::shared_ptr<const PodObject> Find(const std::string& name) {
    return cluster_.FindPod({"ns", name});
  }
  // Of the only PodGroup.
  absl::Time GroupCreation() {
    absl::Time creation = absl::InfinitePast();
    cluster_.ListFacts([&creation](const Fact& fact) {
      if (const auto* changed = std::get_if<PodGroupChanged>(&fact)) {
        creation = changed->group.creation;
      }
    });
    return creation;
  }
  absl::Status Bind(const std::string& name, const std::string& node) {
    return cluster_.Bind({Find(name)->pod.uid, {"ns", name}, node});
  }

  TestClock clock_;
  ManifestCluster cluster_{"ours", &clock_};
};

TEST_F(ManifestClusterTest, AssumesWhatAPodLeavesOut) {
  Apply(ParseObject("apiVersion: v1\nkind: Pod\nmetadata: {name: p}\n"));
  const std::shared_ptr<const PodObject> pod = cluster_.FindPod({"default", "p"});
  ASSERT_NE(pod, nullptr);
  EXPECT_FALSE(pod->pod.uid.value.empty());
  EXPECT_EQ(pod->pod.scheduler_name, "ours");
  EXPECT_EQ(pod->pod.phase, PodPhase::kPending);
  EXPECT_EQ(pod->pod.creation, clock_.Now());
}

TEST_F(ManifestClusterTest, NodeWithoutAHostnameLabelGetsItsNameAndAGivenOneIsKept) {
  Apply(ParseObject("apiVersion: v1\nkind: Node\nmetadata: {name: n1}\n"));
  Apply(
      ParseObject("apiVersion: v1\nkind: Node\nmetadata: {name: n2, labels: "
                  "{kubernetes.io/hostname: other}}\n"));
  EXPECT_EQ(cluster_.FindNode("n1")->node.labels.at("kubernetes.io/hostname"), "n1");
  EXPECT_EQ(cluster_.FindNode("n2")->node.labels.at("kubernetes.io/hostname"), "other");
}

TEST_F(ManifestClusterTest, UidIsAFunctionOfKindNamespaceNameAndIncarnation) {
  ManifestCluster other("ours", &clock_);
  Apply(PodNamed("first"));
  Apply(PodNamed("p"));
  ASSERT_TRUE(other.Apply(PodNamed("p")).empty());
  const std::string uid = Find("p")->pod.uid.value;
  EXPECT_EQ(other.FindPod({"ns", "p"})->pod.uid.value, uid);
  EXPECT_NE(Find("first")->pod.uid.value, uid);
  ASSERT_TRUE(cluster_.DeletePod({"ns", "p"}).ok());
  Apply(PodNamed("p"));
  EXPECT_NE(Find("p")->pod.uid.value, uid);
}

TEST_F(ManifestClusterTest, StatedUidIsKeptOnceAndNotForASuccessor) {
  const ManifestObject pod = ParseObject("apiVersion: v1\nkind: Pod\nmetadata: {name: p, uid: u}");
  Apply(pod);
  EXPECT_EQ(cluster_.FindPod({"default", "p"})->pod.uid.value, "u");
  ASSERT_TRUE(cluster_.DeletePod({"default", "p"}).ok());
  Apply(pod);
  EXPECT_NE(cluster_.FindPod({"default", "p"})->pod.uid.value, "u");
}

TEST_F(ManifestClusterTest, TwoObjectsMayNotStateTheSameUid) {
  Apply(ParseObject("apiVersion: v1\nkind: Pod\nmetadata: {name: p, uid: u}"));
  EXPECT_EQ(FaultPath(ParseObject("apiVersion: v1\nkind: Pod\nmetadata: {name: q, uid: u}")),
            "metadata.uid");
  EXPECT_EQ(FaultPath(ParseObject("apiVersion: v1\nkind: Pod\nmetadata: {name: p, uid: v}")),
            "metadata.uid");
}

TEST_F(ManifestClusterTest, CreationTimesRiseStrictlyInOrderOfAppearance) {
  Apply(PodNamed("z"));
  Apply(PodNamed("a"));
  Apply(
      ParseObject("apiVersion: v1\nkind: Pod\nmetadata: {name: dumped, namespace: ns, "
                  "creationTimestamp: '2030-01-01T00:00:00Z'}"));
  Apply(PodNamed("b"));
  EXPECT_LT(Find("z")->pod.creation, Find("a")->pod.creation);
  EXPECT_LT(Find("a")->pod.creation, Find("dumped")->pod.creation);
  EXPECT_LT(Find("dumped")->pod.creation, Find("b")->pod.creation);
}

TEST_F(ManifestClusterTest, AStatedCreationTimeHoldsWithoutAUidButNotForASuccessor) {
  const auto apply = [&](const std::string& kind) {
    Apply(ParseObject(kind + "metadata: {name: o, namespace: ns, creationTimestamp: "
                             "'2020-01-01T00:00:00Z'}\n"));
  };
  const std::string pod = "apiVersion: v1\nkind: Pod\n";
  const std::string group = "apiVersion: scheduling.x-k8s.io/v1alpha1\nkind: PodGroup\n";
  const absl::Time stated = absl::FromCivil(absl::CivilDay(2020, 1, 1), absl::UTCTimeZone());
  apply(pod);
  apply(group);
  EXPECT_EQ(Find("o")->pod.creation, stated);
  EXPECT_EQ(GroupCreation(), stated);
  ASSERT_TRUE(cluster_.DeletePod({"ns", "o"}).ok());
  ASSERT_TRUE(cluster_.DeletePodGroup({"ns", "o"}).ok());
  apply(pod);
  apply(group);
  EXPECT_GE(Find("o")->pod.creation, clock_.Now());
  EXPECT_GE(GroupCreation(), clock_.Now());
}

TEST_F(ManifestClusterTest, ApplyingAgainKeepsIdentityNodePhaseAndConditions) {
  Apply(NodeNamed("n1"));
  Apply(PodNamed("p"));
  const Pod before = Find("p")->pod;
  ASSERT_TRUE(Bind("p", "n1").ok());
  EXPECT_TRUE(cluster_.RunPod({"ns", "p"}));
  clock_.Advance(absl::Seconds(5));
  Apply(PodNamed("p"));
  const Pod& after = Find("p")->pod;
  EXPECT_EQ(after.uid, before.uid);
  EXPECT_EQ(after.creation, before.creation);
  EXPECT_EQ(after.node_name, "n1");
  EXPECT_EQ(after.phase, PodPhase::kRunning);
  EXPECT_EQ(Find("p")->scheduled.status, "True");
}

TEST_F(ManifestClusterTest, ApplyingAgainTakesTheStatusThatTheManifestCarries) {
  Apply(PodNamed("p", "1", "nodeName: n1"));
  Apply(PodNamed("p", "1", "", "status: {phase: Succeeded}"));
  EXPECT_EQ(Find("p")->pod.phase, PodPhase::kSucceeded);
  EXPECT_EQ(Find("p")->pod.node_name, "n1");
}

TEST_F(ManifestClusterTest, KeepsNominationUnlessTheManifestCarriesOne) {
  Apply(PodNamed("p", "1", "", "status: {nominatedNodeName: n1}"));
  Apply(PodNamed("p"));
  EXPECT_EQ(Find("p")->pod.nominated_node_name, "n1");
  Apply(PodNamed("p", "1", "", "status: {nominatedNodeName: n2}"));
  EXPECT_EQ(Find("p")->pod.nominated_node_name, "n2");
}

TEST_F(ManifestClusterTest, TerminatingStaysUntilDeleted) {
  Apply(
      ParseObject("apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: ns, "
                  "deletionTimestamp: '2030-01-01T00:00:00Z'}"));
  Apply(ParseObject("apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: ns}"));
  EXPECT_TRUE(Find("p")->pod.terminating);
}

TEST_F(ManifestClusterTest, RefusedUpdateChangesNothing) {
  Apply(PodNamed("p"));
  cluster_.DrainEvents();
  const auto before = Find("p");
  EXPECT_EQ(FaultPath(PodNamed("p", "2")), "spec.containers");
  EXPECT_EQ(Find("p"), before);
  EXPECT_TRUE(cluster_.DrainEvents().empty());
}

TEST_F(ManifestClusterTest, BindsOnceAndIsIdempotentForTheSameNode) {
  Apply(PodNamed("p"));
  EXPECT_TRUE(Bind("p", "n1").ok());
  EXPECT_TRUE(Bind("p", "n1").ok());
  EXPECT_FALSE(Bind("p", "n2").ok());
  EXPECT_EQ(Find("p")->pod.node_name, "n1");
}

TEST_F(ManifestClusterTest, RefusesABindingAsTheApiServerDoes) {
  EXPECT_EQ(cluster_.Bind({{"u"}, {"ns", "p"}, "n1"}).code(), absl::StatusCode::kNotFound);
  Apply(PodNamed("p"));
  EXPECT_EQ(cluster_.Bind({{"other"}, {"ns", "p"}, "n1"}).code(),
            absl::StatusCode::kFailedPrecondition);
  Apply(PodNamed("gated", "1", "schedulingGates: [{name: example.com/g}]"));
  EXPECT_FALSE(Bind("gated", "n1").ok());
  Apply(
      ParseObject("apiVersion: v1\nkind: Pod\nmetadata: {name: leaving, namespace: ns, "
                  "deletionTimestamp: '2030-01-01T00:00:00Z'}"));
  EXPECT_FALSE(Bind("leaving", "n1").ok());
}

TEST_F(ManifestClusterTest, FailNextBindingHoldsForOneBindingAlsoOfALaterPod) {
  cluster_.FailNextBinding({"ns", "p"});
  Apply(PodNamed("p"));
  EXPECT_FALSE(Bind("p", "n1").ok());
  EXPECT_EQ(Find("p")->pod.node_name, "");
  EXPECT_TRUE(Bind("p", "n1").ok());
}

TEST_F(ManifestClusterTest, BindingClearsTheNomination) {
  Apply(PodNamed("p", "1", "", "status: {nominatedNodeName: n1}"));
  ASSERT_TRUE(Bind("p", "n1").ok());
  EXPECT_EQ(Find("p")->pod.nominated_node_name, "");
}

TEST_F(ManifestClusterTest, WakeChangesAnAnnotationOfThatPodOnly) {
  Apply(PodNamed("p"));
  EXPECT_FALSE(cluster_.Wake({{"other"}, {"ns", "p"}}).ok());
  const PodUid uid = Find("p")->pod.uid;
  ASSERT_TRUE(cluster_.Wake({uid, {"ns", "p"}}).ok());
  const Labels once = Find("p")->annotations;
  ASSERT_TRUE(cluster_.Wake({uid, {"ns", "p"}}).ok());
  EXPECT_EQ(once.size(), 1u);
  EXPECT_NE(Find("p")->annotations, once);
  Apply(PodNamed("p"));
  EXPECT_EQ(Find("p")->annotations.size(), 1u) << "a manifest that does not know it keeps it";
}

TEST_F(ManifestClusterTest, ClearTakesNominationAndPlan) {
  Apply(
      ParseObject("apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: ns, annotations: "
                  "{gangpack.io/plan: u/1}}\nstatus: {nominatedNodeName: n1}"));
  ASSERT_EQ(Find("p")->pod.plan_annotation, "u/1");
  ASSERT_TRUE(cluster_.Clear({Find("p")->pod.uid, {"ns", "p"}}).ok());
  EXPECT_EQ(Find("p")->pod.plan_annotation, "");
  EXPECT_EQ(Find("p")->pod.nominated_node_name, "");
}

TEST_F(ManifestClusterTest, UnchangedConditionIsNoEvent) {
  Apply(PodNamed("p"));
  const PodUid uid = Find("p")->pod.uid;
  cluster_.DrainEvents();
  cluster_.SetNotScheduled(uid, {"ns", "p"}, {"False", "Unschedulable", "why"}, false);
  EXPECT_EQ(cluster_.DrainEvents().size(), 1u);
  cluster_.SetNotScheduled(uid, {"ns", "p"}, {"False", "Unschedulable", "why"}, true);
  EXPECT_TRUE(cluster_.DrainEvents().empty());
  cluster_.SetNotScheduled(uid, {"ns", "p"}, {"False", "Unschedulable", "other"}, false);
  EXPECT_EQ(cluster_.DrainEvents().size(), 1u);
}

TEST_F(ManifestClusterTest, RunPodRunsWhatIsBoundAndPending) {
  Apply(PodNamed("p"));
  EXPECT_FALSE(cluster_.RunPod({"ns", "p"}));
  ASSERT_TRUE(Bind("p", "n1").ok());
  EXPECT_FALSE(cluster_.RunPod({"ns", "p"})) << "no kubelet without a node";
  Apply(NodeNamed("n1"));
  EXPECT_TRUE(cluster_.RunPod({"ns", "p"}));
  EXPECT_FALSE(cluster_.RunPod({"ns", "p"}));
}

TEST_F(ManifestClusterTest, DeletingWhatDoesNotExistIsAnError) {
  EXPECT_FALSE(cluster_.DeletePod({"ns", "p"}).ok());
  EXPECT_FALSE(cluster_.DeleteNode("n1").ok());
  EXPECT_FALSE(cluster_.DeletePodGroup({"ns", "g"}).ok());
}

TEST_F(ManifestClusterTest, EventsTellBeforeAndAfterInOrder) {
  Apply(NodeNamed("n1"));
  Apply(PodNamed("p"));
  ASSERT_TRUE(cluster_.DeleteNode("n1").ok());
  const std::vector<ClusterEvent> events = cluster_.DrainEvents();
  ASSERT_EQ(events.size(), 3u);
  EXPECT_TRUE(std::holds_alternative<NodeChanged>(FactOf(events[0])));
  EXPECT_TRUE(std::holds_alternative<PodChanged>(FactOf(events[1])));
  EXPECT_TRUE(std::holds_alternative<NodeGone>(FactOf(events[2])));
  std::vector<Fact> facts;
  cluster_.ListFacts([&facts](Fact fact) { facts.push_back(std::move(fact)); });
  ASSERT_EQ(facts.size(), 1u);
  EXPECT_TRUE(std::holds_alternative<PodChanged>(facts[0]));
}

}  // namespace
}  // namespace gangpack::server
