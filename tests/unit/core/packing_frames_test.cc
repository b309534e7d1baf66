// What topology spread means to a gang, rule by rule, through the public questions.
#include "core/packing_frames.h"

#include <algorithm>
#include <string>
#include <vector>

#include "core/packing.h"
#include "gtest/gtest.h"
#include "tests/support/packing_builders.h"
#include "tests/support/reference_packer.h"

namespace gangpack {
namespace {

constexpr int kNone = PackingSpread::kNoOtherGroup;

int Most(const PackingBuilder& builder) {
  const PackingAnswer answer = EvaluatePacking(builder.problem(), PackingLimits());
  EXPECT_FALSE(answer.limit_reached);
  EXPECT_EQ(answer.fits_all, answer.most_placed == static_cast<int>(builder.Members().size()));
  return answer.most_placed;
}

std::vector<int> PlanOf(const PackingBuilder& builder, const std::vector<int>& members, int need) {
  const PackingPlan plan = PlanPacking(builder.problem(), members, need, PackingLimits());
  EXPECT_FALSE(plan.limit_reached);
  if (!plan.found) return {};
  std::string why;
  EXPECT_TRUE(AssignmentIsValid(builder.problem(), members, plan.node_of_member, &why)) << why;
  EXPECT_EQ(std::count(plan.node_of_member.begin(), plan.node_of_member.end(), -1),
            static_cast<int>(members.size()) - need);
  return plan.node_of_member;
}

using Nodes = std::vector<int>;

// Members alike on racks of one node each, with so many places on each.
PackingBuilder Racks(int members, const std::vector<int64_t>& places) {
  PackingBuilder builder;
  builder.Kind(members, {1});
  for (size_t i = 0; i < places.size(); ++i) builder.Nodes(1, {places[i]}, {static_cast<int>(i)});
  return builder;
}

TEST(PackingFramesTest, NoGroupExceedsTheLowestByMoreThanMaxSkew) {
  EXPECT_EQ(Most(Racks(6, {9, 2}).Spread(1, 1, {0, 0})), 5) << "3 and 2";
  EXPECT_EQ(Most(Racks(6, {9, 2}).Spread(1, 2, {0, 0})), 6) << "4 and 2";
  EXPECT_EQ(Most(Racks(6, {9, 0}).Spread(1, 1, {0, 0})), 1) << "rack 1 stays at 0";
}

TEST(PackingFramesTest, PodsThatAreThereCount) {
  EXPECT_EQ(Most(Racks(3, {9, 9}).Spread(1, 1, {0, 3})), 3);
  EXPECT_EQ(PlanOf(Racks(3, {9, 9}).Spread(1, 1, {0, 3}), {0, 0, 0}, 3), (Nodes{0, 0, 0}));
  EXPECT_EQ(Most(Racks(3, {9, 0}).Spread(1, 1, {3, 0})), 0);
  EXPECT_EQ(Most(Racks(3, {9, 0}).Spread(1, 4, {3, 0})), 1);
}

TEST(PackingFramesTest, InADomainOfOneGroupTheGroupsOutsideSetACapOnTheTotal) {
  for (const int outside : {0, 1, 2}) {
    PackingBuilder builder;
    builder.Kind(4, {1}).Nodes(4, {1}, {0}).Spread(1, 1, {0, 0, 0, 0}, outside);
    EXPECT_EQ(Most(builder), outside + 1);
  }
  PackingBuilder alone;
  alone.Kind(4, {1}).Nodes(4, {1}, {0}).Spread(1, 1, {0, 0, 0, 0}, kNone);
  EXPECT_EQ(Most(alone), 4) << "the only group is the lowest itself";
}

TEST(PackingFramesTest, WithFewerGroupsThanMinDomainsTheLeastIsZero) {
  EXPECT_EQ(Most(Racks(6, {9, 9}).Spread(1, 2, {0, 0}).LeastIsZero()), 4);
  EXPECT_EQ(Most(Racks(6, {9, 9}).Spread(1, 2, {1, 1}).LeastIsZero()), 2);
}

TEST(PackingFramesTest, OnEachHostOnceIfAHostOutsideHasNone) {
  PackingBuilder builder;
  builder.Kind(3, {1}).Nodes(3, {8}).Spread(0, 1, {0, 0, 0}, 0);
  EXPECT_EQ(PlanOf(builder, {0, 0, 0}, 3), (Nodes{0, 1, 2}));
  PackingBuilder short_by_one;
  short_by_one.Kind(3, {1}).Nodes(2, {8}).Spread(0, 1, {0, 0}, 0);
  EXPECT_EQ(Most(short_by_one), 2);
}

TEST(PackingFramesTest, SiblingsThatAreCountedAndNotBoundLiftTheLeast) {
  PackingBuilder builder;  // two of kind 0 in rack 0 need one of kind 1 in rack 1
  builder.Kind(2, {1}).Kind(1, {1}).Nodes(1, {9}, {0}).Nodes(1, {1}, {1});
  builder.Infeasible(1, 0).Spread(1, 1, {0, 0}).Unbound(1);
  EXPECT_EQ(PlanOf(builder, {0, 0, 1}, 3), (Nodes{0, 0, 1}));
  EXPECT_EQ(PlanOf(builder, {0, 0, 1}, 2), (Nodes{0, -1, 1})) << "without kind 1 one is too many";
  PackingBuilder uncounted;
  uncounted.Kind(2, {1}).Kind(1, {1}).Nodes(1, {9}, {0}).Nodes(1, {1}, {1});
  uncounted.Infeasible(1, 0).Spread(1, 1, {0, 0}).Unbound(1).Uncounted(1);
  EXPECT_EQ(Most(uncounted), 2);
}

TEST(PackingFramesTest, WhoIsBoundAndNotCountedGoesAnywhereWithinMaxSkew) {
  EXPECT_EQ(Most(Racks(9, {9, 0}).Spread(1, 1, {1, 0}).Uncounted(0)), 9);
  EXPECT_EQ(Most(Racks(9, {9, 0}).Spread(1, 1, {2, 0}).Uncounted(0)), 0);
}

TEST(PackingFramesTest, TheLeaderAloneIsSpreadAndItsWorkersAreNot) {
  PackingBuilder builder;  // rack 0 has a leader already
  builder.Kind(1, {1}).Kind(3, {1}).Nodes(2, {1}, {0}).Nodes(2, {1}, {1});
  builder.Spread(1, 1, {1, 1, 0, 0}).Unbound(1).Uncounted(1);
  EXPECT_EQ(PlanOf(builder, {0, 1, 1, 1}, 4), (Nodes{2, 0, 1, 3}));
}

TEST(PackingFramesTest, ThePreferredMembersAreChosenOverAllNumbersOfTheLeast) {
  PackingBuilder builder;  // kind 1 goes to rack 1 only; two of kind 0 need one there
  builder.Kind(2, {1}).Kind(1, {1}).Nodes(1, {9}, {0}).Nodes(1, {9}, {1});
  builder.Infeasible(1, 0).Infeasible(0, 1).Spread(1, 1, {0, 0});
  EXPECT_EQ(PlanOf(builder, {0, 0, 1}, 2), (Nodes{0, -1, 1}));
  EXPECT_EQ(PlanOf(builder, {0, 0, 1}, 3), (Nodes{0, 0, 1}));
  EXPECT_EQ(PlanOf(builder, {0, 0, 1}, 4), Nodes());
}

TEST(PackingFramesTest, TwoConstraintsNeedOneOrderForBoth) {
  const auto crossing = [](int skew_of_rows) {
    PackingBuilder builder;
    builder.Kind(2, {1}).Nodes(1, {1}, {0, 0}).Nodes(1, {1}, {1, 1});
    builder.Spread(1, 1, {0, 1}).Spread(2, skew_of_rows, {1, 0});
    return builder;
  };
  EXPECT_EQ(Most(crossing(1)), 0) << "each of the two would have to come second";
  EXPECT_EQ(PlanOf(crossing(1), {0, 0}, 2), Nodes());
  EXPECT_EQ(Most(crossing(2)), 2);
  EXPECT_EQ(PlanOf(crossing(2), {0, 0}, 2), (Nodes{0, 1}));
}

TEST(PackingFramesTest, WhereNoOrderIsFoundWithinTheLimitNothingIsProved) {
  PackingBuilder builder;
  builder.Kind(2, {1}).Nodes(1, {1}, {0, 0}).Nodes(1, {1}, {1, 1});
  builder.Spread(1, 1, {0, 1}).Spread(2, 1, {1, 0});
  PackingLimits limits;
  limits.states_max = 0;
  EXPECT_TRUE(EvaluatePacking(builder.problem(), limits).limit_reached);
  const PackingPlan plan = PlanPacking(builder.problem(), {0, 0}, 2, limits);
  EXPECT_FALSE(plan.found);
  EXPECT_TRUE(plan.limit_reached);
}

TEST(PackingFramesTest, ManyAlikeMembersOverManyRacksNeedNoSearch) {
  for (const int missing : {0, 1}) {
    PackingBuilder builder;
    builder.Kind(1152, {1});
    for (int rack = 0; rack < 64; ++rack) builder.Nodes(rack == 0 ? 18 - missing : 18, {1}, {rack});
    builder.Spread(1, 1, std::vector<int>(static_cast<size_t>(1152 - missing), 0));
    builder.Spread(0, 1, std::vector<int>(static_cast<size_t>(1152 - missing), 0), 0);
    PackingLimits limits;
    limits.states_max = 0;
    const PackingAnswer answer = EvaluatePacking(builder.problem(), limits);
    EXPECT_EQ(answer.most_placed, 1152 - missing);
    EXPECT_FALSE(answer.limit_reached);
    EXPECT_EQ(PlanPacking(builder.problem(), builder.Members(), 1152, limits).found, missing == 0);
  }
}

}  // namespace
}  // namespace gangpack
