#include "k8s/spread_codec.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/k8s/decoding.h"

namespace gangpack::k8s {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(SpreadCodecTest, ReadsEveryFieldOfAHardConstraint) {
  const Decoding decoding(R"(
topologySpreadConstraints:
- maxSkew: 2
  topologyKey: rack
  whenUnsatisfiable: DoNotSchedule
  labelSelector: {matchLabels: {app: web}}
  matchLabelKeys: [pod-template-hash]
  minDomains: 3
  nodeAffinityPolicy: Ignore
  nodeTaintsPolicy: Honor
)");
  const std::vector<TopologySpreadConstraint> constraints = DecodeTopologySpread(decoding.root());
  EXPECT_THAT(decoding.Faults(), IsEmpty());
  TopologySpreadConstraint expected;
  expected.max_skew = 2;
  expected.topology_key = "rack";
  expected.selector = LabelSelector{{{"app", SelectorOperator::kIn, {"web"}}}};
  expected.match_label_keys = {"pod-template-hash"};
  expected.min_domains = 3;
  expected.honor_node_affinity = false;
  expected.honor_taints = true;
  EXPECT_THAT(constraints, ElementsAre(expected));
}

TEST(SpreadCodecTest, WhatIsLeftOutHasKubernetesDefault) {
  const Decoding decoding(
      "topologySpreadConstraints: "
      "[{maxSkew: 1, topologyKey: rack, whenUnsatisfiable: DoNotSchedule}]");
  TopologySpreadConstraint expected;
  expected.max_skew = 1;
  expected.topology_key = "rack";
  expected.min_domains = 1;
  expected.honor_node_affinity = true;
  expected.honor_taints = false;
  EXPECT_THAT(DecodeTopologySpread(decoding.root()), ElementsAre(expected));
  EXPECT_THAT(decoding.Faults(), IsEmpty());
}

TEST(SpreadCodecTest, ConstraintsThatAreOnlyScoredAreLeftOut) {
  const Decoding decoding(R"(
topologySpreadConstraints:
- {maxSkew: 1, topologyKey: a, whenUnsatisfiable: ScheduleAnyway}
- {maxSkew: 1, topologyKey: b, whenUnsatisfiable: DoNotSchedule}
- {maxSkew: 1, topologyKey: b, whenUnsatisfiable: ScheduleAnyway}
)");
  const std::vector<TopologySpreadConstraint> constraints = DecodeTopologySpread(decoding.root());
  EXPECT_THAT(decoding.Faults(), IsEmpty());
  ASSERT_EQ(constraints.size(), 1u);
  EXPECT_EQ(constraints[0].topology_key, "b");
}

TEST(SpreadCodecTest, APodWithoutConstraintsHasNone) {
  const Decoding decoding("nodeName: n");
  EXPECT_THAT(DecodeTopologySpread(decoding.root()), IsEmpty());
  EXPECT_THAT(decoding.Faults(), IsEmpty());
}

TEST(SpreadCodecTest, FaultsNameTheFieldThatTheServerRefuses) {
  const auto field_of = [](const std::string& constraint) {
    const Decoding decoding("topologySpreadConstraints: [" + constraint + "]");
    DecodeTopologySpread(decoding.root());
    EXPECT_EQ(decoding.Faults().size(), 1u) << constraint;
    const std::string fault = decoding.Faults().empty() ? "" : decoding.Faults()[0];
    const std::string prefix = "topologySpreadConstraints[0].";
    const size_t start = fault.find(prefix);
    if (start == std::string::npos) return fault;
    const std::string rest = fault.substr(start + prefix.size());
    return rest.substr(0, rest.find_first_of(":["));
  };
  const std::string hard = "whenUnsatisfiable: DoNotSchedule";
  EXPECT_EQ(field_of("{topologyKey: a, " + hard + "}"), "maxSkew");
  EXPECT_EQ(field_of("{maxSkew: 0, topologyKey: a, " + hard + "}"), "maxSkew");
  EXPECT_EQ(field_of("{maxSkew: 1, " + hard + "}"), "topologyKey");
  EXPECT_EQ(field_of("{maxSkew: 1, topologyKey: a}"), "whenUnsatisfiable");
  EXPECT_EQ(field_of("{maxSkew: 1, topologyKey: a, whenUnsatisfiable: Never}"),
            "whenUnsatisfiable");
  EXPECT_EQ(field_of("{maxSkew: 1, topologyKey: a, minDomains: 0, " + hard + "}"), "minDomains");
  EXPECT_EQ(
      field_of("{maxSkew: 1, topologyKey: a, minDomains: 2, whenUnsatisfiable: ScheduleAnyway}"),
      "minDomains");
  EXPECT_EQ(field_of("{maxSkew: 1, topologyKey: a, nodeAffinityPolicy: honor, " + hard + "}"),
            "nodeAffinityPolicy");
  EXPECT_EQ(field_of("{maxSkew: 1, topologyKey: a, nodeTaintsPolicy: No, " + hard + "}"),
            "nodeTaintsPolicy");
  EXPECT_EQ(field_of("{maxSkew: 1, topologyKey: a, matchLabelKeys: [b], " + hard + "}"),
            "matchLabelKeys");
  EXPECT_EQ(field_of("{maxSkew: 1, topologyKey: a, labelSelector: {}, matchLabelKeys: ['-'], " +
                     hard + "}"),
            "matchLabelKeys");
}

TEST(SpreadCodecTest, AConstraintThatIsThereTwiceIsAFault) {
  const Decoding decoding(R"(
topologySpreadConstraints:
- {maxSkew: 1, topologyKey: a, whenUnsatisfiable: DoNotSchedule}
- {maxSkew: 2, topologyKey: a, whenUnsatisfiable: DoNotSchedule}
)");
  DecodeTopologySpread(decoding.root());
  EXPECT_EQ(decoding.Faults().size(), 1u);
}

}  // namespace
}  // namespace gangpack::k8s
