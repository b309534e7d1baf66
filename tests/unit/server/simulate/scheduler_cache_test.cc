#include "server/simulate/scheduler_cache.h"

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "gtest/gtest.h"
#include "server/manifest/manifest_cluster.h"
#include "tests/unit/server/manifest/test_objects.h"

namespace gangpack::server {
namespace {

using Reasons = std::vector<std::string>;

class SchedulerCacheTest : public testing::Test {
 protected:
  void Node(const std::string& name, const std::string& cpu = "4", const std::string& fields = "") {
    ASSERT_TRUE(cluster_.Apply(NodeNamed(name, cpu, fields)).empty());
    cache_.PutNode(cluster_.FindNode(name));
  }
  std::shared_ptr<const PodObject> Pod(const std::string& name, const std::string& cpu = "1",
                                       const std::string& spec = "",
                                       const std::string& fields = "") {
    EXPECT_TRUE(cluster_.Apply(PodNamed(name, cpu, spec, fields)).empty());
    return cluster_.FindPod({"ns", name});
  }
  Reasons Judge(const std::shared_ptr<const PodObject>& pod, const std::string& node) {
    return cache_.Filter(pod->pod, {node})[0].reasons;
  }

  TestClock clock_;
  ManifestCluster cluster_{"ours", &clock_};
  SchedulerCache cache_;
};

TEST_F(SchedulerCacheTest, FitsExactlyAndNotOneMilliMore) {
  Node("n1", "4");
  EXPECT_EQ(Judge(Pod("exact", "4"), "n1"), Reasons());
  EXPECT_EQ(Judge(Pod("more", "4001m"), "n1"), Reasons({"Insufficient cpu"}));
}

TEST_F(SchedulerCacheTest, CountsPodsThatAreThereUntilTheyAreGone) {
  Node("n1", "4");
  const auto first = Pod("first", "3");
  cache_.PutPod(first, "n1");
  EXPECT_EQ(Judge(Pod("second", "2"), "n1"), Reasons({"Insufficient cpu"}));
  EXPECT_EQ(Judge(Pod("third", "1"), "n1"), Reasons());
  cache_.PutPod(first, "n1");  // the binding of an assumed pod shows
  EXPECT_EQ(Judge(Pod("fourth", "1"), "n1"), Reasons());
  cache_.RemovePod(first->pod.uid);
  EXPECT_EQ(Judge(Pod("fifth", "4"), "n1"), Reasons());
}

TEST_F(SchedulerCacheTest, CountsPodSlotsAndListsAllThatIsShort) {
  Node("n1", "1", "spec: {}");
  ASSERT_TRUE(cluster_
                  .Apply(ParseObject("apiVersion: v1\nkind: Node\nmetadata: {name: n1}\n"
                                     "status: {capacity: {cpu: 1, pods: 1}}"))
                  .empty());
  cache_.PutNode(cluster_.FindNode("n1"));
  cache_.PutPod(Pod("first", "0"), "n1");
  EXPECT_EQ(Judge(Pod("second", "2"), "n1"), Reasons({"Insufficient cpu", "Too many pods"}));
}

TEST_F(SchedulerCacheTest, OverUseOfOneResourceDoesNotHideAnother) {
  Node("n1", "4");
  cache_.PutPod(Pod("big", "5"), "n1");
  EXPECT_EQ(Judge(Pod("nothing", "0"), "n1"), Reasons());
}

TEST_F(SchedulerCacheTest, SaysTheFirstFilterThatRefusesInKubeSchedulersOrder) {
  Node("n1", "1", "spec: {unschedulable: true, taints: [{key: k, effect: NoSchedule}]}");
  const std::string selector = "nodeSelector: {a: b}";
  const std::string tolerate_cordon =
      "tolerations: [{key: node.kubernetes.io/unschedulable, operator: Exists}]";
  const std::string tolerate_all = "tolerations: [{operator: Exists}]";
  EXPECT_EQ(Judge(Pod("a", "9", selector), "n1"), Reasons({"node(s) were unschedulable"}));
  EXPECT_EQ(Judge(Pod("b", "9", selector + ", " + tolerate_cordon), "n1"),
            Reasons({"node(s) had untolerated taint(s)"}));
  EXPECT_EQ(Judge(Pod("c", "9", selector + ", " + tolerate_all), "n1"),
            Reasons({"node(s) didn't match Pod's node affinity/selector"}));
  EXPECT_EQ(Judge(Pod("d", "9", tolerate_all), "n1"), Reasons({"Insufficient cpu"}));
}

TEST_F(SchedulerCacheTest, HostPortsConflict) {
  Node("n1");
  const auto pod = [this](const std::string& name, const std::string& port) {
    return ParseObject("apiVersion: v1\nkind: Pod\nmetadata: {name: " + name +
                       ", namespace: ns}\nspec: {containers: [{name: c, ports: [{hostPort: " +
                       port + ", containerPort: 1}]}]}\n");
  };
  for (const auto& [name, port] : {std::pair{"a", "80"}, {"b", "80"}, {"c", "81"}}) {
    ASSERT_TRUE(cluster_.Apply(pod(name, port)).empty());
  }
  cache_.PutPod(cluster_.FindPod({"ns", "a"}), "n1");
  EXPECT_EQ(Judge(cluster_.FindPod({"ns", "b"}), "n1"),
            Reasons({"node(s) didn't have free ports for the requested pod ports"}));
  EXPECT_EQ(Judge(cluster_.FindPod({"ns", "c"}), "n1"), Reasons());
}

TEST_F(SchedulerCacheTest, NominatedPodsCountForEqualAndLowerPriorityOnly) {
  Node("n1", "4");
  const auto nominated = Pod("nominated", "4", "priority: 5", "status: {nominatedNodeName: n1}");
  cache_.PutNominated(nominated);
  EXPECT_EQ(Judge(Pod("lower", "1", "priority: 4"), "n1"), Reasons({"Insufficient cpu"}));
  EXPECT_EQ(Judge(Pod("equal", "1", "priority: 5"), "n1"), Reasons({"Insufficient cpu"}));
  EXPECT_EQ(Judge(Pod("higher", "1", "priority: 6"), "n1"), Reasons());
  EXPECT_EQ(Judge(nominated, "n1"), Reasons());
  cache_.RemoveNominated(nominated->pod.uid);
  EXPECT_EQ(Judge(Pod("later", "4", "priority: 5"), "n1"), Reasons());
}

TEST_F(SchedulerCacheTest, RefusesForOnePodWhatAStepSays) {
  Node("n1");
  Node("m");
  cache_.Refuse({"ns", "p"}, "n1");
  EXPECT_EQ(cache_.Filter(Pod("p")->pod, {"n1"})[0].rejector, kRejectedByStep);
  EXPECT_EQ(Judge(Pod("p"), "m"), Reasons());
  EXPECT_EQ(Judge(Pod("q"), "n1"), Reasons());
}

PodSpec WithTerms(const std::vector<std::vector<SelectorRequirement>>& terms) {
  PodSpec spec;
  spec.required_node_affinity.emplace();
  for (const auto& fields : terms) spec.required_node_affinity->push_back({{}, fields});
  return spec;
}

TEST_F(SchedulerCacheTest, NodesByNameIsTheUnionOfTermsThatAllNameNodes) {
  const SelectorRequirement a{"metadata.name", SelectorOperator::kIn, {"a"}};
  const SelectorRequirement ab{"metadata.name", SelectorOperator::kIn, {"a", "b"}};
  const SelectorRequirement not_c{"metadata.name", SelectorOperator::kNotIn, {"c"}};
  using Names = std::set<std::string>;
  EXPECT_EQ(SchedulerCache::NodesByName(PodSpec()), Names());
  EXPECT_EQ(SchedulerCache::NodesByName(WithTerms({{a}, {ab}})), Names({"a", "b"}));
  EXPECT_EQ(SchedulerCache::NodesByName(WithTerms({{a, ab}})), Names({"a"}));
  EXPECT_EQ(SchedulerCache::NodesByName(WithTerms({{a}, {not_c}})), Names());
}

}  // namespace
}  // namespace gangpack::server
