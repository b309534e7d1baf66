// Whether a plan that exists keeps the rules between siblings.
#include "core/sibling_rules.h"

#include <algorithm>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/packing_builders.h"
#include "tests/support/prng.h"
#include "tests/support/reference_packer.h"
#include "tests/unit/core/random_packing.h"

namespace gangpack {
namespace {

// The members in the order of their kinds, on these nodes.
bool Holds(const PackingBuilder& builder, const std::vector<int>& nodes) {
  return SiblingRulesHold(builder.problem(), builder.Members(), nodes);
}

// Members by kind on nodes 0 and 1 of rack 0, node 2 of rack 1, and node 3 without the rack label.
PackingBuilder Kinds(const std::vector<int>& demands) {
  PackingBuilder builder;
  for (const int demand : demands) builder.Kind(demand, {1});
  builder.Nodes(2, {8}, {0}).Nodes(1, {8}, {1}).Nodes(1, {8}, {-1});
  return builder;
}

TEST(SiblingRulesTest, WithoutRulesEveryPlanHolds) {
  EXPECT_TRUE(Holds(Kinds({2, 1}), {0, 0, 3}));
  EXPECT_TRUE(Holds(Kinds({0}).AntiAffinity(0, {0}, 0), {})) << "nobody is planned";
}

TEST(AntiAffinityTest, KeepsTheSiblingsItSelectsOutOfItsGroupAndNoOthers) {
  PackingBuilder per_node = Kinds({1, 1, 1});
  per_node.AntiAffinity(0, {1}, 0);
  EXPECT_FALSE(Holds(per_node, {0, 0, 1}));
  EXPECT_TRUE(Holds(per_node, {0, 1, 0})) << "the third kind is not selected";
  PackingBuilder per_rack = Kinds({1, 1, 1});
  per_rack.AntiAffinity(0, {1}, 1);
  EXPECT_FALSE(Holds(per_rack, {0, 1, 2}));
  EXPECT_TRUE(Holds(per_rack, {0, 2, 1}));
}

TEST(AntiAffinityTest, DoesNotCountThePodItself) {
  PackingBuilder one = Kinds({1});
  one.AntiAffinity(0, {0}, 0);
  EXPECT_TRUE(Holds(one, {0}));
  EXPECT_FALSE(Holds(one.Placed(0, 0), {0}));
  EXPECT_TRUE(Holds(one, {1}));
  PackingBuilder two = Kinds({2});
  two.AntiAffinity(0, {0}, 0);
  EXPECT_FALSE(Holds(two, {1, 1}));
  EXPECT_TRUE(Holds(two, {0, 1}));
}

TEST(AntiAffinityTest, OfAPlacedSiblingKeepsOutPlannedMembersAndNotThoseThatAreThere) {
  PackingBuilder owner_placed = Kinds({1, 0});
  owner_placed.Placed(0, 1).AntiAffinity(1, {0}, 1);
  EXPECT_FALSE(Holds(owner_placed, {1}));
  EXPECT_TRUE(Holds(owner_placed, {2}));
  PackingBuilder selected_placed = Kinds({1, 0});
  selected_placed.Placed(0, 1).AntiAffinity(0, {1}, 1);
  EXPECT_FALSE(Holds(selected_placed, {1}));
  EXPECT_TRUE(Holds(selected_placed, {2}));
  PackingBuilder both_placed = Kinds({0, 0, 1});
  both_placed.Placed(0, 0).Placed(0, 1).AntiAffinity(0, {1}, 0);
  EXPECT_TRUE(Holds(both_placed, {0})) << "what runs already is not of this plan's making";
}

TEST(RulesTest, ANodeWithoutTheLabelSatisfiesAntiAffinityAndFailsAffinity) {
  PackingBuilder anti = Kinds({2});
  anti.AntiAffinity(0, {0}, 1);
  EXPECT_TRUE(Holds(anti, {3, 3}));
  EXPECT_FALSE(Holds(anti, {0, 1}));
  PackingBuilder affinity = Kinds({1, 1});
  affinity.Affinity(1, {0}, 1);
  EXPECT_FALSE(Holds(affinity, {3, 3}));
  EXPECT_TRUE(Holds(affinity, {0, 1}));
}

TEST(AffinityTest, NeedsASelectedSiblingInTheSameGroupWhetherPlannedOrPlaced) {
  PackingBuilder per_node = Kinds({1, 1});
  per_node.Affinity(1, {0}, 0);
  EXPECT_TRUE(Holds(per_node, {1, 1}));
  EXPECT_FALSE(Holds(per_node, {0, 1}));
  PackingBuilder per_rack = Kinds({1, 1});
  per_rack.Affinity(1, {0}, 1);
  EXPECT_TRUE(Holds(per_rack, {0, 1}));
  EXPECT_FALSE(Holds(per_rack, {0, 2}));
  PackingBuilder placed = Kinds({0, 1});
  placed.Placed(0, 0).Affinity(1, {0}, 1);
  EXPECT_TRUE(Holds(placed, {1}));
  EXPECT_FALSE(Holds(placed, {2}));
}

TEST(AffinityTest, MembersThatNeedEachOtherHoldTogether) {
  PackingBuilder builder = Kinds({1, 1});
  builder.Affinity(0, {1}, 0).Affinity(1, {0}, 0);
  EXPECT_TRUE(Holds(builder, {2, 2}));
  EXPECT_FALSE(Holds(builder, {0, 1}));
}

TEST(AffinityTest, AlikeMembersThatSelectThemselvesStartOneGroupAndNoSecond) {
  PackingBuilder builder = Kinds({4});
  builder.Affinity(0, {0}, 1);
  EXPECT_TRUE(Holds(builder, {0, 0, 1, 1}));
  EXPECT_FALSE(Holds(builder, {0, 1, 2, 2}))
      << "each pair has a sibling, but did not join the first";
  PackingBuilder does_not_select_itself = Kinds({1, 0});
  does_not_select_itself.Affinity(0, {1}, 1);
  EXPECT_FALSE(Holds(does_not_select_itself, {0})) << "only who selects itself may be the first";
}

TEST(AffinityTest, NobodyIsTheFirstOnceASelectedSiblingIsPlacedOnANodeWithTheLabel) {
  PackingBuilder labelled = Kinds({1});
  labelled.Placed(2, 0).Affinity(0, {0}, 1);
  EXPECT_FALSE(Holds(labelled, {0}));
  EXPECT_TRUE(Holds(labelled, {2}));
  PackingBuilder unlabelled = Kinds({1});
  unlabelled.Placed(3, 0).Affinity(0, {0}, 1);
  EXPECT_TRUE(Holds(unlabelled, {0}));
}

TEST(AffinityTest, KindsWithTheSameTermHaveOneFirstTogether) {
  PackingBuilder shared = Kinds({1, 1});
  shared.Affinity(0, {0, 1}, 1).Affinity(1, {0, 1}, 1);
  EXPECT_TRUE(Holds(shared, {0, 1}));
  EXPECT_FALSE(Holds(shared, {0, 2}));
  PackingBuilder own_terms = Kinds({1, 1});
  own_terms.Affinity(0, {0}, 1).Affinity(1, {1}, 1);
  EXPECT_TRUE(Holds(own_terms, {0, 2})) << "another term has another first";
  PackingBuilder with_other_kind = Kinds({2, 1});
  with_other_kind.Affinity(0, {0, 1}, 1);
  EXPECT_TRUE(Holds(with_other_kind, {0, 2, 2}))
      << "in one of the groups is a sibling without the term";
  EXPECT_FALSE(Holds(with_other_kind, {0, 2, 3}));
}

TEST(AffinityTest, OfAPodOutsideTheGangIsSatisfiedInItsGroup) {
  PackingBuilder builder = Kinds({1});
  builder.Affinity(0, {}, 1).Outside({0, 1});
  EXPECT_TRUE(Holds(builder, {1}));
  EXPECT_FALSE(Holds(builder, {2}));
  PackingBuilder without = Kinds({1});
  without.Affinity(0, {}, 1);
  EXPECT_FALSE(Holds(without, {1}));
}

TEST(AffinityTest, NobodyIsTheFirstOnceASelectedPodIsPlacedElsewhere) {
  PackingBuilder first = Kinds({1});
  first.Affinity(0, {0}, 1);
  EXPECT_TRUE(Holds(first, {0}));
  EXPECT_FALSE(Holds(first.SelectedElsewhere(), {0}));
  PackingBuilder in_other_group = Kinds({1});
  in_other_group.Affinity(0, {0}, 1).Outside({2});
  EXPECT_FALSE(Holds(in_other_group, {0}));
  EXPECT_TRUE(Holds(in_other_group, {2}));
}

TEST(SpreadTest, HoldsIfTheMembersCanBePlacedOneAfterTheOther) {
  PackingBuilder builder = Kinds({3});
  builder.Spread(1, 1, {0, 0, 0, 0});
  const std::vector<int> members = builder.Members();
  EXPECT_TRUE(SpreadHolds(builder.problem(), members, {0, 1, 2}));
  EXPECT_FALSE(SpreadHolds(builder.problem(), members, {0, 1, 1}));
  EXPECT_FALSE(SpreadHolds(builder.problem(), members, {0, 2, 3})) << "node 3 lacks the label";
}

TEST(SpreadTest, OfAMemberWithoutDemandIsCheckedAllTheSame) {
  PackingBuilder builder = Kinds({0});  // as in a problem of placed members alone
  builder.Spread(1, 1, {0, 0, 0, 0});
  EXPECT_FALSE(SpreadHolds(builder.problem(), {0, 0}, {0, 1}));
  EXPECT_TRUE(SpreadHolds(builder.problem(), {0, 0}, {0, 2}));
}

TEST(RulesTest, EveryRuleMustHold) {
  PackingBuilder builder = Kinds({1, 1});
  builder.Affinity(1, {0}, 1).AntiAffinity(1, {0}, 0);
  EXPECT_TRUE(Holds(builder, {0, 1}));
  EXPECT_FALSE(Holds(builder, {0, 0})) << "only the affinity holds";
  EXPECT_FALSE(Holds(builder, {0, 2})) << "only the anti-affinity holds";
}

TEST(RulesTest, HoldForExactlyThoseRandomPlansThatTheWordsOfTheRulesAllow) {
  int held = 0;
  int broken = 0;
  for (uint64_t seed = 1; seed <= 4000; ++seed) {
    RandomPacking random = MakeRandomPacking(seed);
    if (random.problem.rules.empty()) continue;
    // Only the rules are to decide.
    random.problem.node_conflict.clear();
    for (PackingNode& node : random.problem.nodes) {
      std::fill(node.free.begin(), node.free.end(), 1000);
      std::fill(node.feasible.begin(), node.feasible.end(), 1);
    }
    Prng prng(seed);
    for (int i = 0; i < 5; ++i) {
      std::vector<int> nodes;
      for (int member = 0; member < random.members(); ++member) {
        nodes.push_back(prng.Between(0, static_cast<int>(random.problem.nodes.size()) - 1));
      }
      std::string why;
      const bool valid = AssignmentIsValid(random.problem, random.kind_of_member, nodes, &why);
      ASSERT_EQ(SiblingRulesHold(random.problem, random.kind_of_member, nodes), valid)
          << "seed " << seed << ", plan " << i << ": " << why;
      ++(valid ? held : broken);
    }
  }
  EXPECT_GT(held, 1000);
  EXPECT_GT(broken, 1000);
}

}  // namespace
}  // namespace gangpack
