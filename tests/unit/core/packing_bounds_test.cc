// Which partial plans are given up, and that none is that can still reach the target.
#include "core/packing_bounds.h"

#include <vector>

#include "gtest/gtest.h"
#include "tests/support/packing_builders.h"

namespace gangpack {
namespace {

// Nodes are decided in the order given.
struct Bounded {
  explicit Bounded(const PackingBuilder& builder, int64_t states = 1000)
      : model(BuildPackingModel(builder.problem())) {
    PackingBudget budget{states, false};
    patterns = EnumeratePatterns(model, &budget);
    std::vector<int> sequence;
    for (int node = 0; node < model.nodes; ++node) sequence.push_back(node);
    bounds.emplace_back(model, patterns, sequence);
  }
  bool MayReach(int members, int position, const std::vector<int>& counts) {
    bounds[0].Aim(model.demand, members);
    return bounds[0].MayReach(position, counts.data());
  }
  PackingModel model;
  PatternTable patterns;
  std::vector<PackingBounds> bounds;
};

TEST(PackingBoundsTest, WhatTheNodesThatAreLeftCanAddDecides) {
  PackingBuilder builder;
  builder.Kind(6, {1}).Nodes(3, {2});
  Bounded bounded(builder);
  EXPECT_TRUE(bounded.MayReach(6, 0, {0}));
  EXPECT_TRUE(bounded.MayReach(6, 1, {2}));
  EXPECT_FALSE(bounded.MayReach(6, 1, {1}));
  EXPECT_TRUE(bounded.MayReach(5, 1, {1}));
  EXPECT_TRUE(bounded.MayReach(6, 3, {6}));
  EXPECT_FALSE(bounded.MayReach(6, 3, {5})) << "no node is left";
}

TEST(PackingBoundsTest, EachKindIsBoundedByItself) {
  for (const bool feasible : {true, false}) {
    PackingBuilder builder;  // the second kind may need the node that is decided already
    builder.Kind(1, {1}).Kind(1, {1}).Nodes(2, {2});
    if (!feasible) builder.Infeasible(1, 1);
    Bounded bounded(builder);
    EXPECT_EQ(bounded.MayReach(2, 1, {1, 0}), feasible);
    EXPECT_TRUE(bounded.MayReach(2, 1, {0, 1}));
  }
}

TEST(PackingBoundsTest, MembersOfDifferentKindsShareANode) {
  for (const int64_t free : {1, 2}) {
    PackingBuilder builder;  // each kind alone has a place, together they need two
    builder.Kind(1, {1}).Kind(1, {1}).Nodes(1, {free});
    EXPECT_EQ(Bounded(builder).MayReach(2, 0, {0, 0}), free == 2);
  }
}

TEST(PackingBoundsTest, ResourcesOfTheLightestMembersMustBeThere) {
  for (const int large : {0, 1}) {
    PackingBuilder
        builder;  // four members have places by number, but with a large one weigh 9 of 8
    if (large == 1) builder.Kind(1, {3}).Kind(3, {2}).Nodes(2, {4});
    if (large == 0) builder.Kind(4, {2}).Nodes(2, {4});
    const std::vector<int> none(large == 1 ? 2 : 1, 0);
    EXPECT_EQ(Bounded(builder).MayReach(4, 0, none), large == 0);
    EXPECT_TRUE(Bounded(builder).MayReach(3, 0, none)) << "the lightest three weigh 6";
  }
}

TEST(PackingBoundsTest, AClassWhosePatternsAreNotAllKnownIsTakenForAllItCouldHold) {
  PackingBuilder builder;
  builder.Kind(2, {2}).Kind(4, {1}).Nodes(2, {4});
  Bounded cut(builder, 1);
  ASSERT_TRUE(cut.patterns.classes[0].truncated);
  EXPECT_TRUE(cut.MayReach(6, 0, {0, 0})) << "2 + 2 on one node, 4 x 1 on the other";
  EXPECT_FALSE(cut.MayReach(6, 1, {0, 0})) << "six weigh 8, the node has 4";
}

}  // namespace
}  // namespace gangpack
