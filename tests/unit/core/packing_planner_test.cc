// A frame by itself; that the frames together are exact is packing_random_test.cc.
#include "core/packing_planner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "tests/support/packing_builders.h"

namespace gangpack {
namespace {

using ::testing::ElementsAre;

// Members on a rack of two nodes and one of one, at most one above the least of 0, or of `m`.
PackingModel Frame(int members, int m) {
  PackingBuilder builder;
  builder.Kind(members, {1}).Nodes(2, {9}, {0}).Nodes(1, {9}, {1}).Spread(1, 1, {0, 0, 0});
  return BuildPackingModel(builder.problem(), {m});
}

PackingPlan Plan(int members, int m, int need) {
  PackingPlanner planner(Frame(members, m), PackingLimits());
  return planner.Plan(std::vector<int>(static_cast<size_t>(members), 0), need);
}

TEST(PackingPlannerTest, CapsLimitHowManyArePlaced) {
  EXPECT_EQ(PackingPlanner(Frame(9, 0), PackingLimits()).Evaluate().most_placed, 2);
  EXPECT_EQ(PackingPlanner(Frame(9, 3), PackingLimits()).Evaluate().most_placed, 8);
}

TEST(PackingPlannerTest, FillsAskForAsManyAtLeast) {
  EXPECT_FALSE(Plan(9, 3, 5).found) << "three in each rack";
  const PackingPlan plan = Plan(9, 3, 6);
  ASSERT_TRUE(plan.found);
  EXPECT_THAT(plan.node_of_member, ElementsAre(0, 0, 0, 2, 2, 2, -1, -1, -1));
}

TEST(PackingPlannerTest, AFrameWhoseFillsCannotBeMetPlacesNobody) {
  PackingBuilder builder;
  builder.Kind(4, {1}).Nodes(1, {9}, {0}).Nodes(1, {1}, {1}).Spread(1, 1, {0, 0});
  PackingPlanner planner(BuildPackingModel(builder.problem(), {2}), PackingLimits());
  EXPECT_EQ(planner.most(), 0);
  const PackingAnswer answer = planner.Evaluate();
  EXPECT_EQ(answer.most_placed, 0);
  EXPECT_FALSE(answer.limit_reached);
}

TEST(PackingPlannerTest, AMemberMovesWithinAFullGroupToMakeWay) {
  // Rack 0 takes one; only node 1 of it takes kind 1, whose members have nowhere else to go.
  PackingBuilder builder;
  builder.Kind(1, {1}).Kind(1, {1}).Nodes(2, {1}, {0}).Nodes(2, {1}, {1});
  builder.Infeasible(0, 1).Infeasible(2, 1).Infeasible(3, 1).Spread(1, 1, {0, 0, 0, 0});
  PackingPlanner planner(BuildPackingModel(builder.problem(), {0}), PackingLimits{.states_max = 0});
  const PackingPlan plan = planner.Plan({0, 1}, 2);
  ASSERT_TRUE(plan.found);
  EXPECT_THAT(plan.node_of_member, ElementsAre(2, 1));
}

TEST(PackingPlannerTest, KindsOfTheModelLeaveOutThoseWithoutMembers) {
  PackingBuilder builder;
  builder.Kind(0, {1}).Kind(1, {1}).Kind(0, {1}).Kind(2, {1}).Nodes(1, {9});
  EXPECT_THAT(KindsOfModel(BuildPackingModel(builder.problem()), {3, 1, 3}), ElementsAre(1, 0, 1));
}

}  // namespace
}  // namespace gangpack
