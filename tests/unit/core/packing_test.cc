#include "core/packing.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/packing_builders.h"
#include "tests/support/reference_packer.h"

namespace gangpack {
namespace {

// The most members that fit at once; the answer must be proved and agree with itself.
int Most(const PackingBuilder& builder) {
  const PackingAnswer answer = EvaluatePacking(builder.problem(), PackingLimits());
  EXPECT_FALSE(answer.limit_reached);
  EXPECT_EQ(answer.fits_all, answer.most_placed == static_cast<int>(builder.Members().size()));
  return answer.most_placed;
}

// The node of each member in a plan for `need` of them, checked against the rules; empty if there
// is none.
std::vector<int> PlanOf(const PackingBuilder& builder, const std::vector<int>& members, int need) {
  const PackingPlan plan = PlanPacking(builder.problem(), members, need, PackingLimits());
  EXPECT_FALSE(plan.limit_reached);
  EXPECT_EQ(plan.node_of_member.size(), members.size());
  if (!plan.found) return {};
  std::string why;
  EXPECT_TRUE(AssignmentIsValid(builder.problem(), members, plan.node_of_member, &why)) << why;
  EXPECT_EQ(std::count(plan.node_of_member.begin(), plan.node_of_member.end(), -1),
            static_cast<int>(members.size()) - need);
  return plan.node_of_member;
}

std::vector<int> PlanOfAll(const PackingBuilder& builder) {
  const std::vector<int> members = builder.Members();
  return PlanOf(builder, members, static_cast<int>(members.size()));
}

using Nodes = std::vector<int>;

// Resources.

TEST(PackingTest, LeaderAndTwoWorkersFitOneNodeExactly) {
  PackingBuilder fits;  // cpu in milli, pod slots
  fits.Kind(1, {2500, 1}).Kind(2, {1250, 1}).Nodes(1, {5000, 3});
  EXPECT_EQ(PlanOfAll(fits), (Nodes{0, 0, 0}));
  PackingBuilder short_of_cpu;
  short_of_cpu.Kind(1, {2500, 1}).Kind(2, {1250, 1}).Nodes(1, {4999, 3});
  EXPECT_EQ(Most(short_of_cpu), 2);
  EXPECT_EQ(PlanOfAll(short_of_cpu), Nodes());
  PackingBuilder short_of_slots;
  short_of_slots.Kind(1, {2500, 1}).Kind(2, {1250, 1}).Nodes(1, {5000, 2});
  EXPECT_EQ(Most(short_of_slots), 2);
}

TEST(PackingTest, TheSumOfRoomIsNotAPlan) {
  PackingBuilder builder;  // 6 free in total, but no node holds a second member of 2
  builder.Kind(3, {2}).Nodes(2, {3});
  EXPECT_EQ(Most(builder), 2);
  PackingBuilder whole;
  whole.Kind(3, {2}).Nodes(1, {2}).Nodes(1, {4});
  EXPECT_EQ(Most(whole), 3);
}

TEST(PackingTest, MixedSizesThatFirstFitMissesStillFit) {
  PackingBuilder builder;  // 4+2 and 3+3 fill both nodes; 4+... with 3 first does not
  builder.Kind(2, {3}).Kind(1, {4}).Kind(1, {2}).Nodes(2, {6});
  EXPECT_EQ(Most(builder), 4);
  EXPECT_EQ(PlanOfAll(builder).size(), 4u);
  PackingBuilder short_by_one;
  short_by_one.Kind(2, {3}).Kind(1, {4}).Kind(1, {3}).Nodes(2, {6});
  EXPECT_EQ(Most(short_by_one), 3);
}

TEST(PackingTest, OneOverUsedResourceDoesNotKeepOutWhoDoesNotAskForIt) {
  PackingBuilder builder;
  builder.Kind(1, {1, 0}).Kind(1, {1, 1}).Nodes(1, {2, -4});
  EXPECT_EQ(Most(builder), 1);
  EXPECT_EQ(PlanOf(builder, {0, 1}, 1), (Nodes{0, -1}));
}

TEST(PackingTest, TheFlexibleMemberYieldsToThePinnedOne) {
  PackingBuilder builder;
  builder.Kind(1, {1}).Kind(1, {1}).Nodes(2, {1}).Infeasible(1, 1);
  EXPECT_EQ(PlanOfAll(builder), (Nodes{1, 0}));
  PackingBuilder both_pinned;
  both_pinned.Kind(1, {1}).Kind(1, {1}).Nodes(2, {1}).Infeasible(1, 0).Infeasible(1, 1);
  EXPECT_EQ(Most(both_pinned), 1);
}

TEST(PackingTest, NobodyToPlaceAlwaysFits) {
  PackingBuilder builder;
  builder.Kind(0, {1}).Nodes(1, {1});
  EXPECT_EQ(Most(builder), 0);
  EXPECT_TRUE(PlanPacking(builder.problem(), {}, 0, PackingLimits()).found);
  EXPECT_FALSE(PlanPacking(builder.problem(), {}, 1, PackingLimits()).found);
  PackingBuilder no_nodes;
  no_nodes.Kind(1, {1});
  EXPECT_EQ(Most(no_nodes), 0);
  EXPECT_EQ(PlanOf(no_nodes, {0}, 0), (Nodes{-1}));
}

// Anti-affinity and conflicts.

TEST(PackingTest, AntiAffinityPerHostPutsOneOnEachHost) {
  PackingBuilder builder;
  builder.Kind(3, {1}).Nodes(3, {8}).AntiAffinity(0, {0}, 0);
  EXPECT_EQ(PlanOfAll(builder), (Nodes{0, 1, 2}));
  PackingBuilder short_by_one;
  short_by_one.Kind(3, {1}).Nodes(2, {8}).AntiAffinity(0, {0}, 0);
  EXPECT_EQ(Most(short_by_one), 2);
}

TEST(PackingTest, AntiAffinityPerRackPutsOneInEachRack) {
  PackingBuilder builder;
  builder.Kind(2, {1}).Nodes(2, {8}, {0}).Nodes(2, {8}, {1}).AntiAffinity(0, {0}, 1);
  EXPECT_EQ(PlanOfAll(builder), (Nodes{0, 2}));
  PackingBuilder one_rack;
  one_rack.Kind(2, {1}).Nodes(4, {8}, {0}).AntiAffinity(0, {0}, 1);
  EXPECT_EQ(Most(one_rack), 1);
}

TEST(PackingTest, ANodeWithoutTheLabelSatisfiesAntiAffinityAndFailsAffinity) {
  PackingBuilder anti;
  anti.Kind(3, {1}).Nodes(1, {3}, {-1}).AntiAffinity(0, {0}, 1);
  EXPECT_EQ(Most(anti), 3);
  PackingBuilder affinity;
  affinity.Kind(3, {1}).Nodes(1, {3}, {-1}).Affinity(0, {0}, 1);
  EXPECT_EQ(Most(affinity), 0);
}

TEST(PackingTest, AntiAffinityHoldsAgainstPlacedSiblingsBothWays) {
  PackingBuilder owner_is_new;
  owner_is_new.Kind(1, {1}).Kind(0, {1}).Nodes(2, {4}).Placed(0, 1).AntiAffinity(0, {1}, 0);
  EXPECT_EQ(PlanOfAll(owner_is_new), (Nodes{1}));
  PackingBuilder owner_is_placed;
  owner_is_placed.Kind(1, {1}).Kind(0, {1}).Nodes(2, {4}).Placed(0, 1).AntiAffinity(1, {0}, 0);
  EXPECT_EQ(PlanOfAll(owner_is_placed), (Nodes{1}));
  PackingBuilder nobody_placed;
  nobody_placed.Kind(1, {1}).Kind(0, {1}).Nodes(2, {4}).AntiAffinity(1, {0}, 0);
  EXPECT_EQ(PlanOfAll(nobody_placed), (Nodes{0}));
}

TEST(PackingTest, KindsInConflictDoNotShareANode) {
  PackingBuilder apart;
  apart.Kind(1, {1}).Kind(1, {1}).Nodes(2, {4}).Conflict(0, 1);
  EXPECT_EQ(Most(apart), 2);
  PackingBuilder one_node;
  one_node.Kind(1, {1}).Kind(1, {1}).Nodes(1, {4}).Conflict(0, 1);
  EXPECT_EQ(Most(one_node), 1);
  PackingBuilder with_itself;
  with_itself.Kind(3, {1}).Nodes(2, {4}).Conflict(0, 0);
  EXPECT_EQ(Most(with_itself), 2);
}

// Affinity.

// A leader of 1 and two workers of 1 that need it in the same group of `level`; hosts of 2 slots,
// the first two in rack 0, the third in rack 1.
PackingBuilder LeaderAndWorkers(int level) {
  PackingBuilder builder;
  builder.Kind(1, {1}).Kind(2, {1}).Nodes(2, {2}, {0, 7}).Nodes(1, {2}, {1, 7});
  return builder.Affinity(1, {0}, level);
}

TEST(PackingTest, WorkersGoToTheLeadersHost) {
  EXPECT_EQ(Most(LeaderAndWorkers(0)), 2);
  PackingBuilder larger;
  larger.Kind(1, {1}).Kind(2, {1}).Nodes(3, {2}).Nodes(1, {3}).Affinity(1, {0}, 0);
  EXPECT_EQ(PlanOfAll(larger), (Nodes{3, 3, 3}));
}

TEST(PackingTest, WorkersGoToTheLeadersRack) {
  const PackingBuilder builder = LeaderAndWorkers(1);
  const Nodes nodes = PlanOfAll(builder);
  ASSERT_EQ(nodes.size(), 3u);
  EXPECT_TRUE(std::all_of(nodes.begin(), nodes.end(), [](int node) { return node < 2; }));
  PackingBuilder small_racks;
  small_racks.Kind(1, {1}).Kind(2, {1}).Nodes(1, {2}, {0}).Nodes(1, {2}, {1}).Affinity(1, {0}, 1);
  EXPECT_EQ(Most(small_racks), 2);
}

TEST(PackingTest, WorkersThatNeedTheLeaderInTheDomainUseAnyHostOfIt) {
  EXPECT_EQ(Most(LeaderAndWorkers(2)), 3);
  PackingBuilder leader_fits_nowhere;
  leader_fits_nowhere.Kind(1, {9}).Kind(2, {1}).Nodes(3, {2}, {7}).Affinity(1, {0}, 1);
  EXPECT_EQ(Most(leader_fits_nowhere), 0);
  PackingBuilder leader_is_placed;
  leader_is_placed.Kind(0, {9}).Kind(2, {1}).Nodes(3, {2}, {7}).Placed(2, 0).Affinity(1, {0}, 1);
  EXPECT_EQ(Most(leader_is_placed), 2);
}

TEST(PackingTest, APlacedLeaderDrawsItsWorkersToItsRack) {
  PackingBuilder builder;
  builder.Kind(0, {1}).Kind(2, {1}).Nodes(2, {2}, {0}).Nodes(1, {2}, {1});
  builder.Placed(2, 0).Affinity(1, {0}, 1);
  EXPECT_EQ(PlanOfAll(builder), (Nodes{2, 2}));
}

TEST(PackingTest, TheFirstOfAlikeMembersMayGoAnywhereAndTheOthersJoinIt) {
  PackingBuilder builder;
  builder.Kind(3, {1}).Nodes(2, {1}, {0}).Nodes(3, {1}, {1}).Affinity(0, {0}, 1);
  EXPECT_EQ(PlanOfAll(builder), (Nodes{2, 3, 4}));
  PackingBuilder split;  // two pairs would satisfy each other, but the others join the first
  split.Kind(4, {1}).Nodes(2, {1}, {0}).Nodes(2, {1}, {1}).Affinity(0, {0}, 1);
  EXPECT_EQ(Most(split), 2);
  PackingBuilder lone;
  lone.Kind(1, {1}).Nodes(1, {1}, {0}).Affinity(0, {0}, 1);
  EXPECT_EQ(Most(lone), 1);
}

TEST(PackingTest, OnceOneIsPlacedNobodyIsTheFirst) {
  PackingBuilder builder;
  builder.Kind(2, {1}).Nodes(1, {1}, {0}).Nodes(1, {8}, {1}).Placed(0, 0).Affinity(0, {0}, 1);
  EXPECT_EQ(Most(builder), 1);
  EXPECT_EQ(PlanOf(builder, {0, 0}, 1), (Nodes{0, -1}));
}

TEST(PackingTest, ATermSharedByTwoKindsHasOneFirstMember) {
  PackingBuilder builder;  // alike but for their requests: still one group for all
  builder.Kind(1, {1}).Kind(1, {2}).Nodes(1, {2}, {0}).Nodes(1, {2}, {1});
  builder.Affinity(0, {0, 1}, 1).Affinity(1, {0, 1}, 1);
  EXPECT_EQ(Most(builder), 1);
  PackingBuilder one_rack;
  one_rack.Kind(1, {1}).Kind(1, {2}).Nodes(2, {2}, {0});
  one_rack.Affinity(0, {0, 1}, 1).Affinity(1, {0, 1}, 1);
  EXPECT_EQ(Most(one_rack), 2);
}

TEST(PackingTest, MembersThatNeedEachOtherAreAdmittedTogether) {
  PackingBuilder builder;
  builder.Kind(1, {1}).Kind(1, {1}).Nodes(2, {2}).Affinity(0, {1}, 0).Affinity(1, {0}, 0);
  EXPECT_EQ(PlanOfAll(builder), (Nodes{0, 0}));
  EXPECT_EQ(PlanOf(builder, {0, 1}, 1), Nodes());
  PackingBuilder apart;
  apart.Kind(1, {1}).Kind(1, {1}).Nodes(2, {1}).Affinity(0, {1}, 0).Affinity(1, {0}, 0);
  EXPECT_EQ(Most(apart), 0);
}

TEST(PackingTest, RulesOfLevelsThatCrossEachOtherHoldAtOnce) {
  PackingBuilder
      builder;  // level 1: rows 0 0 1 1; level 2: columns 0 1 0 1; no two share a row or column
  builder.Kind(2, {1}).Nodes(1, {1}, {0, 0}).Nodes(1, {1}, {0, 1});
  builder.Nodes(1, {1}, {1, 0}).Nodes(1, {1}, {1, 1}).Infeasible(3, 0);
  builder.AntiAffinity(0, {0}, 1).AntiAffinity(0, {0}, 2);
  EXPECT_EQ(PlanOfAll(builder), (Nodes{1, 2}));
}

// Choice and order.

TEST(PackingTest, ThePreferredMembersAreChosen) {
  PackingBuilder builder;
  builder.Kind(1, {3}).Kind(2, {2}).Nodes(1, {4});
  EXPECT_EQ(PlanOf(builder, {0, 1, 1}, 1), (Nodes{0, -1, -1}));
  EXPECT_EQ(PlanOf(builder, {1, 0, 1}, 2), (Nodes{0, -1, 0}));
  EXPECT_EQ(PlanOf(builder, {0, 1, 1}, 2), (Nodes{-1, 0, 0}));
  EXPECT_EQ(PlanOf(builder, {0, 1, 1}, 3), Nodes());
}

TEST(PackingTest, AMemberIsNotChosenWithoutTheSiblingItNeeds) {
  PackingBuilder builder;
  builder.Kind(1, {1}).Kind(2, {1}).Nodes(1, {2}, {0}).Affinity(1, {0}, 1);
  EXPECT_EQ(PlanOf(builder, {1, 1, 0}, 2), (Nodes{0, -1, 0}));
  EXPECT_EQ(PlanOf(builder, {1, 1, 0}, 1), (Nodes{-1, -1, 0}));
}

TEST(PackingTest, NodesWithTheLeastRoomAreFilledFirst) {
  PackingBuilder builder;
  builder.Kind(3, {1}).Nodes(1, {8}).Nodes(1, {1}).Nodes(1, {2});
  EXPECT_EQ(PlanOfAll(builder), (Nodes{1, 2, 2}));
  PackingBuilder ties;
  ties.Kind(3, {1}).Nodes(3, {2});
  EXPECT_EQ(PlanOfAll(ties), (Nodes{0, 0, 1}));
}

// Limits.

TEST(PackingTest, ReachingTheLimitIsSaidAndWhatWasFoundIsAnswered) {
  PackingBuilder builder;  // all rules of one host: no quick step can settle it
  builder.Kind(2, {1}).Kind(4, {1}).Kind(4, {1}).Nodes(4, {4});
  builder.Affinity(1, {0}, 0).AntiAffinity(1, {2}, 0).Affinity(2, {0}, 0).AntiAffinity(0, {0}, 0);
  EXPECT_EQ(Most(builder), 8);
  PackingLimits limits;
  limits.states_max = 5;
  const PackingAnswer answer = EvaluatePacking(builder.problem(), limits);
  EXPECT_TRUE(answer.limit_reached);
  EXPECT_FALSE(answer.fits_all);
  EXPECT_LE(answer.most_placed, 8);
  const PackingPlan plan = PlanPacking(builder.problem(), builder.Members(), 10, limits);
  EXPECT_FALSE(plan.found);
}

TEST(PackingTest, AlikeMembersNeedNoSearch) {
  PackingBuilder builder;
  builder.Kind(1152, {4}).Nodes(1151, {7}).Nodes(1, {4});
  PackingLimits limits;
  limits.states_max = 0;
  EXPECT_TRUE(EvaluatePacking(builder.problem(), limits).fits_all);
  EXPECT_TRUE(PlanPacking(builder.problem(), builder.Members(), 1152, limits).found);
}

TEST(PackingTest, EighteenDistinctWholeNodeMembersNeedNoSearch) {
  for (int nodes : {18, 17}) {
    PackingBuilder builder;
    for (int i = 0; i < 18; ++i) builder.Kind(1, {8000 + 500 * i, 4});
    builder.Nodes(nodes, {144000, 4});
    for (int i = 0; i < nodes; ++i) builder.Infeasible(i, (i + 5) % 18);
    PackingLimits limits;
    limits.states_max = 0;
    const PackingAnswer answer = EvaluatePacking(builder.problem(), limits);
    EXPECT_EQ(answer.most_placed, nodes);
    EXPECT_FALSE(answer.limit_reached);
  }
}

TEST(PackingTest, WhenOnlyEnoughIsAskedTheMaximumIsNotSearched) {
  PackingBuilder builder;
  builder.Kind(2, {1}).Kind(4, {1}).Kind(4, {1}).Nodes(4, {4});
  builder.Affinity(1, {0}, 0).AntiAffinity(1, {2}, 0).Affinity(2, {0}, 0).AntiAffinity(0, {0}, 0);
  for (int enough : {1, 8, 9, 10}) {
    PackingLimits limits;
    limits.enough = enough;
    const PackingAnswer answer = EvaluatePacking(builder.problem(), limits);
    EXPECT_EQ(answer.most_placed >= enough, enough <= 8) << enough;
    EXPECT_LE(answer.most_placed, 8);
    EXPECT_FALSE(answer.fits_all);
    EXPECT_FALSE(answer.limit_reached);
  }
}

}  // namespace
}  // namespace gangpack
