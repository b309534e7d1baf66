#include "core/pod_term_index.h"

#include <gtest/gtest.h>

#include <optional>

#include "absl/strings/str_cat.h"
#include "core/pod.h"
#include "tests/support/object_builders.h"
#include "tests/unit/core/rule_cluster.h"

namespace gangpack {
namespace {

TEST(PodTermIndexTest, TermsFollowTheirOwnersLabelsThroughMatchLabelKeys) {
  RuleCluster cluster;
  PodAffinityTerm term = TermFor(kRack, "app", "web");
  term.match_label_keys = {"rev"};
  cluster.Place(App("web", "web").Label("rev", "1"), "a1");
  EXPECT_EQ(cluster.Rule(PodBuilder("p").Label("rev", "1").AntiAffinity(term), "a2"),
            PodRule::kAntiAffinity);
  EXPECT_EQ(cluster.Rule(PodBuilder("p").Label("rev", "2").AntiAffinity(term), "a2"), std::nullopt);
}

TEST(PodTermIndexTest, TermsAreForgottenWithTheLastPodThatCarriesThem) {
  RuleCluster cluster;
  const Pod pod = App("p", "web")
                      .Affinity(TermFor(kRack, "app", "web"))
                      .AntiAffinity(TermFor(kZone, "app", "db"));
  cluster.Place(pod, "a1");
  cluster.Place(App("q", "web").AntiAffinity(TermFor(kZone, "app", "db")), "a1");
  EXPECT_EQ(cluster.rules().terms().units(), 2);
  cluster.rules().RemovePod(pod.uid);
  EXPECT_EQ(cluster.rules().terms().units(), 1);
  cluster.rules().RemovePod({"uid-q"});
  EXPECT_EQ(cluster.rules().terms().units(), 0);
}

TEST(PodTermIndexTest, APodThatNoTermSelectsChangesNoCount) {
  RuleCluster cluster;
  cluster.Place(PodBuilder("p").AntiAffinity(TermFor(kRack, "app", "web")), "a1");
  const int64_t before = cluster.rules().terms().counts_changed();
  cluster.Place(App("db", "db"), "a2");
  EXPECT_EQ(cluster.rules().terms().counts_changed(), before);
  cluster.Place(App("web", "web"), "a2");
  EXPECT_EQ(cluster.rules().terms().counts_changed(), before + 1);
}

TEST(PodTermIndexTest, APodIsComparedOnlyWithTermsThatAskForALabelOfIts) {
  RuleCluster cluster;
  // Gangs as they come: their terms have one label in common with all others.
  for (int i = 0; i < 200; ++i) {
    PodAffinityTerm term = TermFor(kRack, "role", "leader");
    term.selector->requirements.push_back({"gang", SelectorOperator::kIn, {absl::StrCat("g", i)}});
    cluster.Wait(PodBuilder(absl::StrCat("worker-", i)).Affinity(term));
  }
  const int64_t before = cluster.rules().selections().comparisons();
  cluster.Place(PodBuilder("leader").Label("role", "leader").Label("gang", "g7"), "a1");
  EXPECT_LE(cluster.rules().selections().comparisons() - before, 2);
  cluster.Place(PodBuilder("like-it").Label("role", "leader").Label("gang", "g7"), "a1");
  EXPECT_LE(cluster.rules().selections().comparisons() - before, 2);
}

TEST(PodTermIndexTest, ANewTermIsComparedOnlyWithPodsThatCarryItsRarestLabel) {
  RuleCluster cluster;
  for (int i = 0; i < 200; ++i) {
    cluster.Place(App(absl::StrCat("web-", i), "web").Label("index", absl::StrCat(i)), "a1");
  }
  PodAffinityTerm term = TermFor(kRack, "app", "web");
  term.selector->requirements.push_back({"index", SelectorOperator::kIn, {"7"}});
  const int64_t before = cluster.rules().selections().comparisons();
  EXPECT_EQ(cluster.Rule(PodBuilder("p").Affinity(term), "a2"), std::nullopt);
  EXPECT_LE(cluster.rules().selections().comparisons() - before, 2);
}

}  // namespace
}  // namespace gangpack
