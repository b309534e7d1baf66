// A packing problem in dense arrays, and whether a placement keeps the rules.
#include "core/packing_model.h"

#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/packing_builders.h"

namespace gangpack {
namespace {

using ::testing::ElementsAre;

PackingModel ModelOf(const PackingBuilder& builder) { return BuildPackingModel(builder.problem()); }

// True if the members, `count` per node and kind, keep the rules.
bool Holds(const PackingModel& model, const std::vector<int>& count) {
  PackingPlacement placement;
  placement.count = count;
  return SatisfiesRules(model, placement);
}

TEST(PackingModelTest, HasOnlyKindsWithDemandAndResourcesThatTheyRequest) {
  PackingBuilder builder;
  builder.Kind(0, {9, 9, 9}).Kind(2, {1, 0, 3}).Kind(1, {2}).Nodes(1, {4, 5, 6});
  const PackingModel model = ModelOf(builder);
  EXPECT_EQ(model.kinds, 2);
  EXPECT_THAT(model.problem_kind, ElementsAre(1, 2));
  EXPECT_THAT(model.demand, ElementsAre(2, 1));
  EXPECT_EQ(model.TotalDemand(), 3);
  EXPECT_EQ(model.resources, 2);
  EXPECT_THAT(model.request, ElementsAre(1, 3, 2, 0));
  EXPECT_THAT(model.free, ElementsAre(4, 6));
}

TEST(PackingModelTest, WhatIsFreeIsNeverNegativeAndZeroWhereItIsNotGiven) {
  PackingBuilder builder;
  builder.Kind(1, {1, 1}).Nodes(1, {-3, 5}).Nodes(1, {2});
  EXPECT_THAT(ModelOf(builder).free, ElementsAre(0, 5, 2, 0));
}

TEST(PackingModelTest, TheCapIsWhatFitsAloneAndNoMoreThanTheDemand) {
  PackingBuilder builder;
  builder.Kind(3, {2}).Nodes(1, {1}).Nodes(1, {2}).Nodes(1, {5}).Nodes(1, {6}).Nodes(1, {100});
  EXPECT_THAT(ModelOf(builder).cap, ElementsAre(0, 1, 2, 3, 3));
  builder.Infeasible(3, 0);
  EXPECT_THAT(ModelOf(builder).cap, ElementsAre(0, 1, 2, 0, 3));
}

TEST(PackingModelTest, RequestsThatWouldOverflowAreNoFit) {
  constexpr int64_t kHuge = int64_t{1} << 62;
  PackingBuilder builder;
  builder.Kind(4, {kHuge}).Nodes(1, {kHuge}).Nodes(1, {kHuge - 1});
  EXPECT_THAT(ModelOf(builder).cap, ElementsAre(1, 0));
}

TEST(PackingModelTest, AKindThatRepelsItselfHasACapOfOneWhereTheLabelIs) {
  for (const int level : {0, 1}) {
    PackingBuilder builder;
    builder.Kind(3, {1}).Nodes(1, {9}, {0}).Nodes(1, {9}, {-1}).AntiAffinity(0, {0}, level);
    EXPECT_THAT(ModelOf(builder).cap, level == 0 ? ElementsAre(1, 1) : ElementsAre(1, 3));
  }
}

TEST(PackingModelTest, NodesAreFilledFromTheLeastRoomOnAndEqualOnesAsGiven) {
  PackingBuilder builder;
  builder.Kind(1, {1}).Nodes(1, {3}).Nodes(1, {1}).Nodes(1, {3}).Nodes(1, {2});
  const PackingModel model = ModelOf(builder);
  EXPECT_THAT(model.room, ElementsAre(3, 1, 3, 2));
  EXPECT_THAT(model.order, ElementsAre(1, 3, 0, 2));
}

TEST(PackingModelTest, CriticalIsWhomOthersMayNeedAndMarkedWhosePresenceCosts) {
  PackingBuilder builder;
  builder.Kind(1, {1}).Kind(1, {1}).Kind(1, {1}).Kind(1, {1}).Nodes(2, {9}, {0}).Nodes(2, {9}, {1});
  builder.Affinity(0, {1}, 1).AntiAffinity(2, {2}, 1);
  const PackingModel model = ModelOf(builder);
  EXPECT_THAT(model.critical, ElementsAre(0, 1, 0, 0));
  EXPECT_THAT(model.marked, ElementsAre(1, 0, 1, 0));
}

TEST(PackingBudgetTest, IsReachedByTheFirstUnitThatIsNotThere) {
  PackingBudget budget{2, false};
  EXPECT_TRUE(budget.Spend());
  EXPECT_TRUE(budget.Spend());
  EXPECT_FALSE(budget.reached);
  EXPECT_FALSE(budget.Spend());
  EXPECT_TRUE(budget.reached);
  EXPECT_EQ(budget.left, 0);
}

TEST(SatisfiesRulesTest, KindsThatStayApartMayShareNoGroup) {
  PackingBuilder builder;  // nodes 0 and 1 in one group, node 2 in another
  builder.Kind(2, {1}).Kind(1, {1}).Nodes(2, {9}, {0}).Nodes(1, {9}, {1}).AntiAffinity(0, {1}, 1);
  const PackingModel model = ModelOf(builder);
  EXPECT_TRUE(Holds(model, {1, 0, 1, 0, 0, 1}));
  EXPECT_FALSE(Holds(model, {2, 0, 0, 1, 0, 0})) << "another node of the same group";
}

TEST(SatisfiesRulesTest, AKindThatRepelsItselfIsAloneInItsGroup) {
  PackingBuilder builder;
  builder.Kind(2, {1}).Nodes(2, {9}, {0}).Nodes(1, {9}, {1}).AntiAffinity(0, {0}, 1);
  const PackingModel model = ModelOf(builder);
  EXPECT_TRUE(Holds(model, {1, 0, 1}));
  EXPECT_FALSE(Holds(model, {1, 1, 0}));
}

TEST(SatisfiesRulesTest, AnOwnerNeedsASupporterInItsGroup) {
  PackingBuilder builder;
  builder.Kind(1, {1}).Kind(1, {1}).Nodes(2, {9}, {0}).Nodes(1, {9}, {1}).Affinity(0, {1}, 1);
  const PackingModel model = ModelOf(builder);
  EXPECT_TRUE(Holds(model, {1, 0, 0, 1, 0, 0}));
  EXPECT_FALSE(Holds(model, {1, 0, 0, 0, 0, 1}));
  EXPECT_TRUE(Holds(model, {0, 0, 0, 0, 0, 1})) << "without an owner nobody is needed";
}

TEST(SatisfiesRulesTest, OneGroupOfAKindThatSelectsItselfMayDoWithoutASupporter) {
  PackingBuilder builder;
  builder.Kind(2, {1}).Nodes(2, {9}, {0}).Nodes(1, {9}, {1}).Affinity(0, {0}, 1);
  const PackingModel model = ModelOf(builder);
  EXPECT_TRUE(Holds(model, {1, 1, 0}));
  EXPECT_FALSE(Holds(model, {1, 0, 1})) << "two groups that each satisfy themselves";
}

}  // namespace
}  // namespace gangpack
