#include "core/topology_spread.h"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/pod.h"
#include "core/pod_rules.h"
#include "tests/support/object_builders.h"

namespace gangpack {
namespace {

TopologySpreadConstraint Over(absl::string_view key, int max_skew = 1) {
  TopologySpreadConstraint constraint;
  constraint.topology_key = std::string(key);
  constraint.max_skew = max_skew;
  constraint.selector = LabelSelector{{{"app", SelectorOperator::kIn, {"web"}}}};
  return constraint;
}

// Racks a, b and c with two nodes each (a1, a2, ...), all empty at first.
class TopologySpreadTest : public testing::Test {
 protected:
  TopologySpreadTest() {
    for (const char* name : {"a1", "a2", "b1", "b2", "c1", "c2"}) Set(Labelled(name));
  }

  static NodeBuilder Labelled(const std::string& name) {
    return NodeBuilder(name).Rack(name.substr(0, 1));
  }
  void Set(const Node& node) {
    const auto [it, inserted] =
        indexes_.try_emplace(node.name, static_cast<NodeIndex>(indexes_.size()));
    nodes_[node.name] = node;
    rules_.SetNode(it->second, nodes_[node.name]);
  }
  void Remove(const std::string& node) { rules_.RemoveNode(indexes_.at(node)); }

  void Place(const Pod& pod, const std::string& node) { rules_.SetPod(pod, indexes_.at(node)); }
  void PlaceWeb(const std::string& name, const std::string& node) {
    Place(PodBuilder(name).Label("app", "web"), node);
  }

  // The pod that is checked is an app=web with the constraints, which is not placed.
  static Pod Waiting(std::vector<TopologySpreadConstraint> constraints) {
    Pod pod = PodBuilder("p").Label("app", "web");
    pod.spec.topology_spread = std::move(constraints);
    return pod;
  }
  std::optional<PodRuleRejection> Check(const Pod& pod, const std::string& node) {
    rules_.SetPod(pod, kNoNode);
    return rules_.Prepare(pod.uid).Check(indexes_.at(node));
  }
  std::string Allowed(const Pod& pod) {
    std::string allowed;
    for (const auto& [name, index] : indexes_) {
      if (!Check(pod, name).has_value())
        absl::StrAppend(&allowed, allowed.empty() ? "" : " ", name);
    }
    return allowed;
  }

  PodRules rules_;
  std::map<std::string, NodeIndex> indexes_;
  std::map<std::string, Node> nodes_;
};

TEST_F(TopologySpreadTest, OneMoreMayNotExceedTheLeastByMoreThanMaxSkew) {
  PlaceWeb("w1", "a1");
  EXPECT_EQ(Allowed(Waiting({Over(kRack)})), "b1 b2 c1 c2");
  EXPECT_EQ(Allowed(Waiting({Over(kRack, 2)})), "a1 a2 b1 b2 c1 c2");
  PlaceWeb("w2", "a2");
  EXPECT_EQ(Allowed(Waiting({Over(kRack, 2)})), "b1 b2 c1 c2");
}

TEST_F(TopologySpreadTest, ARejectionTellsTheCountsBehindIt) {
  PlaceWeb("w1", "a1");
  PlaceWeb("w2", "a2");
  for (const char* node : {"b1", "c1"}) PlaceWeb(absl::StrCat("on-", node), node);
  PodRuleRejection expected;
  expected.rule = PodRule::kSpread;
  expected.key = "rack";
  expected.value = "a";
  expected.count = 2;
  expected.least = 1;
  expected.max_skew = 1;
  EXPECT_EQ(Check(Waiting({Over(kRack)}), "a2"), expected);
}

TEST_F(TopologySpreadTest, TheLeastRisesWithTheLastDomainThatHasIt) {
  for (const char* node : {"a1", "b1", "c1"}) PlaceWeb(absl::StrCat("on-", node), node);
  EXPECT_EQ(Allowed(Waiting({Over(kRack)})), "a1 a2 b1 b2 c1 c2");
  rules_.RemovePod({"uid-on-c1"});
  EXPECT_EQ(Allowed(Waiting({Over(kRack)})), "c1 c2");
}

TEST_F(TopologySpreadTest, APodThatDoesNotMatchItselfAddsNothing) {
  PlaceWeb("w1", "a1");
  Pod pod = Waiting({Over(kRack)});
  pod.labels["app"] = "db";
  EXPECT_EQ(Allowed(pod), "a1 a2 b1 b2 c1 c2");
  PlaceWeb("w2", "a1");
  EXPECT_EQ(Allowed(pod), "b1 b2 c1 c2");
}

TEST_F(TopologySpreadTest, ANodeWithoutTheKeyIsRefusedAndCountsForNothing) {
  Set(NodeBuilder("bare"));
  PlaceWeb("w1", "bare");
  EXPECT_EQ(Allowed(Waiting({Over(kRack)})), "a1 a2 b1 b2 c1 c2");
  EXPECT_EQ(Check(Waiting({Over(kRack)}), "bare")->rule, PodRule::kSpreadKey);
}

TEST_F(TopologySpreadTest, ANodeMustCarryTheKeysOfAllConstraintsToCountForAny) {
  for (const char* name : {"a1", "b1"}) Set(Labelled(name).Label("zone", "z"));
  PlaceWeb("w1", "a2");  // without a zone: not counted, and rack c is no domain
  EXPECT_EQ(Allowed(Waiting({Over(kRack), Over("zone", 5)})), "a1 b1");
  PlaceWeb("w2", "a1");
  EXPECT_EQ(Allowed(Waiting({Over(kRack), Over("zone", 5)})), "b1");
  PlaceWeb("w3", "b1");  // the least is now 1: empty rack c does not hold it at 0
  EXPECT_EQ(Allowed(Waiting({Over(kRack), Over("zone", 5)})), "a1 b1");
}

TEST_F(TopologySpreadTest, SeveralConstraintsMustAllHold) {
  PlaceWeb("w1", "a1");
  PlaceWeb("w2", "b1");
  PlaceWeb("w3", "c1");
  EXPECT_EQ(Allowed(Waiting({Over(kRack), Over(kHostnameLabel)})), "a2 b2 c2");
}

TEST_F(TopologySpreadTest, WithFewerDomainsThanMinDomainsTheLeastIsZero) {
  for (const char* node : {"a1", "b1", "c1"}) PlaceWeb(absl::StrCat("on-", node), node);
  TopologySpreadConstraint constraint = Over(kRack);
  constraint.min_domains = 3;
  EXPECT_EQ(Allowed(Waiting({constraint})), "a1 a2 b1 b2 c1 c2");
  constraint.min_domains = 4;
  EXPECT_EQ(Allowed(Waiting({constraint})), "");
  Set(NodeBuilder("d1").Rack("d"));
  EXPECT_EQ(Allowed(Waiting({constraint})), "d1");
}

TEST_F(TopologySpreadTest, TerminatingPodsAndOtherNamespacesDoNotCount) {
  Place(PodBuilder("w1").Label("app", "web").Terminating(), "a1");
  Place(PodBuilder("w2").Label("app", "web").Namespace("other"), "a1");
  EXPECT_EQ(Allowed(Waiting({Over(kRack)})), "a1 a2 b1 b2 c1 c2");
  Place(PodBuilder("w1").Label("app", "web"), "a1");
  EXPECT_EQ(Allowed(Waiting({Over(kRack)})), "b1 b2 c1 c2");
}

TEST_F(TopologySpreadTest, AnAbsentAndAnEmptySelectorCountNoPod) {
  PlaceWeb("w1", "a1");
  TopologySpreadConstraint constraint = Over(kRack);
  constraint.selector = LabelSelector{};
  EXPECT_EQ(Allowed(Waiting({constraint})), "a1 a2 b1 b2 c1 c2");
  constraint.selector.reset();
  EXPECT_EQ(Allowed(Waiting({constraint})), "a1 a2 b1 b2 c1 c2");
}

TEST_F(TopologySpreadTest, MatchLabelKeysCountThePodsOwnValueOnly) {
  TopologySpreadConstraint constraint = Over(kRack);
  constraint.match_label_keys = {"rev", "not-there"};
  Pod pod = Waiting({constraint});
  pod.labels["rev"] = "2";
  Place(PodBuilder("w1").Label("app", "web").Label("rev", "1"), "a1");
  EXPECT_EQ(Allowed(pod), "a1 a2 b1 b2 c1 c2");
  Place(PodBuilder("w2").Label("app", "web").Label("rev", "2"), "a1");
  EXPECT_EQ(Allowed(pod), "b1 b2 c1 c2");
}

TEST_F(TopologySpreadTest, NodesThatThePodsOwnRulesExcludeCountUnlessIgnored) {
  for (const char* name : {"a1", "b1"}) Set(Labelled(name).Label("pool", "x"));
  PlaceWeb("w1", "a1");
  PlaceWeb("w2", "b1");
  TopologySpreadConstraint constraint = Over(kRack);
  Pod pod = Waiting({constraint});
  pod.spec.node_selector["pool"] = "x";
  // Rack c has no node for the pod, so it is no domain, and the least is 1.
  EXPECT_EQ(Check(pod, "a1"), std::nullopt);
  pod.spec.topology_spread[0].honor_node_affinity = false;
  EXPECT_EQ(Check(pod, "a1")->rule, PodRule::kSpread);
}

TEST_F(TopologySpreadTest, TaintedNodesCountUnlessTaintsAreHonored) {
  for (const char* name : {"c1", "c2"}) Set(Labelled(name).Tainted("busy"));
  PlaceWeb("w1", "a1");
  PlaceWeb("w2", "b1");
  TopologySpreadConstraint constraint = Over(kRack);
  EXPECT_EQ(Check(Waiting({constraint}), "a1")->rule, PodRule::kSpread);
  constraint.honor_taints = true;
  EXPECT_EQ(Check(Waiting({constraint}), "a1"), std::nullopt);
  Pod tolerant = Waiting({constraint});
  tolerant.spec.tolerations.push_back({"busy", TolerationOperator::kExists, "", {}});
  EXPECT_EQ(Check(tolerant, "a1")->rule, PodRule::kSpread);
  // Taken off, the taint no longer hides the empty rack.
  Set(Labelled("c1"));
  EXPECT_EQ(Check(Waiting({constraint}), "a1")->rule, PodRule::kSpread);
}

TEST_F(TopologySpreadTest, ANodeThatGoesTakesItsPodsAndItsDomainWithIt) {
  PlaceWeb("w1", "a1");
  PlaceWeb("w2", "b1");
  EXPECT_EQ(Allowed(Waiting({Over(kRack)})), "c1 c2");
  Remove("c1");
  Remove("c2");
  EXPECT_EQ(Check(Waiting({Over(kRack)}), "a1"), std::nullopt);
  Remove("b1");
  EXPECT_EQ(Check(Waiting({Over(kRack)}), "a1")->rule, PodRule::kSpread);
  EXPECT_EQ(Check(Waiting({Over(kRack)}), "b2"), std::nullopt);
}

TEST_F(TopologySpreadTest, APlacedPodIsCheckedAsIfItWereNotThere) {
  const Pod pod = Waiting({Over(kRack)});
  Place(pod, "a1");
  EXPECT_TRUE(rules_.Prepare(pod.uid).Allows(indexes_.at("a2")));
  PlaceWeb("w1", "a2");
  EXPECT_FALSE(rules_.Prepare(pod.uid).Allows(indexes_.at("a2")));
  for (const char* node : {"b1", "c1"}) PlaceWeb(absl::StrCat("on-", node), node);
  // Without itself every rack has one.
  EXPECT_TRUE(rules_.Prepare(pod.uid).Allows(indexes_.at("a2")));
  EXPECT_TRUE(rules_.Prepare(pod.uid).Allows(indexes_.at("b2")));
}

TEST_F(TopologySpreadTest, TheSameConstraintIsCountedOnceAndForgottenWithItsLastPod) {
  for (int i = 0; i < 5; ++i) {
    Pod pod = Waiting({Over(kRack), Over(kHostnameLabel)});
    pod.uid = {absl::StrCat("u", i)};
    rules_.SetPod(pod, kNoNode);
  }
  EXPECT_EQ(rules_.spread().queries(), 2u);
  EXPECT_EQ(rules_.spread().eligibilities(), 1u);
  for (int i = 0; i < 5; ++i) rules_.RemovePod({absl::StrCat("u", i)});
  EXPECT_EQ(rules_.spread().queries(), 0u);
  EXPECT_EQ(rules_.spread().eligibilities(), 0u);
}

TEST_F(TopologySpreadTest, NeitherCheckingNorPlacingLooksAtNodes) {
  Pod pod = Waiting({Over(kRack)});
  pod.spec.node_selector["pool"] = "x";
  rules_.SetPod(pod, kNoNode);
  const int64_t nodes = rules_.spread().nodes_evaluated();
  const int64_t counts = rules_.spread().counts_changed();
  PlaceWeb("w1", "a1");                              // not eligible: changes no count
  Place(PodBuilder("d1").Label("app", "db"), "a1");  // not selected: changes no count
  Allowed(pod);
  EXPECT_EQ(rules_.spread().nodes_evaluated(), nodes);
  EXPECT_EQ(rules_.spread().counts_changed(), counts);
  Set(Labelled("a1").Label("pool", "x"));
  EXPECT_LE(rules_.spread().nodes_evaluated() - nodes, 2);
  EXPECT_EQ(rules_.spread().counts_changed(), counts + 1);
}

}  // namespace
}  // namespace gangpack
