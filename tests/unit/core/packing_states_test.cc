#include "core/packing_states.h"

#include <algorithm>
#include <numeric>
#include <string>

#include "gtest/gtest.h"
#include "tests/support/packing_builders.h"
#include "tests/support/reference_packer.h"
#include "tests/unit/core/random_packing.h"

namespace gangpack {
namespace {

constexpr int kClusters = 5000;

int MostOf(const PackingModel& model, const PackingStates& states) {
  int most = 0;
  for (int i = 0; i < states.found(); ++i) {
    const int* counts = states.FoundCounts(i);
    most = std::max(most, std::accumulate(counts, counts + model.kinds, 0));
  }
  return most;
}

TEST(PackingStatesTest, FindsTheMostAndOnlyValidPlansWithoutTheQuickSteps) {
  for (int seed = 0; seed < kClusters && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const RandomPacking random = MakeRandomPacking(static_cast<uint64_t>(seed));
    const PackingModel model = BuildPackingModel(random.problem);
    PackingBudget budget{1000000, false};
    const PatternTable patterns = EnumeratePatterns(model, &budget);
    PackingStates states(model, patterns, 64);
    states.Search(model.demand, 0, &budget);
    ASSERT_FALSE(budget.reached);
    const ReferencePacker reference(random.problem, random.kind_of_member);
    EXPECT_EQ(MostOf(model, states), reference.MostPlaced());
    for (int i = 0; i < states.found(); ++i) {
      std::string why;
      const std::vector<int> nodes = NodesOf(model, states.Trace(i), random.kind_of_member);
      EXPECT_TRUE(AssignmentIsValid(random.problem, random.kind_of_member, nodes, &why)) << why;
    }
    // One more than possible is cut, not found.
    states.Search(model.demand, reference.MostPlaced() + 1, &budget);
    EXPECT_EQ(states.found(), 0);
  }
}

TEST(PackingStatesTest, GoesOnWithAFewStatesOnceTheBudgetIsReached) {
  PackingBuilder builder;
  builder.Kind(6, {3}).Kind(6, {2}).Kind(6, {1}).Nodes(9, {4});
  const PackingModel model = BuildPackingModel(builder.problem());
  PackingBudget for_patterns{1000, false};
  const PatternTable patterns = EnumeratePatterns(model, &for_patterns);
  PackingStates states(model, patterns, 64);
  PackingBudget budget{20, false};
  states.Search(model.demand, 12, &budget);
  EXPECT_TRUE(budget.reached);
  ASSERT_GT(states.found(), 0);
  EXPECT_LE(states.found(), PackingStates::kBeam);
  EXPECT_GE(MostOf(model, states), 12);
}

TEST(PackingStatesTest, NodesThatAreAlikeShareTheirPatterns) {
  PackingBuilder builder;
  builder.Kind(2, {2}).Kind(2, {1}).Nodes(3, {4}).Nodes(1, {100}).Nodes(1, {1});
  const PackingModel model = BuildPackingModel(builder.problem());
  PackingBudget budget{1000, false};
  const PatternTable patterns = EnumeratePatterns(model, &budget);
  // 100 free units are no more use than 6, which all members need together.
  EXPECT_EQ(patterns.class_of_node, (std::vector<int>{0, 0, 0, 1, 2}));
  EXPECT_EQ(patterns.classes[0].count, (std::vector<int>{1, 2, 2, 0}));
  EXPECT_EQ(patterns.classes[1].count, (std::vector<int>{2, 2}));
  EXPECT_EQ(patterns.classes[2].count, (std::vector<int>{0, 1}));
}

}  // namespace
}  // namespace gangpack
