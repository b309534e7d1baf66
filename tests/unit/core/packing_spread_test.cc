#include "core/packing_spread.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "tests/support/packing_builders.h"

namespace gangpack {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr int kNone = PackingSpread::kNoOtherGroup;

// Members of one kind, and racks of two nodes with plenty of room.
PackingBuilder Racks(int members, int racks) {
  PackingBuilder builder;
  builder.Kind(members, {1});
  for (int rack = 0; rack < racks; ++rack) builder.Nodes(2, {100}, {rack});
  return builder;
}

std::vector<int> Numbers(const PackingBuilder& builder) {
  std::vector<int> numbers;
  for (const SpreadFrame& frame : ListSpreadFrames(builder.problem(), 1000).frames) {
    numbers.push_back(frame[0]);
  }
  return numbers;
}

SpreadReduction Reduce(const PackingBuilder& builder, int m) {
  return ReduceSpread(builder.problem(), {0}, {m});
}

TEST(PackingSpreadTest, OnlyAConstraintOfAKindWithMembersBinds) {
  PackingBuilder builder;
  builder.Kind(0, {1}).Kind(1, {1}).Nodes(1, {1}, {0});
  builder.Spread(1, 1, {0}).Unbound(1).Spread(1, 1, {0});
  EXPECT_THAT(BindingSpread(builder.problem()), ElementsAre(1));
}

TEST(PackingSpreadTest, FramesBeginWithTheLeastThatHasCapsForAllAndEndWhereMembersRunOut) {
  // Four members on two racks: caps of m + 1 each, so m = 1 is the first with caps for all.
  EXPECT_THAT(Numbers(Racks(4, 2).Spread(1, 1, {0, 0, 0, 0})), ElementsAre(1, 2, 0));
  // Five raise the least to no more than 2, and need 3 + 3.
  EXPECT_THAT(Numbers(Racks(5, 2).Spread(1, 1, {0, 0, 0, 0})), ElementsAre(2, 1, 0));
}

TEST(PackingSpreadTest, TheLeastIsNoMoreThanThatOfGroupsOutside) {
  EXPECT_THAT(Numbers(Racks(4, 2).Spread(1, 1, {0, 0, 0, 0}, 1)), ElementsAre(1, 0));
  EXPECT_THAT(Numbers(Racks(4, 2).Spread(1, 1, {3, 3, 3, 3}, 1)), ElementsAre(1));
  EXPECT_THAT(Numbers(Racks(4, 2).Spread(1, 1, {3, 3, 3, 3}, kNone).LeastIsZero()), ElementsAre(0));
}

TEST(PackingSpreadTest, FramesWhoseFillsFindNoRoomAreLeftOut) {
  PackingBuilder builder;
  builder.Kind(6, {1}).Nodes(1, {9}, {0}).Nodes(1, {1}, {1}).Spread(1, 1, {0, 0});
  EXPECT_THAT(Numbers(builder), ElementsAre(1, 0)) << "rack 1 never has two";
}

TEST(PackingSpreadTest, MoreFramesThanAllowedAreSaid) {
  const PackingBuilder builder = Racks(4, 2).Spread(1, 1, {0, 0, 0, 0});
  EXPECT_TRUE(ListSpreadFrames(builder.problem(), 3).complete);
  EXPECT_FALSE(ListSpreadFrames(builder.problem(), 2).complete);
}

TEST(PackingSpreadTest, ACapIsWhatTheLeastAndMaxSkewLeaveAboveTheBase) {
  const SpreadReduction reduction = Reduce(Racks(9, 2).Spread(1, 2, {0, 0, 1, 1}), 1);
  ASSERT_EQ(reduction.bounds.size(), 1u);
  EXPECT_THAT(reduction.bounds[0].most, ElementsAre(3, 2));
  EXPECT_THAT(reduction.bounds[0].least, ElementsAre(1, 0));
  EXPECT_THAT(reduction.blocked, IsEmpty());
  EXPECT_THAT(reduction.resources, IsEmpty());
}

TEST(PackingSpreadTest, ACapOfZeroBlocksAndACapForAllIsNone) {
  const SpreadReduction reduction = Reduce(Racks(2, 2).Spread(1, 2, {0, 0, 2, 2}), 0);
  EXPECT_THAT(reduction.blocked, ElementsAre(0, 0, 1, 1));
  ASSERT_EQ(reduction.bounds.size(), 1u);
  EXPECT_THAT(reduction.bounds[0].most, ElementsAre(SpreadBound::kUncapped, 0));
  EXPECT_THAT(Reduce(Racks(2, 2).Spread(1, 2, {0, 0, 0, 0}), 0).bounds, IsEmpty());
}

TEST(PackingSpreadTest, TheCapOfAGroupWithOneUsableNodeIsAResource) {
  PackingBuilder builder = Racks(3, 2);
  builder.Infeasible(3, 0).Spread(1, 1, {0, 0, 0, 0});
  const SpreadReduction reduction = Reduce(builder, 0);
  ASSERT_EQ(reduction.resources.size(), 1u);
  EXPECT_EQ(reduction.resources[0].free[2], 1);
  EXPECT_EQ(reduction.resources[0].free[0], 3) << "as much as all can take";
  ASSERT_EQ(reduction.bounds.size(), 1u);
  EXPECT_THAT(reduction.bounds[0].most, ElementsAre(1, SpreadBound::kUncapped));
  const SpreadReduction per_node = Reduce(Racks(3, 2).Spread(0, 1, {0, 0, 0, 0}), 0);
  EXPECT_THAT(per_node.resources[0].free, ElementsAre(1, 1, 1, 1));
  EXPECT_THAT(per_node.bounds, IsEmpty());
}

TEST(PackingSpreadTest, WhoIsBoundAndNotCountedIsBlockedOnlyWhereTheBaseAloneIsTooHigh) {
  const auto blocked = [](int base) {
    PackingBuilder builder = Racks(2, 2);
    builder.Spread(1, 1, {0, 0, base, base}, 0).Uncounted(0);
    return Reduce(builder, 0).blocked;
  };
  EXPECT_THAT(blocked(1), IsEmpty());
  EXPECT_THAT(blocked(2), ElementsAre(0, 0, 1, 1));
}

TEST(PackingSpreadTest, NodesThatAreNotEligibleCountForNoGroup) {
  PackingBuilder builder = Racks(9, 2);
  builder.Spread(1, 1, {0, 0, 0, 0}).Ineligible(3);
  const SpreadReduction reduction = Reduce(builder, 0);
  ASSERT_EQ(reduction.bounds.size(), 1u);
  EXPECT_THAT(reduction.bounds[0].group, ElementsAre(0, 0, 1, -1));
}

}  // namespace
}  // namespace gangpack
