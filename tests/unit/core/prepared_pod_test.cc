#include "core/prepared_pod.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "core/pod.h"
#include "tests/support/object_builders.h"
#include "tests/unit/core/rule_cluster.h"

namespace gangpack {
namespace {

TEST(PreparedPodTest, AffinityNeedsASelectedPodInTheNodesValue) {
  RuleCluster cluster;
  cluster.Place(App("web", "web"), "a1");
  const Pod pod = PodBuilder("p").Affinity(TermFor(kRack, "app", "web"));
  EXPECT_EQ(cluster.Rule(pod, "a2"), std::nullopt);
  EXPECT_EQ(cluster.Rule(pod, "b1"), PodRule::kAffinity);
}

TEST(PreparedPodTest, AffinityFailsOnANodeWithoutTheKey) {
  RuleCluster cluster;
  cluster.Place(App("web", "web"), "a1");
  const Pod pod = PodBuilder("p").Affinity(TermFor(kRack, "app", "web"));
  EXPECT_EQ(cluster.Rule(pod, "bare"), PodRule::kAffinityKey);
}

TEST(PreparedPodTest, SeveralAffinityTermsCountOnlyPodsThatAllOfThemSelect) {
  RuleCluster cluster;
  cluster.Place(App("web", "web"), "a1");
  cluster.Place(PodBuilder("blue").Label("color", "blue"), "a1");
  const Pod pod = PodBuilder("p")
                      .Affinity(TermFor(kRack, "app", "web"))
                      .Affinity(TermFor(kRack, "color", "blue"));
  EXPECT_EQ(cluster.Rule(pod, "a2"), PodRule::kAffinity);
  cluster.Place(App("both", "web").Label("color", "blue"), "b1");
  EXPECT_EQ(cluster.Rule(pod, "b2"), std::nullopt);
  EXPECT_EQ(cluster.Rule(pod, "a2"), PodRule::kAffinity);
}

TEST(PreparedPodTest, TheFirstOfItsKindMayGoAnywhereThatHasTheKeys) {
  RuleCluster cluster;
  const Pod pod = App("p", "web").Affinity(TermFor(kRack, "app", "web"));
  EXPECT_EQ(cluster.Rule(pod, "a1"), std::nullopt);
  EXPECT_EQ(cluster.Rule(pod, "b1"), std::nullopt);
  EXPECT_EQ(cluster.Rule(pod, "bare"), PodRule::kAffinityKey);
}

TEST(PreparedPodTest, APodThatDoesNotSelectItselfIsNoFirstOfItsKind) {
  RuleCluster cluster;
  const Pod pod = App("p", "db").Affinity(TermFor(kRack, "app", "web"));
  EXPECT_EQ(cluster.Rule(pod, "a1"), PodRule::kAffinity);
}

TEST(PreparedPodTest, TheSecondOfItsKindGoesToTheFirst) {
  RuleCluster cluster;
  cluster.Place(App("first", "web"), "a1");
  const Pod pod = App("p", "web").Affinity(TermFor(kRack, "app", "web"));
  EXPECT_EQ(cluster.Rule(pod, "a2"), std::nullopt);
  EXPECT_EQ(cluster.Rule(pod, "b1"), PodRule::kAffinity);
}

TEST(PreparedPodTest, ASelectedPodOnANodeWithoutAnyOfTheKeysLeavesTheException) {
  RuleCluster cluster;
  cluster.Place(App("first", "web"), "bare");
  const Pod pod = App("p", "web").Affinity(TermFor(kRack, "app", "web"));
  EXPECT_EQ(cluster.Rule(pod, "b1"), std::nullopt);
}

TEST(PreparedPodTest, ASelectedPodOnANodeWithOneOfTheKeysEndsTheException) {
  RuleCluster cluster;
  cluster.Set(NodeBuilder("zonal").Label(kZone, "z"));
  cluster.Place(App("first", "web"), "zonal");
  const Pod pod =
      App("p", "web").Affinity(TermFor(kRack, "app", "web")).Affinity(TermFor(kZone, "app", "web"));
  EXPECT_EQ(cluster.Rule(pod, "b1"), PodRule::kAffinity);
}

TEST(PreparedPodTest, AntiAffinityKeepsThePodFromTheValueAndNamesTheFirstPodThere) {
  RuleCluster cluster;
  cluster.Place(App("web-2", "web"), "a1");
  cluster.Place(App("web-1", "web"), "a2");
  const Pod pod = PodBuilder("p").AntiAffinity(TermFor(kRack, "app", "web"));
  PodRuleRejection expected;
  expected.rule = PodRule::kAntiAffinity;
  expected.key = "rack";
  expected.value = "a";
  expected.pod = NamespacedName{"ns", "web-1"};
  EXPECT_EQ(cluster.Check(pod, "a1"), expected);
  EXPECT_EQ(cluster.Check(pod, "b1"), std::nullopt);
  EXPECT_EQ(cluster.Check(pod, "bare"), std::nullopt);
}

TEST(PreparedPodTest, AnAntiAffinityTermOfAPlacedPodKeepsOutThePodsThatItSelects) {
  RuleCluster cluster;
  cluster.Place(PodBuilder("loner").AntiAffinity(TermFor(kRack, "app", "web")), "a1");
  PodRuleRejection expected;
  expected.rule = PodRule::kOtherAntiAffinity;
  expected.key = "rack";
  expected.value = "a";
  expected.pod = NamespacedName{"ns", "loner"};
  EXPECT_EQ(cluster.Check(App("p", "web"), "a2"), expected);
  EXPECT_EQ(cluster.Check(App("q", "db"), "a2"), std::nullopt);
  EXPECT_EQ(cluster.Check(App("p", "web"), "b1"), std::nullopt);
}

TEST(PreparedPodTest, AWaitingPodsTermKeepsNobodyOut) {
  RuleCluster cluster;
  cluster.Wait(PodBuilder("loner").AntiAffinity(TermFor(kRack, "app", "web")));
  EXPECT_EQ(cluster.Rule(App("p", "web"), "a2"), std::nullopt);
}

TEST(PreparedPodTest, ManyTermsThatKeepThePodOutAreAllHonored) {
  RuleCluster cluster;
  // More than are looked at one by one: each tenant repels all others from its own rack.
  const int tenants = static_cast<int>(PreparedPod::kListedMax) + 3;
  for (int i = 0; i < tenants; ++i) {
    const std::string name = absl::StrCat("t", i);
    cluster.Set(NodeBuilder(name).Rack(name));
    PodAffinityTerm term;
    term.topology_key = "rack";
    term.selector = LabelSelector{
        {{"tenant", SelectorOperator::kExists, {}}, {"tenant", SelectorOperator::kNotIn, {name}}}};
    cluster.Place(PodBuilder(name).Label("tenant", name).AntiAffinity(term), name);
  }
  const Pod pod = PodBuilder("p").Label("tenant", "t3");
  for (int i = 0; i < tenants; ++i) {
    const std::string name = absl::StrCat("t", i);
    const auto rejection = cluster.Check(pod, name);
    ASSERT_EQ(rejection.has_value(), i != 3) << i;
    if (!rejection.has_value()) continue;
    EXPECT_EQ(rejection->pod->name, name);
  }
  EXPECT_EQ(cluster.Rule(pod, "a1"), std::nullopt);
}

TEST(PreparedPodTest, APlacedPodIsNotCountedAgainstItself) {
  RuleCluster cluster;
  const Pod pod = App("p", "web")
                      .Affinity(TermFor(kRack, "app", "web"))
                      .AntiAffinity(TermFor(kHostnameLabel, "app", "web"));
  cluster.Place(pod, "a1");
  const PreparedPod prepared = cluster.rules().Prepare(pod.uid);
  EXPECT_TRUE(prepared.Allows(cluster.Index("a1")));
  EXPECT_TRUE(prepared.Allows(cluster.Index("b1")));  // still the first of its kind
  EXPECT_TRUE(prepared.first_of_its_kind());
}

TEST(PreparedPodTest, AnEmptyLabelIsAValueLikeAnyOther) {
  RuleCluster cluster;
  cluster.Set(NodeBuilder("e1").Rack(""));
  cluster.Set(NodeBuilder("e2").Rack(""));
  cluster.Place(App("web", "web"), "e1");
  EXPECT_EQ(cluster.Rule(PodBuilder("p").AntiAffinity(TermFor(kRack, "app", "web")), "e2"),
            PodRule::kAntiAffinity);
  EXPECT_EQ(cluster.Rule(PodBuilder("q").Affinity(TermFor(kRack, "app", "web")), "e2"),
            std::nullopt);
}

TEST(PreparedPodTest, APodWithoutRulesOnWhichNoRuleBearsSaysSo) {
  RuleCluster cluster;
  cluster.Place(PodBuilder("loner").AntiAffinity(TermFor(kRack, "app", "web")), "a1");
  cluster.rules().SetPod(App("p", "db"), kNoNode);
  cluster.rules().SetPod(App("q", "web"), kNoNode);
  EXPECT_FALSE(cluster.rules().Prepare({"uid-p"}).has_rules());
  EXPECT_TRUE(cluster.rules().Prepare({"uid-q"}).has_rules());
}

}  // namespace
}  // namespace gangpack
