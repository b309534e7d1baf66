#include "server/manifest/pod_update.h"

#include <string>
#include <variant>
#include <vector>

#include "gtest/gtest.h"
#include "server/manifest/manifest_cluster.h"
#include "tests/unit/server/manifest/test_objects.h"

namespace gangpack::server {
namespace {

// The paths of what is refused when a pod with the spec `was` is applied again with `is`.
std::vector<std::string> Refused(const std::string& was, const std::string& is) {
  TestClock clock;
  ManifestCluster cluster("ours", &clock);
  const auto pod = [](const std::string& spec) {
    return ParseObject("apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: ns}\nspec: {" +
                       spec + "}\n");
  };
  EXPECT_TRUE(cluster.Apply(pod(was)).empty());
  std::vector<std::string> paths;
  const ManifestObject manifest = pod(is);
  for (const FieldFault& fault :
       CheckPodUpdate(*cluster.FindPod({"ns", "p"}), std::get<k8s::DecodedPod>(manifest))) {
    paths.push_back(fault.path);
  }
  return paths;
}

using Paths = std::vector<std::string>;

TEST(PodUpdateTest, TheSameAgainIsAccepted) {
  const std::string spec =
      "priority: 5, nodeSelector: {a: b}, tolerations: [{key: k, operator: Exists}], containers: "
      "[{name: c, ports: [{hostPort: 80, containerPort: 80}], resources: {requests: {cpu: 1}}}]";
  EXPECT_EQ(Refused(spec, spec), Paths());
}

TEST(PodUpdateTest, TheSameAmountWrittenOtherwiseIsAccepted) {
  EXPECT_EQ(Refused("containers: [{name: c, resources: {requests: {cpu: 1}}}]",
                    "containers: [{name: c, resources: {requests: {cpu: 1000m}}}]"),
            Paths());
}

TEST(PodUpdateTest, ContainersAndTheirRequestsAreImmutable) {
  EXPECT_EQ(Refused("containers: [{name: c, resources: {requests: {cpu: 1}}}]",
                    "containers: [{name: c, resources: {requests: {cpu: 1001m}}}]"),
            Paths({"spec.containers"}));
  EXPECT_EQ(Refused("containers: [{name: c}]", "containers: [{name: d}]"),
            Paths({"spec.containers"}));
}

TEST(PodUpdateTest, PriorityNodeAndSchedulerAreImmutable) {
  EXPECT_EQ(Refused("priority: 1", "priority: 2"), Paths({"spec.priority"}));
  EXPECT_EQ(Refused("nodeName: n1", "nodeName: n2"), Paths({"spec.nodeName"}));
  EXPECT_EQ(Refused("schedulerName: a", "schedulerName: b"), Paths({"spec.schedulerName"}));
}

TEST(PodUpdateTest, ABindingThatTheManifestShowsIsNoChangeOfSpec) {
  EXPECT_EQ(Refused("priority: 1", "priority: 1, nodeName: n1"), Paths());
  EXPECT_EQ(Refused("nodeName: n1", "priority: 0"), Paths());
}

TEST(PodUpdateTest, TolerationsMayComeButNotGo) {
  const std::string one = "tolerations: [{key: a, operator: Exists}]";
  const std::string two = "tolerations: [{key: a, operator: Exists}, {key: b, operator: Exists}]";
  EXPECT_EQ(Refused(one, two), Paths());
  EXPECT_EQ(Refused(two, one), Paths({"spec.tolerations"}));
}

TEST(PodUpdateTest, TolerationsThatAdmissionAddsMayBeMissing) {
  EXPECT_EQ(Refused("tolerations: [{key: node.kubernetes.io/not-ready, operator: Exists, effect: "
                    "NoExecute, tolerationSeconds: 300}]",
                    "priority: 0"),
            Paths());
}

TEST(PodUpdateTest, GatesMayGoButNotCome) {
  const std::string gated = "schedulingGates: [{name: example.com/a}]";
  EXPECT_EQ(Refused(gated, "priority: 0"), Paths());
  EXPECT_EQ(Refused("priority: 0", gated), Paths({"spec.schedulingGates"}));
}

TEST(PodUpdateTest, NodeSelectorIsImmutableUnlessGated) {
  const std::string gates = ", schedulingGates: [{name: example.com/a}]";
  EXPECT_EQ(Refused("nodeSelector: {a: b}", "nodeSelector: {a: b, c: d}"),
            Paths({"spec.nodeSelector"}));
  EXPECT_EQ(Refused("nodeSelector: {a: b}" + gates, "nodeSelector: {a: b, c: d}"), Paths());
  EXPECT_EQ(Refused("nodeSelector: {a: b}" + gates, "nodeSelector: {a: x}"),
            Paths({"spec.nodeSelector"}));
}

std::string NodeAffinity(const std::string& expressions) {
  return "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
         "{nodeSelectorTerms: [{matchExpressions: [" +
         expressions + "]}]}}}";
}

TEST(PodUpdateTest, NodeAffinityMayOnlyNarrowAndOnlyWhileGated) {
  const std::string gates = ", schedulingGates: [{name: example.com/a}]";
  const std::string one = "{key: a, operator: Exists}";
  const std::string two = one + ", {key: b, operator: Exists}";
  EXPECT_EQ(Refused(NodeAffinity(one), NodeAffinity(two)), Paths({"spec.affinity.nodeAffinity"}));
  EXPECT_EQ(Refused(NodeAffinity(one) + gates, NodeAffinity(two)), Paths());
  EXPECT_EQ(Refused(NodeAffinity(two) + gates, NodeAffinity(one)),
            Paths({"spec.affinity.nodeAffinity"}));
  EXPECT_EQ(Refused("priority: 0" + gates, NodeAffinity(one)), Paths());
}

TEST(PodUpdateTest, PodAffinityIsImmutableEvenWhileGated) {
  const std::string gates = "schedulingGates: [{name: example.com/a}]";
  EXPECT_EQ(Refused(gates,
                    "affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
                    "[{topologyKey: rack, labelSelector: {}}]}}"),
            Paths({"spec.affinity.podAffinity"}));
}

}  // namespace
}  // namespace gangpack::server
