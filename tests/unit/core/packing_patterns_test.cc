// What one node can take: which mixes are kept, and which nodes share them.
#include "core/packing_patterns.h"

#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/packing_builders.h"

namespace gangpack {
namespace {

using ::testing::ElementsAre;

struct Enumerated {
  explicit Enumerated(const PackingBuilder& builder, int64_t states = 1000)
      : model(BuildPackingModel(builder.problem())), budget{states, false} {
    table = EnumeratePatterns(model, &budget);
  }
  // Members per kind, pattern by pattern, of the node's class.
  std::vector<std::vector<int>> Of(size_t node) const {
    const PatternClass& patterns = table.classes[static_cast<size_t>(table.class_of_node[node])];
    std::vector<std::vector<int>> lists;
    for (int p = 0; p < patterns.size; ++p) {
      const auto begin = patterns.count.begin() + static_cast<std::ptrdiff_t>(model.Cell(p, 0));
      lists.emplace_back(begin, begin + model.kinds);
    }
    return lists;
  }
  PackingModel model;
  PackingBudget budget;
  PatternTable table;
};

using Mix = std::vector<int>;

TEST(PackingPatternsTest, AreTheLargestMixesWithMoreMembersFirst) {
  PackingBuilder builder;
  builder.Kind(2, {2}).Kind(4, {1}).Nodes(1, {4});
  EXPECT_THAT(Enumerated(builder).Of(0), ElementsAre(Mix{0, 4}, Mix{1, 2}, Mix{2, 0}));
  PackingBuilder roomy;
  roomy.Kind(2, {2}).Kind(4, {1}).Nodes(1, {8});
  EXPECT_THAT(Enumerated(roomy).Of(0), ElementsAre(Mix{2, 4})) << "all fit";
  PackingBuilder full;
  full.Kind(2, {2}).Kind(4, {1}).Nodes(1, {0});
  EXPECT_THAT(Enumerated(full).Of(0), ElementsAre(Mix{0, 0}));
}

TEST(PackingPatternsTest, OfKindsThatStayApartOneAloneIsThere) {
  PackingBuilder builder;
  builder.Kind(2, {1}).Kind(2, {1}).Nodes(1, {4}).Conflict(0, 1);
  EXPECT_THAT(Enumerated(builder).Of(0), ElementsAre(Mix{2, 0}, Mix{0, 2}));
}

TEST(PackingPatternsTest, EveryNumberOfACriticalKindIsKept) {
  PackingBuilder builder;  // kind 1 supports kind 0 in its group, so it matters how many are here
  builder.Kind(1, {1}).Kind(2, {1}).Nodes(1, {1}, {0}).Nodes(1, {2}, {1}).Affinity(0, {1}, 1);
  const std::vector<Mix> patterns = Enumerated(builder).Of(1);
  for (const Mix& mix : {Mix{0, 2}, Mix{0, 1}, Mix{0, 0}}) {
    EXPECT_THAT(patterns, ::testing::Contains(mix));
  }
}

TEST(PackingPatternsTest, AnOwnerOnItsNodeAloneNeedsItsSupporterThere) {
  PackingBuilder builder;
  builder.Kind(1, {1}).Kind(1, {1}).Nodes(2, {2}).Affinity(0, {1}, 0);
  const std::vector<Mix> patterns = Enumerated(builder).Of(0);
  EXPECT_THAT(patterns, ::testing::Contains(Mix{1, 1}));
  EXPECT_THAT(patterns, ::testing::Not(::testing::Contains(Mix{1, 0})));
}

TEST(PackingPatternsTest, APatternTellsThatItTakesTheFirstGroup) {
  PackingBuilder builder;
  builder.Kind(2, {1}).Nodes(2, {1}).Affinity(0, {0}, 0);
  const Enumerated enumerated(builder);
  const PatternClass& patterns = enumerated.table.classes[0];
  ASSERT_THAT(enumerated.Of(0), ElementsAre(Mix{1}, Mix{0}));
  EXPECT_THAT(patterns.first_group, ElementsAre(1, 0));
}

TEST(PackingPatternsTest, NodesShareAClassIfWhatMattersIsAlike) {
  PackingBuilder builder;  // what all members together could not use makes no difference
  builder.Kind(2, {2}).Nodes(1, {4}).Nodes(1, {400}).Nodes(1, {3}).Nodes(1, {2});
  EXPECT_THAT(Enumerated(builder).table.class_of_node, ElementsAre(0, 0, 1, 1))
      << "the third node fits one member, as the fourth does";
  builder.Infeasible(1, 0);
  EXPECT_THAT(Enumerated(builder).table.class_of_node, ElementsAre(0, 1, 2, 2));
}

TEST(PackingPatternsTest, AClassIsTruncatedOnceTheBudgetIsReachedAndWhatItHasIsRight) {
  PackingBuilder builder;
  builder.Kind(2, {2}).Kind(4, {1}).Nodes(1, {4});
  const Enumerated all(builder);
  EXPECT_FALSE(all.table.classes[0].truncated);
  const int64_t spent = 1000 - all.budget.left;
  EXPECT_FALSE(Enumerated(builder, spent).table.classes[0].truncated);
  const Enumerated cut(builder, spent - 1);
  EXPECT_TRUE(cut.table.classes[0].truncated);
  EXPECT_TRUE(cut.budget.reached);
  ASSERT_GT(cut.table.classes[0].size, 0);
  for (const Mix& mix : cut.Of(0)) EXPECT_LE(2 * mix[0] + mix[1], 4);
}

}  // namespace
}  // namespace gangpack
