// What placed pods do to the kinds of a gang, as a value.
#include "core/outside_rules.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/object_builders.h"
#include "tests/unit/core/rule_cluster.h"

namespace gangpack {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Names the differing nodes' values of the key, sorted; "everywhere" if that is it.
std::vector<std::string> Differing(RuleCluster& cluster, const OutsideRules& before,
                                   const OutsideRules& after, int nodes_max = 2) {
  const OutsideDifferences differences = Compare(before, after, nodes_max);
  if (differences.everywhere) return {"everywhere"};
  std::vector<std::string> names;
  for (const auto& [key, value] : differences.values) {
    names.push_back(cluster.rules().values().ValueName(key, value));
  }
  return names;
}

TEST(OutsideRulesTest, AntiAffinityBarsTheValuesWhereAPodIsBothWays) {
  for (const bool own : {true, false}) {
    RuleCluster cluster;
    const PodBuilder member = own ? PodBuilder("m").AntiAffinity(TermFor(kRack, "app", "web"))
                                  : PodBuilder("m").Label("app", "member");
    cluster.Wait(member);
    const PodUid uid{"uid-m"};
    const OutsideRules before = OutsideRulesOf({&uid, 1}, cluster.rules());
    cluster.Place(
        own ? App("web", "web") : App("web", "web").AntiAffinity(TermFor(kRack, "app", "member")),
        "a1");
    const OutsideRules after = OutsideRulesOf({&uid, 1}, cluster.rules());
    EXPECT_THAT(Differing(cluster, before, after), ElementsAre("a"));
    cluster.Place(App("web-2", "web"), "a2");
    EXPECT_THAT(Differing(cluster, after, OutsideRulesOf({&uid, 1}, cluster.rules())), IsEmpty())
        << "a second pod there changes nothing";
  }
}

TEST(OutsideRulesTest, TheFirstPodThatAffinitySelectsChangesEverythingTheNextOneItsValueOnly) {
  RuleCluster cluster;
  cluster.Wait(PodBuilder("m").Affinity(TermFor(kRack, "app", "db")));
  const PodUid uid{"uid-m"};
  const OutsideRules none = OutsideRulesOf({&uid, 1}, cluster.rules());
  EXPECT_FALSE(none.kinds[0].found_anywhere);
  cluster.Place(App("db", "db"), "a1");
  const OutsideRules one = OutsideRulesOf({&uid, 1}, cluster.rules());
  EXPECT_TRUE(one.kinds[0].found_anywhere);
  EXPECT_THAT(Differing(cluster, none, one), ElementsAre("everywhere"));
  cluster.Place(App("db-2", "db"), "b1");
  EXPECT_THAT(Differing(cluster, one, OutsideRulesOf({&uid, 1}, cluster.rules())),
              ElementsAre("b"));
}

TEST(OutsideRulesTest, SpreadTellsCountsAndTheLeastOfDomainsElsewhere) {
  RuleCluster cluster;
  cluster.Wait(App("m", "x").Spread(SpreadOver(kRack, "app", "x")));
  cluster.Place(App("x-1", "x"), "a1");
  const PodUid uid{"uid-m"};
  const OutsideRules rules = OutsideRulesOf({&uid, 1}, cluster.rules());
  ASSERT_EQ(rules.spread.size(), 1u);
  EXPECT_THAT(rules.spread[0].bound, ElementsAre(1));
  EXPECT_THAT(rules.spread[0].counted, ElementsAre(1));
  PackingProblem problem;
  problem.kinds.resize(1);
  problem.nodes.resize(1);
  problem.nodes[0].feasible = {1};
  problem.spread.resize(1);
  const NodeIndex a1 = cluster.Index("a1");
  AddOutsideRules(rules, {&a1, 1}, {}, cluster.rules().values(), &problem);
  EXPECT_THAT(problem.spread[0].base, ElementsAre(1));
  EXPECT_THAT(problem.spread[0].eligible, ElementsAre(1));
  EXPECT_EQ(problem.spread[0].least_outside, 0) << "rack b has none";
  EXPECT_FALSE(problem.spread[0].least_is_zero);
}

TEST(OutsideRulesTest, OneMoreInADomainThatIsNotTheLeastMattersThereAlone) {
  RuleCluster cluster;
  cluster.Wait(App("m", "x").Spread(SpreadOver(kRack, "app", "x")));
  cluster.Place(App("x-1", "x"), "a1");
  const PodUid uid{"uid-m"};
  const OutsideRules one = OutsideRulesOf({&uid, 1}, cluster.rules());
  cluster.Place(App("x-2", "x"), "a2");
  const OutsideRules two = OutsideRulesOf({&uid, 1}, cluster.rules());
  EXPECT_THAT(Differing(cluster, one, two, 0), ElementsAre("a"));
  EXPECT_THAT(Differing(cluster, one, two, 1), ElementsAre("everywhere"))
      << "one domain could hold all that have the least";
  cluster.Place(App("x-3", "x"), "b1");
  EXPECT_THAT(Differing(cluster, two, OutsideRulesOf({&uid, 1}, cluster.rules()), 0),
              ElementsAre("everywhere"));
}

TEST(OutsideRulesTest, AKindWithoutAPodToSpeakForItSaysNothing) {
  RuleCluster cluster;
  const PodUid nobody;
  EXPECT_EQ(OutsideRulesOf({&nobody, 1}, cluster.rules()).kinds[0], OutsideRules::Kind());
}

}  // namespace
}  // namespace gangpack
