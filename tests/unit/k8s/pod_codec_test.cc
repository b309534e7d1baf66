#include "k8s/pod_codec.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/k8s/decoding.h"

namespace gangpack::k8s {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::StartsWith;

DecodedPod Decoded(const std::string& yaml) {
  const Decoding decoding(yaml);
  DecodedPod decoded = DecodePod(decoding.root());
  EXPECT_THAT(decoding.Faults(), IsEmpty());
  return decoded;
}

DecodedPod WithSpec(const std::string& spec) {
  return Decoded("metadata: {name: p}\nspec: " + spec);
}

TEST(PodCodecTest, ReadsWhatTheEngineNeeds) {
  const DecodedPod decoded = Decoded(R"(
metadata:
  name: w-0
  namespace: ns
  uid: u
  resourceVersion: "12"
  creationTimestamp: "2026-01-31T12:00:00Z"
  deletionTimestamp: "2026-01-31T12:00:30Z"
  labels: {scheduling.x-k8s.io/pod-group: g}
  annotations: {gangpack.io/plan: "u/3", kubernetes.io/config.mirror: ""}
  ownerReferences: [{kind: Job}, {kind: DaemonSet, controller: true}]
spec:
  schedulerName: ome-scheduler
  nodeName: n1
  priority: -10
  schedulingGates: [{name: a}, {name: x.io/b}]
  nodeSelector: {disk: ssd}
  overhead: {cpu: 10m}
  containers: [{name: c, resources: {requests: {cpu: 1}}}]
  tolerations: [{operator: Exists}]
  topologySpreadConstraints:
  - {maxSkew: 1, topologyKey: rack, whenUnsatisfiable: DoNotSchedule}
  affinity:
    nodeAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
        nodeSelectorTerms: [{matchExpressions: [{key: a, operator: Exists}]}]
    podAffinity:
      requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: rack}]
    podAntiAffinity:
      requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: a}, {topologyKey: b}]
status:
  phase: Running
  nominatedNodeName: n2
  conditions: [{type: PodScheduled, status: "False", reason: Unschedulable, message: why}]
)");
  const Pod& pod = decoded.pod;
  EXPECT_EQ(pod.uid, PodUid{"u"});
  EXPECT_EQ(pod.name, (NamespacedName{"ns", "w-0"}));
  EXPECT_THAT(pod.labels, ElementsAre(Pair("scheduling.x-k8s.io/pod-group", "g")));
  EXPECT_EQ(pod.plan_annotation, "u/3");
  EXPECT_TRUE(pod.mirror);
  EXPECT_TRUE(pod.daemon_set);
  EXPECT_EQ(pod.scheduler_name, "ome-scheduler");
  EXPECT_EQ(pod.node_name, "n1");
  EXPECT_EQ(pod.nominated_node_name, "n2");
  EXPECT_EQ(pod.phase, PodPhase::kRunning);
  EXPECT_TRUE(pod.terminating);
  EXPECT_EQ(pod.gates, 2);
  EXPECT_EQ(pod.priority, -10);
  EXPECT_EQ(pod.creation, absl::FromUnixSeconds(1769860800));
  EXPECT_THAT(pod.spec.request, ElementsAre(Pair("cpu", 1010)));
  EXPECT_THAT(pod.spec.node_selector, ElementsAre(Pair("disk", "ssd")));
  EXPECT_EQ(pod.spec.tolerations.size(), 1u);
  EXPECT_EQ(pod.spec.required_node_affinity->size(), 1u);
  EXPECT_EQ(pod.spec.required_affinity.size(), 1u);
  EXPECT_EQ(pod.spec.required_anti_affinity.size(), 2u);
  EXPECT_EQ(pod.spec.topology_spread.size(), 1u);
  EXPECT_EQ(decoded.resource_version, "12");
  EXPECT_THAT(decoded.gates, ElementsAre("a", "x.io/b"));
  EXPECT_EQ(decoded.scheduled->status, "False");
  EXPECT_EQ(decoded.scheduled->reason, "Unschedulable");
  EXPECT_EQ(decoded.scheduled->message, "why");
}

TEST(PodCodecTest, WhatTheObjectLeavesOutStaysEmpty) {
  const DecodedPod decoded = Decoded("metadata: {name: p}");
  EXPECT_EQ(decoded.pod.uid, PodUid{""});
  EXPECT_EQ(decoded.pod.name, (NamespacedName{"", "p"}));
  EXPECT_EQ(decoded.pod.scheduler_name, "");
  EXPECT_EQ(decoded.pod.node_name, "");
  EXPECT_EQ(decoded.pod.phase, PodPhase::kPending);
  EXPECT_EQ(decoded.phase, std::nullopt);
  EXPECT_EQ(decoded.creation, std::nullopt);
  EXPECT_FALSE(decoded.scheduled.has_value());
  EXPECT_FALSE(decoded.pod.terminating);
  EXPECT_FALSE(decoded.pod.mirror);
  EXPECT_FALSE(decoded.pod.daemon_set);
  EXPECT_FALSE(decoded.pod.spec.required_node_affinity.has_value());
}

TEST(PodCodecTest, AnEmptyGangLabelIsNoFault) {
  EXPECT_THAT(
      Decoded("metadata: {name: p, labels: {scheduling.x-k8s.io/pod-group: ''}}").pod.labels,
      ElementsAre(Pair("scheduling.x-k8s.io/pod-group", "")));
}

TEST(PodCodecTest, OnlyAControllerThatIsADaemonSetCounts) {
  EXPECT_FALSE(Decoded("metadata: {name: p, ownerReferences: [{kind: DaemonSet}]}").pod.daemon_set);
  EXPECT_FALSE(
      Decoded("metadata: {name: p, ownerReferences: [{kind: ReplicaSet, controller: true}]}")
          .pod.daemon_set);
}

TEST(PodCodecTest, EveryPhaseIsKnown) {
  const auto phase = [](const std::string& name) {
    return Decoded("metadata: {name: p}\nstatus: {phase: " + name + "}").pod.phase;
  };
  EXPECT_EQ(phase("Pending"), PodPhase::kPending);
  EXPECT_EQ(phase("Running"), PodPhase::kRunning);
  EXPECT_EQ(phase("Succeeded"), PodPhase::kSucceeded);
  EXPECT_EQ(phase("Failed"), PodPhase::kFailed);
  EXPECT_EQ(phase("Unknown"), PodPhase::kUnknown);
  EXPECT_EQ(phase("''"), PodPhase::kPending);
}

TEST(PodCodecTest, PodLevelRequestsReplaceTheContainers) {
  EXPECT_THAT(WithSpec("{resources: {requests: {cpu: 5}}, containers: [{resources: {requests: "
                       "{cpu: 1, memory: 7}}}]}")
                  .pod.spec.request,
              ElementsAre(Pair("cpu", 5000), Pair("memory", 7)));
}

TEST(PodCodecTest, APodLevelLimitIsTheRequestWhereNoContainerRequestsIt) {
  EXPECT_THAT(WithSpec("{resources: {limits: {cpu: 5, hugepages-2Mi: 4Mi}}, containers: [{}]}")
                  .pod.spec.request,
              ElementsAre(Pair("cpu", 5000), Pair("hugepages-2Mi", 4194304)));
  EXPECT_THAT(WithSpec("{resources: {limits: {cpu: 5}}, containers: [{resources: {requests: {cpu: "
                       "1}}}]}")
                  .pod.spec.request,
              ElementsAre(Pair("cpu", 1000)));
}

TEST(PodCodecTest, APodLevelLimitMakesWhatContainersRequestTheRequestOfThePod) {
  // As such it counts as the largest of what is asked for and in effect for the pod.
  const std::string status = "\nstatus: {resources: {requests: {cpu: 5, memory: 9}}}";
  const auto request = [&](const std::string& resources) {
    return Decoded(
               "metadata: {name: p}\nspec: {containers: [{resources: {requests: {memory: 7}}}], "
               "resources: " +
               resources + "}" + status)
        .pod.spec.request;
  };
  EXPECT_THAT(request("{limits: {cpu: 5}}"), ElementsAre(Pair("cpu", 5000), Pair("memory", 9)));
  EXPECT_THAT(request("{requests: {cpu: 5}}"), ElementsAre(Pair("cpu", 5000), Pair("memory", 7)));
}

TEST(PodCodecTest, HugePagesOfContainersAreAPodLevelLimit) {
  const std::string status = "\nstatus: {resources: {requests: {cpu: 2}}}";
  const auto request = [&](const std::string& pages) {
    return Decoded(
               "metadata: {name: p}\nspec: {containers: [{resources: {requests: {cpu: 1}, "
               "limits: {" +
               pages + "}}}], resources: {requests: {memory: 7}}}" + status)
        .pod.spec.request;
  };
  EXPECT_THAT(request("hugepages-2Mi: 2Mi"),
              ElementsAre(Pair("cpu", 2000), Pair("hugepages-2Mi", 2 << 20), Pair("memory", 7)));
  EXPECT_THAT(request("ephemeral-storage: 1"),
              ElementsAre(Pair("cpu", 1000), Pair("ephemeral-storage", 1), Pair("memory", 7)));
}

TEST(PodCodecTest, FractionsOfBytesAddUpBeforeTheyAreRounded) {
  EXPECT_THAT(WithSpec("{containers: [{resources: {requests: {memory: 1500m}}}, {resources: "
                       "{requests: {memory: 500m}}}]}")
                  .pod.spec.request,
              ElementsAre(Pair("memory", 2)));
}

TEST(PodCodecTest, AnInfeasibleResizeCountsAsWhatThePodHas) {
  const std::string pod = R"(
metadata: {name: p}
spec: {containers: [{name: c, resources: {requests: {cpu: 8}}}]}
status:
  containerStatuses: [{name: c, resources: {requests: {cpu: 2}}, allocatedResources: {cpu: 2}}]
)";
  EXPECT_THAT(Decoded(pod).pod.spec.request, ElementsAre(Pair("cpu", 8000)));
  EXPECT_THAT(Decoded(pod + "  conditions: [{type: PodResizePending, reason: Infeasible}]\n")
                  .pod.spec.request,
              ElementsAre(Pair("cpu", 2000)));
  EXPECT_THAT(Decoded(pod + "  conditions: [{type: PodResizePending, reason: Deferred}]\n")
                  .pod.spec.request,
              ElementsAre(Pair("cpu", 8000)));
}

TEST(PodCodecTest, VolumesAndClaimsAreNotedWhereTheyCanKeepAPodOffANode) {
  EXPECT_FALSE(WithSpec("{volumes: [{name: a, emptyDir: {}}]}").has_volumes);
  EXPECT_TRUE(
      WithSpec("{volumes: [{name: a, emptyDir: {}}, {persistentVolumeClaim: {}}]}").has_volumes);
  EXPECT_FALSE(WithSpec("{resourceClaims: []}").has_device_claims);
  EXPECT_TRUE(WithSpec("{resourceClaims: [{name: a}]}").has_device_claims);
}

TEST(PodCodecTest, ContainersKeepTheirNamesAndRequests) {
  const DecodedPod decoded = WithSpec(
      "{containers: [{name: c, resources: {limits: {cpu: 1}}}], initContainers: [{name: i}]}");
  ASSERT_EQ(decoded.containers.size(), 2u);
  EXPECT_EQ(decoded.containers[0].name, "i");
  EXPECT_TRUE(decoded.containers[0].init);
  EXPECT_EQ(decoded.containers[1].name, "c");
  EXPECT_THAT(decoded.containers[1].requests, ElementsAre(Pair("cpu", 1000)));
}

TEST(PodCodecTest, AllFaultsAreReportedTogether) {
  const Decoding decoding(R"(metadata:
  name: p
  creationTimestamp: yesterday
  ownerReferences: {}
spec:
  nodeName: N1
  priority: 2147483648
  schedulingGates: [{}]
  nodeSelector: {a: true}
  affinity: []
status:
  phase: Done
)");
  DecodePod(decoding.root());
  EXPECT_THAT(decoding.Faults(),
              ElementsAre(StartsWith("f.yaml:3: metadata.creationTimestamp: `yesterday`"),
                          "f.yaml:4: metadata.ownerReferences: an object, expected a list",
                          StartsWith("f.yaml:6: spec.nodeName: `N1`"),
                          "f.yaml:12: status.phase: `Done`, expected Pending, Running, Succeeded, "
                          "Failed or Unknown",
                          StartsWith("f.yaml:8: spec.schedulingGates[0].name: ``"),
                          "f.yaml:7: spec.priority: `2147483648`, expected a whole number from "
                          "-2147483648 to 2147483647",
                          "f.yaml:9: spec.nodeSelector.a: a boolean, expected a string (in quotes)",
                          "f.yaml:10: spec.affinity: a list, expected an object"));
}

}  // namespace
}  // namespace gangpack::k8s
