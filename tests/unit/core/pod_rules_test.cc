#include "core/pod_rules.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "core/pod.h"
#include "tests/support/object_builders.h"
#include "tests/unit/core/rule_cluster.h"

namespace gangpack {
namespace {

TEST(PodRulesTest, TerminatingPodsCountForTerms) {
  RuleCluster cluster;
  cluster.Place(App("web", "web").Terminating(), "a1");
  EXPECT_EQ(cluster.Rule(PodBuilder("p").AntiAffinity(TermFor(kRack, "app", "web")), "a2"),
            PodRule::kAntiAffinity);
}

TEST(PodRulesTest, APodThatIsRemovedMovedOrRelabelledCountsNoMore) {
  RuleCluster cluster;
  const Pod pod = PodBuilder("p").AntiAffinity(TermFor(kRack, "app", "web"));
  cluster.Place(App("web", "web"), "a1");
  EXPECT_EQ(cluster.Rule(pod, "a2"), PodRule::kAntiAffinity);
  cluster.Place(App("web", "web"), "b1");
  EXPECT_EQ(cluster.Rule(pod, "a2"), std::nullopt);
  EXPECT_EQ(cluster.Rule(pod, "b2"), PodRule::kAntiAffinity);
  cluster.Place(App("web", "db"), "b1");
  EXPECT_EQ(cluster.Rule(pod, "b2"), std::nullopt);
  cluster.Place(App("web", "web"), "b1");
  EXPECT_EQ(cluster.Rule(pod, "b2"), PodRule::kAntiAffinity);
  cluster.rules().RemovePod({"uid-web"});
  EXPECT_EQ(cluster.Rule(pod, "b2"), std::nullopt);
}

TEST(PodRulesTest, APodCountsWhereItsNodeIsLabelledNowAndNowhereWhileThatIsGone) {
  RuleCluster cluster;
  const Pod pod = PodBuilder("p").AntiAffinity(TermFor(kRack, "app", "web"));
  cluster.Place(App("web", "web"), "a1");
  cluster.Set(NodeBuilder("a1").Rack("b"));
  EXPECT_EQ(cluster.Rule(pod, "a2"), std::nullopt);
  EXPECT_EQ(cluster.Rule(pod, "b1"), PodRule::kAntiAffinity);
  cluster.Remove("a1");
  EXPECT_EQ(cluster.Rule(pod, "b1"), std::nullopt);
  cluster.Set(NodeBuilder("a1").Rack("a"));
  EXPECT_EQ(cluster.Rule(pod, "a2"), PodRule::kAntiAffinity);
}

TEST(PodRulesTest, ANamespaceThatIsRelabelledIsSelectedAnewBothWays) {
  RuleCluster cluster;
  PodAffinityTerm term = TermFor(kRack, "app", "web");
  term.namespace_selector = LabelSelector{{{"team", SelectorOperator::kIn, {"red"}}}};
  const Pod pod = PodBuilder("p").AntiAffinity(term);
  const Pod web = App("web", "web").Namespace("other");
  cluster.Place(web, "a1");
  EXPECT_EQ(cluster.Rule(pod, "a2"), std::nullopt);
  cluster.rules().SetNamespace("other", {{"team", "red"}});
  EXPECT_EQ(cluster.Rule(pod, "a2"), PodRule::kAntiAffinity);
  cluster.Place(pod, "b1");
  cluster.Wait(web);
  EXPECT_EQ(cluster.Rule(web, "b2"), PodRule::kOtherAntiAffinity);
  cluster.rules().RemoveNamespace("other");
  EXPECT_EQ(cluster.Rule(web, "b2"), std::nullopt);
}

TEST(PodRulesTest, ASetPodThatChangesNothingSaysSo) {
  RuleCluster cluster;
  const Pod pod = App("p", "web").Affinity(TermFor(kRack, "app", "web"));
  EXPECT_TRUE(cluster.rules().SetPod(pod, 0));
  const int64_t before = cluster.rules().terms().counts_changed();
  EXPECT_FALSE(cluster.rules().SetPod(pod, 0));
  EXPECT_EQ(cluster.rules().terms().counts_changed(), before);
  EXPECT_TRUE(cluster.rules().SetPod(pod, 1));
}

TEST(PodRulesTest, AWatchTellsTheValuesWhereAnAnswerMayHaveChangedAndNoOthers) {
  RuleCluster cluster;
  const Pod pod = App("p", "web").AntiAffinity(TermFor(kRack, "app", "db"));
  cluster.Wait(pod);
  RuleWatch watch = cluster.rules().Watch({&pod.uid, 1});
  const auto stale = [&] {
    const RuleStaleness staleness = cluster.rules().CatchUp(&watch);
    std::string racks = staleness.everything ? "everything" : "";
    for (const RuleChange& change : staleness.changes) {
      racks += cluster.rules().values().ValueName(change.key, change.value);
    }
    return racks;
  };
  EXPECT_EQ(stale(), "");
  cluster.Place(App("db-1", "db"), "a1");
  EXPECT_EQ(stale(), "a");
  cluster.Place(App("db-2", "db"), "a2");    // it was above zero there
  cluster.Place(App("web-2", "web"), "b1");  // nothing that the pod selects
  EXPECT_EQ(stale(), "");
  // A term that is new since the watch was made, and selects the pod.
  const Pod loner = PodBuilder("loner").AntiAffinity(TermFor(kRack, "app", "web"));
  cluster.Wait(loner);
  EXPECT_EQ(stale(), "");
  cluster.Place(loner, "b2");
  EXPECT_EQ(stale(), "b");
  cluster.rules().RemovePod(loner.uid);
  EXPECT_EQ(stale(), "b");
}

TEST(PodRulesTest, TheFirstPodOfAKindMakesEveryAnswerForTheKindStale) {
  RuleCluster cluster;
  const Pod pod = App("p", "web").Affinity(TermFor(kRack, "app", "web"));
  cluster.Wait(pod);
  RuleWatch watch = cluster.rules().Watch({&pod.uid, 1});
  cluster.Place(App("first", "web"), "a1");
  EXPECT_TRUE(cluster.rules().CatchUp(&watch).everything);
  watch = cluster.rules().Watch({&pod.uid, 1});
  cluster.Place(App("second", "web"), "b1");
  const RuleStaleness staleness = cluster.rules().CatchUp(&watch);
  EXPECT_FALSE(staleness.everything);
  EXPECT_EQ(staleness.changes.size(), 1u);
}

TEST(PodRulesTest, AWatchWhosePodIsGoneCallsEverythingStale) {
  RuleCluster cluster;
  const Pod pod = App("p", "web").Affinity(TermFor(kRack, "app", "web"));
  cluster.Wait(pod);
  RuleWatch watch = cluster.rules().Watch({&pod.uid, 1});
  cluster.rules().RemovePod(pod.uid);
  EXPECT_TRUE(cluster.rules().CatchUp(&watch).everything);
}

}  // namespace
}  // namespace gangpack
