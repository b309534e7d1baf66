// What is left of the rules between siblings once all that does not depend on the plan is settled.
#include "core/packing_rules.h"

#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/packing_builders.h"

namespace gangpack {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

PackingRules Reduce(const PackingBuilder& builder, const std::vector<int>& wanted) {
  return ReducePackingRules(builder.problem(), wanted);
}

// Two kinds; nodes 0 and 1 are in group 7, node 2 in group 9, node 3 has no label.
PackingBuilder TwoKinds() {
  PackingBuilder builder;
  builder.Kind(2, {1}).Kind(2, {1});
  builder.Nodes(2, {4}, {7}).Nodes(1, {4}, {9}).Nodes(1, {4}, {-1});
  return builder;
}

TEST(PackingRulesTest, WithoutRulesNothingIsLeft) {
  const PackingRules rules = Reduce(TwoKinds(), {0, 1});
  EXPECT_TRUE(rules.empty());
  EXPECT_THAT(rules.levels, IsEmpty());
  EXPECT_THAT(rules.blocked, IsEmpty());
}

TEST(PackingRulesTest, GroupsAreNumberedFromZeroAndNodesWithoutTheLabelAreInNone) {
  const PackingRules rules = Reduce(TwoKinds().AntiAffinity(0, {1}, 1), {0, 1});
  ASSERT_THAT(rules.levels, SizeIs(2));
  EXPECT_THAT(rules.levels[0].group, ElementsAre(0, 1, 2, 3)) << "a node is a group of its own";
  EXPECT_THAT(rules.levels[1].group, ElementsAre(0, 0, 1, -1));
  EXPECT_EQ(rules.levels[1].groups, 2);
}

TEST(PackingRulesTest, AntiAffinityKeepsTwoKindsApartWhoeverCarriesTheTerm) {
  for (const bool first_carries : {true, false}) {
    PackingBuilder builder = TwoKinds();
    builder.AntiAffinity(first_carries ? 0 : 1, {first_carries ? 1 : 0}, 1);
    const PackingRules rules = Reduce(builder, {0, 1});
    EXPECT_THAT(rules.levels[1].apart, ElementsAre(0, 1, 1, 0));
    EXPECT_FALSE(rules.empty());
    EXPECT_FALSE(rules.nodes_only());
  }
}

TEST(PackingRulesTest, PairsOnTheNodeAloneAreNodesOnlyAndPortsAreSuchPairs) {
  for (const bool ports : {true, false}) {
    PackingBuilder builder = TwoKinds();
    ports ? builder.Conflict(0, 1) : builder.AntiAffinity(0, {1}, 0);
    const PackingRules rules = Reduce(builder, {0, 1});
    EXPECT_THAT(rules.levels[0].apart, ElementsAre(0, 1, 1, 0));
    EXPECT_TRUE(rules.nodes_only());
    EXPECT_FALSE(rules.empty());
  }
}

TEST(PackingRulesTest, OnlyWantedKindsMakePairs) {
  PackingBuilder builder = TwoKinds();
  builder.AntiAffinity(0, {1}, 1);
  EXPECT_THAT(Reduce(builder, {0, 1}).levels[1].apart, SizeIs(4));
  EXPECT_THAT(Reduce(builder, {1}).levels[1].apart, IsEmpty()) << "nobody is left to be apart from";
}

TEST(PackingRulesTest, APlacedSiblingBlocksWhomItRepelsInItsGroupAndNowhereElse) {
  PackingBuilder builder = TwoKinds();
  builder.AntiAffinity(0, {1}, 1).Placed(0, 0);
  EXPECT_THAT(Reduce(builder, {1}).blocked, ElementsAre(1, 1, 0, 0));
  PackingBuilder unlabelled = TwoKinds();
  unlabelled.AntiAffinity(0, {1}, 1).Placed(3, 0);
  EXPECT_THAT(Reduce(unlabelled, {1}).blocked, IsEmpty()) << "without the label there is no group";
}

TEST(PackingRulesTest, APodOutsideTheGangSatisfiesAnAffinityInItsGroup) {
  PackingBuilder alone = TwoKinds();  // no kind is selected: only group 1 will do
  alone.Affinity(0, {}, 1).Outside({2});
  const PackingRules only_outside = Reduce(alone, {0, 1});
  EXPECT_THAT(only_outside.clauses, IsEmpty());
  EXPECT_THAT(only_outside.blocked, ElementsAre(1, 0, 1, 0, 0, 0, 1, 0)) << "nodes x kinds";
  PackingBuilder either = TwoKinds();
  either.Affinity(0, {1}, 1).Outside({2});
  ASSERT_THAT(Reduce(either, {0, 1}).clauses, SizeIs(1));
  EXPECT_THAT(Reduce(either, {0, 1}).clauses[0].satisfied, ElementsAre(0, 1));
}

TEST(PackingRulesTest, NobodyIsTheFirstOfItsKindOnceASelectedPodIsPlacedAnywhere) {
  PackingBuilder first = TwoKinds();
  first.Affinity(0, {0}, 1);
  ASSERT_THAT(Reduce(first, {0}).clauses, SizeIs(1));
  EXPECT_TRUE(Reduce(first, {0}).clauses[0].first_group);
  first.SelectedElsewhere();
  EXPECT_THAT(Reduce(first, {0}).clauses, IsEmpty());
  EXPECT_THAT(Reduce(first, {0}).blocked, ElementsAre(1, 1, 1, 1));
}

TEST(PackingRulesTest, OwnersShareAClauseOnlyIfTheSamePodsOutsideServeThem) {
  PackingBuilder same = TwoKinds();
  same.Affinity(0, {0, 1}, 1).Affinity(1, {0, 1}, 1);
  EXPECT_THAT(Reduce(same, {0, 1}).clauses, SizeIs(1));
  EXPECT_THAT(Reduce(same.Outside({0, 1}), {0, 1}).clauses, SizeIs(2));
}

TEST(PackingRulesTest, AffinityToAWantedKindIsAClauseAndBlocksTheOwnerWhereTheLabelLacks) {
  const PackingRules rules = Reduce(TwoKinds().Affinity(0, {1}, 1), {0, 1});
  ASSERT_THAT(rules.clauses, SizeIs(1));
  EXPECT_EQ(rules.clauses[0].level, 1);
  EXPECT_THAT(rules.clauses[0].owner, ElementsAre(1, 0));
  EXPECT_THAT(rules.clauses[0].supporter, ElementsAre(0, 1));
  EXPECT_FALSE(rules.clauses[0].first_group);
  EXPECT_THAT(rules.clauses[0].satisfied, ElementsAre(0, 0));
  EXPECT_THAT(rules.blocked, ElementsAre(0, 0, 0, 0, 0, 0, 1, 0)) << "nodes x kinds";
}

TEST(PackingRulesTest, AffinityThatNobodyCanSatisfyBlocksItsOwnerEverywhere) {
  const PackingRules rules = Reduce(TwoKinds().Affinity(0, {1}, 1), {0});
  EXPECT_THAT(rules.clauses, IsEmpty());
  EXPECT_THAT(rules.blocked, ElementsAre(1, 1, 1, 1));
}

TEST(PackingRulesTest, APlacedSiblingSatisfiesItsGroupForGood) {
  PackingBuilder builder = TwoKinds();
  builder.Affinity(0, {1}, 1).Placed(1, 1);
  const PackingRules only_owner = Reduce(builder, {0});
  EXPECT_THAT(only_owner.clauses, IsEmpty());
  EXPECT_THAT(only_owner.blocked, ElementsAre(0, 0, 1, 1));
  const PackingRules both = Reduce(builder, {0, 1});
  ASSERT_THAT(both.clauses, SizeIs(1)) << "in the other group a supporter is still to be placed";
  EXPECT_THAT(both.clauses[0].satisfied, ElementsAre(1, 0));
  builder.Placed(2, 1);
  EXPECT_THAT(Reduce(builder, {0, 1}).clauses, IsEmpty()) << "no group is left to be broken";
}

TEST(PackingRulesTest, AKindThatSelectsItselfHasTheFirstGroupUntilASiblingIsPlaced) {
  PackingBuilder builder = TwoKinds();
  builder.Affinity(0, {0}, 1);
  const PackingRules fresh = Reduce(builder, {0});
  ASSERT_THAT(fresh.clauses, SizeIs(1));
  EXPECT_TRUE(fresh.clauses[0].first_group);
  builder.Placed(2, 0);
  const PackingRules placed = Reduce(builder, {0});
  EXPECT_THAT(placed.clauses, IsEmpty());
  EXPECT_THAT(placed.blocked, ElementsAre(1, 1, 0, 1)) << "all join the one that is placed";
}

TEST(PackingRulesTest, TheFirstGroupIsNoRuleWhereThereIsOneGroupOnly) {
  PackingBuilder builder;
  builder.Kind(2, {1}).Nodes(2, {4}, {7}).Affinity(0, {0}, 1);
  EXPECT_TRUE(Reduce(builder, {0}).empty());
}

TEST(PackingRulesTest, OwnersShareAClauseIfSelectorLevelAndRelationToItAreTheSame) {
  PackingBuilder together = TwoKinds();
  together.Affinity(0, {0, 1}, 1).Affinity(1, {0, 1}, 1);
  const PackingRules shared = Reduce(together, {0, 1});
  ASSERT_THAT(shared.clauses, SizeIs(1));
  EXPECT_THAT(shared.clauses[0].owner, ElementsAre(1, 1));
  EXPECT_THAT(shared.clauses[0].supporter, ElementsAre(0, 0));
  PackingBuilder other_level = TwoKinds();
  other_level.Affinity(0, {0, 1}, 1).Affinity(1, {0, 1}, 0);
  EXPECT_THAT(Reduce(other_level, {0, 1}).clauses, SizeIs(2));
  PackingBuilder other_relation = TwoKinds();
  other_relation.Affinity(0, {1}, 1).Affinity(1, {1}, 1);
  EXPECT_THAT(Reduce(other_relation, {0, 1}).clauses, SizeIs(2));
}

}  // namespace
}  // namespace gangpack
