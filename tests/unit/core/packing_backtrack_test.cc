#include "core/packing_backtrack.h"

#include <string>

#include "core/packing_model.h"
#include "gtest/gtest.h"
#include "tests/support/packing_builders.h"
#include "tests/support/reference_packer.h"
#include "tests/unit/core/random_packing.h"

namespace gangpack {
namespace {

constexpr int kMembersMax = 64;

constexpr int kClusters = 5000;

TEST(PackingBacktrackTest, FindsAPlanOfAllExactlyWhereThereIsOne) {
  int found = 0;
  for (int seed = 0; seed < kClusters && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const RandomPacking random = MakeRandomPacking(static_cast<uint64_t>(seed));
    const PackingModel model = BuildPackingModel(random.problem);
    PackingBudget budget{1000000, false};
    const BacktrackResult result =
        PlaceAllByBacktracking(model, model.demand, kMembersMax, &budget);
    const ReferencePacker reference(random.problem, random.kind_of_member);
    EXPECT_TRUE(result.complete);
    EXPECT_EQ(result.found, reference.MostPlaced() == random.members());
    if (!result.found) continue;
    ++found;
    EXPECT_EQ(result.placement.total, random.members());
    std::string why;
    const std::vector<int> nodes = NodesOf(model, result.placement, random.kind_of_member);
    EXPECT_TRUE(AssignmentIsValid(random.problem, random.kind_of_member, nodes, &why)) << why;
  }
  EXPECT_GT(found, kClusters / 20);
  EXPECT_LT(found, kClusters - kClusters / 20);
}

TEST(PackingBacktrackTest, NodesOfDifferentGroupsAreNotAlike) {
  PackingBuilder builder;  // the leader's first node is as free as the others, but has no neighbour
  builder.Kind(1, {1}).Kind(1, {1}).Nodes(1, {1}, {0}).Nodes(2, {1}, {1}).Affinity(1, {0}, 1);
  const PackingModel model = BuildPackingModel(builder.problem());
  PackingBudget budget{1000, false};
  EXPECT_TRUE(PlaceAllByBacktracking(model, model.demand, kMembersMax, &budget).found);
}

TEST(PackingBacktrackTest, IsNotCompleteOnceTheBudgetIsReached) {
  PackingBuilder builder;
  builder.Kind(1, {2}).Kind(1, {3}).Nodes(2, {3});
  const PackingModel model = BuildPackingModel(builder.problem());
  // Each step costs one unit per kind; placing two members takes three steps.
  PackingBudget enough{6, false};
  EXPECT_TRUE(PlaceAllByBacktracking(model, model.demand, kMembersMax, &enough).found);
  PackingBudget short_by_one{5, false};
  const BacktrackResult result =
      PlaceAllByBacktracking(model, model.demand, kMembersMax, &short_by_one);
  EXPECT_FALSE(result.found);
  EXPECT_FALSE(result.complete);
}

TEST(PackingBacktrackTest, LeavesMoreMembersThanItsMaximumAlone) {
  PackingBuilder at_most;
  at_most.Kind(kMembersMax, {1}).Nodes(1, {kMembersMax});
  const PackingModel model = BuildPackingModel(at_most.problem());
  PackingBudget budget{1000, false};
  EXPECT_TRUE(PlaceAllByBacktracking(model, model.demand, kMembersMax, &budget).found);
  PackingBuilder beyond;
  beyond.Kind(kMembersMax + 1, {1}).Nodes(1, {kMembersMax + 1});
  const PackingModel larger = BuildPackingModel(beyond.problem());
  const BacktrackResult result =
      PlaceAllByBacktracking(larger, larger.demand, kMembersMax, &budget);
  EXPECT_FALSE(result.found);
  EXPECT_FALSE(result.complete);
}

}  // namespace
}  // namespace gangpack
