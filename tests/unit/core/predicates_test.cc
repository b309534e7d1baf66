#include "core/predicates.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/node.h"
#include "core/pod.h"
#include "core/resources.h"
#include "tests/unit/core/case_table.h"

namespace gangpack {
namespace {

constexpr char kUnschedulableKey[] = "node.kubernetes.io/unschedulable";

Toleration Exists(const std::string& key, std::optional<TaintEffect> effect = std::nullopt) {
  return Toleration{key, TolerationOperator::kExists, "", effect};
}

Toleration Equal(const std::string& key, const std::string& value,
                 std::optional<TaintEffect> effect = std::nullopt) {
  return Toleration{key, TolerationOperator::kEqual, value, effect};
}

PodSpec PodTolerating(std::vector<Toleration> tolerations) {
  PodSpec pod;
  pod.tolerations = std::move(tolerations);
  return pod;
}

Node NodeWithTaints(std::vector<Taint> taints) {
  Node node;
  node.name = "n1";
  node.taints = std::move(taints);
  return node;
}

TEST(UnschedulableTest, ACordonedNodeIsRefusedAndAnotherIsNot) {
  Node node;
  EXPECT_FALSE(CheckUnschedulable(PodSpec{}, node).has_value());
  node.unschedulable = true;
  const auto rejection = CheckUnschedulable(PodSpec{}, node);
  ASSERT_TRUE(rejection.has_value());
  EXPECT_EQ(rejection->rule, NodeRule::kUnschedulable);
  EXPECT_EQ(rejection->subject, "");
}

TEST(UnschedulableTest, ATolerationOfItsTaintForNoScheduleIsEnough) {
  Node node;
  node.unschedulable = true;
  const auto refused = [&node](const Toleration& toleration) {
    return CheckUnschedulable(PodTolerating({toleration}), node).has_value();
  };
  EXPECT_FALSE(refused(Exists(kUnschedulableKey)));
  EXPECT_FALSE(refused(Exists(kUnschedulableKey, TaintEffect::kNoSchedule)));
  EXPECT_FALSE(refused(Exists("")));
  EXPECT_FALSE(refused(Equal(kUnschedulableKey, "")));
  EXPECT_TRUE(refused(Exists(kUnschedulableKey, TaintEffect::kNoExecute)));
  EXPECT_TRUE(refused(Equal(kUnschedulableKey, "x")));
  EXPECT_TRUE(refused(Exists("other")));
}

TEST(TaintsTest, NoScheduleAndNoExecuteRefuseAndPreferNoScheduleDoesNot) {
  for (const TaintEffect effect : {TaintEffect::kNoSchedule, TaintEffect::kNoExecute}) {
    EXPECT_TRUE(CheckTaints(PodSpec{}, NodeWithTaints({{"k", "v", effect}})).has_value());
  }
  const Node preferred = NodeWithTaints({{"k", "v", TaintEffect::kPreferNoSchedule}});
  EXPECT_FALSE(CheckTaints(PodSpec{}, preferred).has_value());
}

TEST(TaintsTest, EveryTaintNeedsATolerationAndTheFirstWithoutIsNamed) {
  const Node node = NodeWithTaints({{"a", "1", TaintEffect::kNoSchedule},
                                    {"b", "", TaintEffect::kPreferNoSchedule},
                                    {"c", "", TaintEffect::kNoExecute},
                                    {"d", "2", TaintEffect::kNoSchedule}});
  EXPECT_EQ(CheckTaints(PodSpec{}, node)->subject, "a=1:NoSchedule");
  EXPECT_EQ(CheckTaints(PodTolerating({Exists("a")}), node)->subject, "c:NoExecute");
  EXPECT_EQ(CheckTaints(PodTolerating({Exists("a"), Exists("c")}), node)->subject,
            "d=2:NoSchedule");
  EXPECT_EQ(CheckTaints(PodTolerating({Exists("a")}), node)->rule, NodeRule::kTaint);
  EXPECT_FALSE(
      CheckTaints(PodTolerating({Exists("d"), Exists("c"), Exists("a")}), node).has_value());
}

TEST(TolerationTest, EqualNeedsTheSameKeyAndValue) {
  const Taint taint{"k", "v", TaintEffect::kNoSchedule};
  EXPECT_TRUE(Tolerates(Equal("k", "v"), taint));
  EXPECT_FALSE(Tolerates(Equal("k", "w"), taint));
  EXPECT_FALSE(Tolerates(Equal("k", ""), taint));
  EXPECT_FALSE(Tolerates(Equal("m", "v"), taint));
}

TEST(TolerationTest, ExistsTakesEveryValueAndWithAnEmptyKeyEveryKey) {
  const Taint taint{"k", "v", TaintEffect::kNoSchedule};
  EXPECT_TRUE(Tolerates(Exists("k"), taint));
  EXPECT_TRUE(Tolerates(Exists(""), taint));
  EXPECT_FALSE(Tolerates(Exists("m"), taint));
}

TEST(TolerationTest, AnAbsentEffectTakesEveryEffectAndAGivenOneOnlyItself) {
  const Taint taint{"k", "v", TaintEffect::kNoExecute};
  EXPECT_TRUE(Tolerates(Exists("k"), taint));
  EXPECT_TRUE(Tolerates(Exists("k", TaintEffect::kNoExecute), taint));
  EXPECT_FALSE(Tolerates(Exists("k", TaintEffect::kNoSchedule), taint));
}

TEST(TolerationTest, LtAndGtCompareTheTaintsValueWithTheTolerations) {
  const auto tolerates = [](TolerationOperator op, const std::string& bound,
                            const std::string& value) {
    return Tolerates(Toleration{"k", op, bound, std::nullopt},
                     Taint{"k", value, TaintEffect::kNoSchedule});
  };
  EXPECT_TRUE(tolerates(TolerationOperator::kLt, "10", "9"));
  EXPECT_FALSE(tolerates(TolerationOperator::kLt, "10", "10"));
  EXPECT_FALSE(tolerates(TolerationOperator::kLt, "10", "11"));
  EXPECT_TRUE(tolerates(TolerationOperator::kGt, "10", "11"));
  EXPECT_FALSE(tolerates(TolerationOperator::kGt, "10", "10"));
  EXPECT_FALSE(tolerates(TolerationOperator::kGt, "10", "9"));
}

TEST(TolerationTest, LtAndGtTakeCanonicalIntegersOnly) {
  const auto tolerates = [](const std::string& bound, const std::string& value) {
    return Tolerates(Toleration{"k", TolerationOperator::kGt, bound, std::nullopt},
                     Taint{"k", value, TaintEffect::kNoSchedule});
  };
  EXPECT_TRUE(tolerates("-5", "0"));
  EXPECT_TRUE(tolerates("0", "9223372036854775807"));
  EXPECT_FALSE(tolerates("0", "9223372036854775808"));
  for (const std::string value : {"", "07", "+7", "7.0", " 7", "-", "x"}) {
    EXPECT_FALSE(tolerates("0", value)) << value;
    EXPECT_FALSE(tolerates(value, "9")) << value;
  }
  EXPECT_FALSE(tolerates("-0", "9"));
}

TolerationOperator ParseTolerationOperator(const std::string& text) {
  if (text == "Equal") return TolerationOperator::kEqual;
  if (text == "Exists") return TolerationOperator::kExists;
  return text == "Lt" ? TolerationOperator::kLt : TolerationOperator::kGt;
}

TaintEffect ParseEffect(const std::string& text) {
  if (text == "NoSchedule") return TaintEffect::kNoSchedule;
  return text == "NoExecute" ? TaintEffect::kNoExecute : TaintEffect::kPreferNoSchedule;
}

TEST(TolerationTest, EveryCaseOfTheTableIsAnsweredAsKubernetesAnswersIt) {
  for (const TableCase& c : ReadCases("tolerations.txt", 8)) {
    const Taint taint{c.fields[0], c.fields[1], ParseEffect(c.fields[2])};
    Toleration toleration{c.fields[3], ParseTolerationOperator(c.fields[4]), c.fields[5], {}};
    if (c.fields[6] != "-") toleration.effect = ParseEffect(c.fields[6]);
    EXPECT_EQ(Tolerates(toleration, taint), c.fields[7] == "1") << c.line;
  }
}

TEST(NodeAffinityTest, EveryLabelOfTheNodeSelectorMustBeThere) {
  PodSpec pod;
  pod.node_selector = {{"disk", "ssd"}, {"zone", ""}};
  Node node;
  node.labels = {{"disk", "ssd"}, {"zone", ""}};
  EXPECT_FALSE(CheckNodeAffinity(pod, node).has_value());
  node.labels = {{"disk", "ssd"}};
  EXPECT_EQ(CheckNodeAffinity(pod, node)->rule, NodeRule::kNodeAffinity);
  node.labels = {{"disk", "hdd"}, {"zone", ""}};
  EXPECT_TRUE(CheckNodeAffinity(pod, node).has_value());
}

TEST(NodeAffinityTest, NodeSelectorAndRequiredAffinityMustBothMatch) {
  PodSpec pod;
  pod.node_selector = {{"disk", "ssd"}};
  pod.required_node_affinity = {NodeSelectorTerm{ParseRequirements("zone In a"), {}}};
  Node node;
  node.labels = {{"disk", "ssd"}, {"zone", "a"}};
  EXPECT_FALSE(CheckNodeAffinity(pod, node).has_value());
  node.labels = {{"disk", "ssd"}, {"zone", "b"}};
  EXPECT_TRUE(CheckNodeAffinity(pod, node).has_value());
  node.labels = {{"disk", "hdd"}, {"zone", "a"}};
  EXPECT_TRUE(CheckNodeAffinity(pod, node).has_value());
}

TEST(NodeAffinityTest, AbsentAffinityAllowsEveryNodeAndAnEmptyOneNone) {
  PodSpec pod;
  EXPECT_FALSE(CheckNodeAffinity(pod, Node{}).has_value());
  pod.required_node_affinity.emplace();
  EXPECT_TRUE(CheckNodeAffinity(pod, Node{}).has_value());
}

TEST(ResourcesTest, ExactlyWhatIsFreeFitsAndOneMoreIsNamedWithItsNumbers) {
  ResourceTable table;
  const ResourceVector free = table.ToVector({{"cpu", 4000}, {"nvidia.com/gpu", 4}});
  const ResourceVector exact = table.ToVector({{"cpu", 4000}, {"nvidia.com/gpu", 4}});
  EXPECT_FALSE(CheckResources(exact, free, table).has_value());
  const ResourceVector more = table.ToVector({{"cpu", 4000}, {"nvidia.com/gpu", 5}});
  const auto rejection = CheckResources(more, free, table);
  ASSERT_TRUE(rejection.has_value());
  EXPECT_EQ(rejection->rule, NodeRule::kResource);
  EXPECT_EQ(rejection->subject, "nvidia.com/gpu");
  EXPECT_EQ(rejection->requested, 5);
  EXPECT_EQ(rejection->free, 4);
}

TEST(ResourcesTest, TheFirstShortResourceInTheOrderOfIdsIsNamed) {
  ResourceTable table;
  const ResourceVector request = table.ToVector({{"a.example/x", 1}, {"memory", 2}, {"cpu", 1}});
  const ResourceVector free = table.ToVector({{"cpu", 1}});
  EXPECT_EQ(CheckResources(request, free, table)->subject, "memory");
}

TEST(ResourcesTest, ARequestOfZeroFitsOnANodeWithNothingFree) {
  ResourceTable table;
  const ResourceVector request = table.ToVector({{"cpu", 0}, {"nvidia.com/gpu", 0}});
  EXPECT_FALSE(CheckResources(request, ResourceVector{}, table).has_value());
  EXPECT_FALSE(CheckResources(request, ResourceVector{-1}, table).has_value());
}

TEST(ResourcesTest, WithoutAFreePodSlotEvenAPodThatRequestsNothingIsRefused) {
  ResourceTable table;
  const ResourceVector request = table.ToVector({{"pods", 1}});
  EXPECT_FALSE(CheckResources(request, table.ToVector({{"pods", 1}}), table).has_value());
  const auto rejection = CheckResources(request, table.ToVector({{"pods", 0}}), table);
  ASSERT_TRUE(rejection.has_value());
  EXPECT_EQ(rejection->subject, "pods");
}

TEST(ResourcesTest, ANodeThatLostItsGpusStillTakesAPodThatWantsNone) {
  ResourceTable table;
  const ResourceVector free = FreeOf(table.ToVector({{"cpu", 4000}, {"nvidia.com/gpu", 0}}),
                                     table.ToVector({{"cpu", 1000}, {"nvidia.com/gpu", 8}}));
  EXPECT_FALSE(CheckResources(table.ToVector({{"cpu", 3000}}), free, table).has_value());
  const auto rejection = CheckResources(table.ToVector({{"nvidia.com/gpu", 1}}), free, table);
  ASSERT_TRUE(rejection.has_value());
  EXPECT_EQ(rejection->free, 0);
}

TEST(HostPortsTest, PortAndProtocolMustBeTheSameToConflict) {
  const HostPort port{"0.0.0.0", "TCP", 80};
  EXPECT_TRUE(HostPortsConflict(port, {"0.0.0.0", "TCP", 80}));
  EXPECT_FALSE(HostPortsConflict(port, {"0.0.0.0", "TCP", 81}));
  EXPECT_FALSE(HostPortsConflict(port, {"0.0.0.0", "UDP", 80}));
}

TEST(HostPortsTest, OneAddressConflictsWithItselfAndWithEveryAddress) {
  const HostPort port{"10.0.0.1", "TCP", 80};
  EXPECT_TRUE(HostPortsConflict(port, {"10.0.0.1", "TCP", 80}));
  EXPECT_FALSE(HostPortsConflict(port, {"10.0.0.2", "TCP", 80}));
  EXPECT_TRUE(HostPortsConflict(port, {"0.0.0.0", "TCP", 80}));
  EXPECT_TRUE(HostPortsConflict({"0.0.0.0", "TCP", 80}, port));
  EXPECT_FALSE(HostPortsConflict(port, {"::", "TCP", 80}));
}

TEST(HostPortsTest, TheFirstWantedPortInUseIsNamed) {
  const std::vector<HostPort> used = {{"0.0.0.0", "TCP", 80}, {"0.0.0.0", "UDP", 53}};
  EXPECT_FALSE(CheckHostPorts({}, used).has_value());
  EXPECT_FALSE(CheckHostPorts({{"0.0.0.0", "TCP", 53}}, used).has_value());
  const auto rejection =
      CheckHostPorts({{"0.0.0.0", "TCP", 53}, {"", "UDP", 53}, {"", "", 80}}, used);
  ASSERT_TRUE(rejection.has_value());
  EXPECT_EQ(rejection->rule, NodeRule::kHostPort);
  EXPECT_EQ(rejection->subject, "UDP/53");
  EXPECT_EQ(CheckHostPorts({{"", "", 80}}, used)->subject, "TCP/80");
}

std::vector<HostPort> ParsePorts(const std::string& text) {
  std::vector<HostPort> ports;
  for (const std::string& entry : ParseList(text, ' ')) {
    const std::vector<std::string> parts = ParseList(entry, ',');
    ports.push_back({parts.at(0), parts.at(1), std::atoi(parts.at(2).c_str())});
  }
  return ports;
}

TEST(HostPortsTest, EveryCaseOfTheTableIsAnsweredAsKubernetesAnswersIt) {
  for (const TableCase& c : ReadCases("host_ports.txt", 3)) {
    const auto rejection = CheckHostPorts(ParsePorts(c.fields[0]), ParsePorts(c.fields[1]));
    EXPECT_EQ(rejection.has_value(), c.fields[2] == "1") << c.line;
  }
}

TEST(NodeObjectTest, TheFirstBrokenRuleIsReportedUnschedulableThenTaintsThenAffinity) {
  PodSpec pod;
  pod.node_selector = {{"zone", "a"}};
  Node node = NodeWithTaints({{"k", "", TaintEffect::kNoSchedule}});
  node.unschedulable = true;
  EXPECT_EQ(CheckNodeObject(pod, node)->rule, NodeRule::kUnschedulable);
  node.unschedulable = false;
  EXPECT_EQ(CheckNodeObject(pod, node)->rule, NodeRule::kTaint);
  node.taints.clear();
  EXPECT_EQ(CheckNodeObject(pod, node)->rule, NodeRule::kNodeAffinity);
  node.labels = {{"zone", "a"}};
  EXPECT_FALSE(CheckNodeObject(pod, node).has_value());
}

}  // namespace
}  // namespace gangpack
