#include "k8s/pod_group_codec.h"

#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/k8s/decoding.h"

namespace gangpack::k8s {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

TEST(PodGroupCodecTest, ReadsWhatTheEngineNeeds) {
  const Decoding decoding(R"(
metadata:
  name: g
  namespace: ns
  uid: u
  creationTimestamp: 2026-01-31T12:00:00Z
  labels: {ome.io/placement-group: x}
  annotations: {ome.io/topology-key: rack}
spec: {minMember: 2, scheduleTimeoutSeconds: 60, minResources: {cpu: what}}
status: {phase: Odd}
)");
  const DecodedPodGroup decoded = DecodePodGroup(decoding.root());
  EXPECT_THAT(decoding.Faults(), IsEmpty());
  EXPECT_EQ(decoded.group.name, (NamespacedName{"ns", "g"}));
  EXPECT_EQ(decoded.group.uid, "u");
  EXPECT_EQ(decoded.group.creation, absl::FromUnixSeconds(1769860800));
  EXPECT_EQ(decoded.creation, absl::FromUnixSeconds(1769860800));
  EXPECT_THAT(decoded.group.labels, ElementsAre(Pair("ome.io/placement-group", "x")));
  EXPECT_THAT(decoded.group.annotations, ElementsAre(Pair("ome.io/topology-key", "rack")));
  EXPECT_EQ(decoded.group.min_member, 2);
  EXPECT_EQ(decoded.group.schedule_timeout_seconds, 60);
}

TEST(PodGroupCodecTest, WhatTheCrdWouldRefuseButClustersHoldIsNoFault) {
  for (const auto& [spec, expected] : std::vector<std::pair<std::string, std::optional<int64_t>>>{
           {"{}", std::nullopt},
           {"{minMember: null}", std::nullopt},
           {"{minMember: 0}", 0},
           {"{minMember: -1, scheduleTimeoutSeconds: -5}", -1},
           {"{minMember: 2147483647}", 2147483647}}) {
    const Decoding decoding("metadata: {name: g}\nspec: " + spec);
    EXPECT_EQ(DecodePodGroup(decoding.root()).group.min_member, expected) << spec;
    EXPECT_THAT(decoding.Faults(), IsEmpty()) << spec;
  }
}

TEST(PodGroupCodecTest, WhatTheObjectLeavesOutStaysEmpty) {
  const Decoding decoding("metadata: {name: g}");
  const DecodedPodGroup decoded = DecodePodGroup(decoding.root());
  EXPECT_EQ(decoded.group.name, (NamespacedName{"", "g"}));
  EXPECT_EQ(decoded.group.uid, "");
  EXPECT_EQ(decoded.creation, std::nullopt);
}

TEST(PodGroupCodecTest, WrongTypesAreFaults) {
  const Decoding decoding(
      "metadata: {name: g, namespace: Ns}\nspec:\n  minMember: \"2\"\n"
      "  scheduleTimeoutSeconds: 1.5\n");
  DecodePodGroup(decoding.root());
  EXPECT_THAT(decoding.Faults(),
              ElementsAre("f.yaml:1: metadata.namespace: `Ns`, expected at most 63 lower-case "
                          "letters, digits and `-`, with a letter or digit at both ends",
                          "f.yaml:3: spec.minMember: a string, expected a number",
                          "f.yaml:4: spec.scheduleTimeoutSeconds: `1.5`, expected a whole number "
                          "from -2147483648 to 2147483647"));
}

TEST(PodGroupCodecTest, NumbersBeyondInt32AreFaults) {
  const Decoding decoding(
      "metadata: {name: g}\nspec:\n  minMember: 2147483648\n"
      "  scheduleTimeoutSeconds: -2147483649\n");
  DecodePodGroup(decoding.root());
  EXPECT_THAT(decoding.Faults(),
              ElementsAre("f.yaml:3: spec.minMember: `2147483648`, expected a whole number from "
                          "-2147483648 to 2147483647",
                          "f.yaml:4: spec.scheduleTimeoutSeconds: `-2147483649`, expected a whole "
                          "number from -2147483648 to 2147483647"));
}

TEST(NamespaceCodecTest, ReadsNameAndLabels) {
  const Decoding decoding("metadata: {name: ns, labels: {team: a}}");
  const DecodedNamespace decoded = DecodeNamespace(decoding.root());
  EXPECT_EQ(decoded.object.name, "ns");
  EXPECT_THAT(decoded.object.labels, ElementsAre(Pair("team", "a")));
  EXPECT_THAT(decoding.Faults(), IsEmpty());
}

TEST(NamespaceCodecTest, ANameWithAPointIsAFault) {
  const Decoding decoding("metadata: {name: a.b}");
  DecodeNamespace(decoding.root());
  EXPECT_EQ(decoding.Faults().size(), 1u);
}

}  // namespace
}  // namespace gangpack::k8s
