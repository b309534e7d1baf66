#include "core/packing_spread_order.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/packing_builders.h"
#include "tests/support/prng.h"
#include "tests/support/reference_packer.h"
#include "tests/unit/core/random_packing.h"

namespace gangpack {
namespace {

// The members in the order of their kinds, on these nodes.
SpreadOrder Order(const PackingBuilder& builder, const std::vector<int>& nodes,
                  int64_t steps_max = 1000) {
  return FindSpreadOrder(builder.problem(), builder.Members(), nodes, steps_max);
}

PackingBuilder TwoRacks(int members) {
  PackingBuilder builder;
  builder.Kind(members, {1}).Nodes(1, {9}, {0}).Nodes(1, {9}, {1});
  return builder;
}

TEST(PackingSpreadOrderTest, TheLowestGroupFirstIsAnOrderWhateverTheMembersAreListedAs) {
  EXPECT_EQ(Order(TwoRacks(4).Spread(1, 1, {0, 2}), {0, 0, 0, 1}), SpreadOrder::kExists);
  EXPECT_EQ(Order(TwoRacks(4).Spread(1, 1, {0, 2}), {1, 0, 0, 0}), SpreadOrder::kExists);
}

TEST(PackingSpreadOrderTest, AGroupMayExceedTheLeastByMaxSkewAndNoMore) {
  EXPECT_EQ(Order(TwoRacks(2).Spread(1, 2, {0, 0}), {0, 0}), SpreadOrder::kExists);
  EXPECT_EQ(Order(TwoRacks(3).Spread(1, 2, {0, 0}), {0, 0, 0}), SpreadOrder::kNone);
  EXPECT_EQ(Order(TwoRacks(2).Spread(1, 1, {0, 5}), {0, -1}), SpreadOrder::kExists)
      << "a group that gets nobody may be as high as it is";
}

TEST(PackingSpreadOrderTest, WhoIsCountedAndNotBoundMayComeLastOrLiftTheLeastFirst) {
  PackingBuilder last;
  last.Kind(1, {1}).Kind(5, {1}).Nodes(1, {9}, {0}).Nodes(1, {9}, {1});
  last.Spread(1, 1, {0, 0}).Unbound(1);
  EXPECT_EQ(Order(last, {0, 0, 0, 0, 0, 0}), SpreadOrder::kExists);
  PackingBuilder lifts;
  lifts.Kind(2, {1}).Kind(1, {1}).Nodes(1, {9}, {0}).Nodes(1, {9}, {1});
  lifts.Spread(1, 1, {0, 0}).Unbound(1);
  EXPECT_EQ(Order(lifts, {0, 0, 1}), SpreadOrder::kExists);
  EXPECT_EQ(Order(lifts, {0, 0, 0}), SpreadOrder::kNone);
}

// Two racks and two rows that cross: each member waits for the other.
PackingBuilder Crossing(const std::vector<int>& racks, const std::vector<int>& rows) {
  PackingBuilder builder;
  builder.Kind(2, {1}).Nodes(1, {9}, {0, 0}).Nodes(1, {9}, {1, 1});
  builder.Spread(1, 1, racks).Spread(2, 1, rows);
  return builder;
}

TEST(PackingSpreadOrderTest, ConstraintsThatHoldAfterThePlanMayLeaveNoOrder) {
  EXPECT_EQ(Order(Crossing({0, 1}, {1, 0}), {0, 1}), SpreadOrder::kNone);
  EXPECT_EQ(Order(Crossing({0, 1}, {0, 1}), {0, 1}), SpreadOrder::kExists);
  EXPECT_EQ(Order(Crossing({0, 0}, {1, 0}), {0, 1}), SpreadOrder::kExists);
}

TEST(PackingSpreadOrderTest, AConstraintWhoseLeastStaysAllowsEveryOrder) {
  PackingBuilder builder = Crossing({0, 1}, {1, 0});
  EXPECT_EQ(Order(builder, {0, 1}, 0), SpreadOrder::kUnknown);
  PackingBuilder fixed;
  fixed.Kind(2, {1}).Nodes(1, {9}, {0, 0}).Nodes(1, {9}, {1, 1});
  fixed.Spread(1, 1, {0, 1}).Spread(2, 2, {1, 0}, 0);
  EXPECT_EQ(Order(fixed, {0, 1}, 0), SpreadOrder::kExists);
}

TEST(PackingSpreadOrderTest, AgreesWithTheReferenceOnRandomPlans) {
  int orders = 0;
  int none = 0;
  for (int seed = 0; seed < 20000 && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomPacking random = MakeRandomSpreadPacking(static_cast<uint64_t>(seed));
    random.problem.rules.clear();
    random.problem.node_conflict.clear();
    for (PackingNode& node : random.problem.nodes) node.free.assign(node.free.size(), 1000);
    Prng prng(static_cast<uint64_t>(seed));
    std::vector<int> nodes;
    for (const int kind : random.kind_of_member) {
      const int node = prng.Between(0, static_cast<int>(random.problem.nodes.size()) - 1);
      const std::vector<uint8_t>& feasible =
          random.problem.nodes[static_cast<size_t>(node)].feasible;
      nodes.push_back(feasible[static_cast<size_t>(kind)] ? node : -1);
    }
    const SpreadOrder order = FindSpreadOrder(random.problem, random.kind_of_member, nodes, 100000);
    const bool expected = AssignmentIsValid(random.problem, random.kind_of_member, nodes, nullptr);
    EXPECT_EQ(order, expected ? SpreadOrder::kExists : SpreadOrder::kNone);
    ++(expected ? orders : none);
  }
  EXPECT_GT(orders, 2000);
  EXPECT_GT(none, 2000);
}

}  // namespace
}  // namespace gangpack
