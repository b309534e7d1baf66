#include "core/packing_steps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/support/packing_builders.h"

namespace gangpack {
namespace {

std::vector<ReachedPlan> Reached(const PackingBuilder& builder, int members_max,
                                 PackingBudget budget = {1000, false}, bool* reached = nullptr) {
  const std::vector<ReachedPlan> plans =
      SearchBySteps(builder.problem(), BuildPackingModel(builder.problem()), members_max, &budget);
  if (reached != nullptr) *reached = budget.reached;
  return plans;
}

int Most(const std::vector<ReachedPlan>& plans) {
  int most = -1;
  for (const ReachedPlan& plan : plans) most = std::max(most, plan.placement.total);
  return most;
}

TEST(PackingStepsTest, APlanWithoutAnOrderIsNotReached) {
  PackingBuilder builder;  // each of the two would have to come second
  builder.Kind(2, {1}).Nodes(1, {1}, {0, 0}).Nodes(1, {1}, {1, 1});
  builder.Spread(1, 1, {0, 1}).Spread(2, 1, {1, 0});
  EXPECT_EQ(Most(Reached(builder, 2)), 0);
  PackingBuilder wider;
  wider.Kind(2, {1}).Nodes(1, {1}, {0, 0}).Nodes(1, {1}, {1, 1});
  wider.Spread(1, 1, {0, 1}).Spread(2, 2, {1, 0});
  EXPECT_EQ(Most(Reached(wider, 2)), 2);
}

TEST(PackingStepsTest, ResourcesPairsAndAffinityHold) {
  PackingBuilder room;
  room.Kind(3, {2}).Nodes(1, {5}, {0}).Spread(1, 1, {0});
  EXPECT_EQ(Most(Reached(room, 3)), 2);
  PackingBuilder pairs;
  pairs.Kind(3, {1}).Nodes(2, {5}, {0}).AntiAffinity(0, {0}, 0).Spread(1, 1, {0, 0});
  EXPECT_EQ(Most(Reached(pairs, 3)), 2);
  PackingBuilder affinity;  // the second kind needs the first, which needs more than there is
  affinity.Kind(1, {9}).Kind(1, {1}).Nodes(1, {5}, {0}).Affinity(1, {0}, 1).Spread(1, 1, {0});
  EXPECT_EQ(Most(Reached(affinity, 2)), 0);
}

TEST(PackingStepsTest, EachNumberOfMembersPerKindIsReachedOnceAndNoMoreThanAsked) {
  PackingBuilder builder;
  builder.Kind(1, {1}).Kind(1, {1}).Nodes(2, {5}, {0}).Spread(1, 1, {0, 0});
  EXPECT_EQ(Reached(builder, 2).size(), 4u) << "nobody, either, both";
  EXPECT_EQ(Reached(builder, 1).size(), 3u);
}

TEST(PackingStepsTest, TheBudgetIsOneUnitPerState) {
  PackingBuilder builder;  // nobody, one on either node
  builder.Kind(1, {1}).Nodes(2, {1}, {0}).Spread(1, 1, {0, 0});
  bool reached = true;
  EXPECT_EQ(Most(Reached(builder, 1, {3, false}, &reached)), 1);
  EXPECT_FALSE(reached);
  Reached(builder, 1, {2, false}, &reached);
  EXPECT_TRUE(reached);
}

}  // namespace
}  // namespace gangpack
