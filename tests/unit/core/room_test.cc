#include "core/room.h"

#include <limits>

#include "gtest/gtest.h"
#include "tests/support/packing_builders.h"

namespace gangpack {
namespace {

int64_t RoomOfNode(const PackingBuilder& builder, size_t node = 0) {
  const int64_t room = NodeRoom(builder.problem(), builder.problem().nodes[node]);
  EXPECT_EQ(NodeRooms(builder.problem())[node], room);
  return room;
}

TEST(RoomTest, ANodeCountsForAllThatFitWithoutACapAtTheDemand) {
  PackingBuilder builder;
  builder.Kind(2, {1}).Nodes(1, {8}).Nodes(3, {1});
  EXPECT_EQ(RoomOfNode(builder, 0), 8);
  EXPECT_EQ(RoomOfNode(builder, 1), 1);
  EXPECT_EQ(DomainRoom(builder.problem()), 11);
}

TEST(RoomTest, AGangOfTwoPrefersThreeFreeSlotsToAnEmptyNodeOfEight) {
  PackingBuilder three_slots;
  three_slots.Kind(2, {1}).Nodes(3, {1});
  PackingBuilder empty_node;
  empty_node.Kind(2, {1}).Nodes(1, {8});
  EXPECT_LT(DomainRoom(three_slots.problem()), DomainRoom(empty_node.problem()));
}

TEST(RoomTest, TheScarcestResourceDecides) {
  PackingBuilder builder;
  builder.Kind(9, {2, 1}).Nodes(1, {8, 4}).Nodes(1, {7, 4}).Nodes(1, {8, 3});
  EXPECT_EQ(RoomOfNode(builder, 0), 4);
  EXPECT_EQ(RoomOfNode(builder, 1), 3);
  EXPECT_EQ(RoomOfNode(builder, 2), 3);
}

TEST(RoomTest, TheLargestRequestPerResourceSizesTheNode) {
  PackingBuilder builder;  // sized as 3 and 4, though no member asks for both
  builder.Kind(1, {3, 1}).Kind(1, {1, 4}).Nodes(1, {6, 8});
  EXPECT_EQ(RoomOfNode(builder), 2);
}

TEST(RoomTest, AMemberThatFitsNowhereOnTheNodeDoesNotSizeIt) {
  PackingBuilder too_large;
  too_large.Kind(1, {5}).Kind(1, {1}).Nodes(1, {4}).Nodes(1, {5});
  EXPECT_EQ(RoomOfNode(too_large, 0), 4);
  EXPECT_EQ(RoomOfNode(too_large, 1), 1);
  PackingBuilder infeasible;
  infeasible.Kind(1, {4}).Kind(1, {1}).Nodes(1, {4}).Infeasible(0, 0);
  EXPECT_EQ(RoomOfNode(infeasible), 4);
  PackingBuilder no_demand;
  no_demand.Kind(0, {4}).Kind(1, {1}).Nodes(1, {4});
  EXPECT_EQ(RoomOfNode(no_demand), 4);
}

TEST(RoomTest, ANodeThatFitsNobodyCountsForNone) {
  PackingBuilder builder;
  builder.Kind(1, {5}).Nodes(1, {4}).AntiAffinity(0, {0}, 0);
  EXPECT_EQ(RoomOfNode(builder), 0);
}

TEST(RoomTest, ANodeCountsForOneWhereMembersRepelEachOther) {
  PackingBuilder each_other;
  each_other.Kind(2, {1}).Nodes(1, {8}).AntiAffinity(0, {0}, 1);
  EXPECT_EQ(RoomOfNode(each_other), 1);
  PackingBuilder another_kind;
  another_kind.Kind(1, {1}).Kind(1, {1}).Nodes(1, {8}).AntiAffinity(0, {1}, 0);
  EXPECT_EQ(RoomOfNode(another_kind), 1);
}

TEST(RoomTest, ATermThatSelectsOnlyItsOwnPodRepelsNobody) {
  PackingBuilder lone;
  lone.Kind(1, {1}).Nodes(2, {8}).AntiAffinity(0, {0}, 0);
  EXPECT_EQ(RoomOfNode(lone), 8);
  PackingBuilder with_a_placed_one = lone;
  with_a_placed_one.Placed(1, 0);
  EXPECT_EQ(RoomOfNode(with_a_placed_one), 1);
  PackingBuilder selects_nobody;
  selects_nobody.Kind(2, {1}).Nodes(1, {8}).AntiAffinity(0, {}, 0);
  EXPECT_EQ(RoomOfNode(selects_nobody), 8);
  PackingBuilder affinity;
  affinity.Kind(2, {1}).Nodes(1, {8}).Affinity(0, {0}, 0);
  EXPECT_EQ(RoomOfNode(affinity), 8);
}

TEST(RoomTest, TheSumIsSaturated) {
  PackingBuilder builder;
  builder.Kind(1, {1}).Nodes(2, {std::numeric_limits<int64_t>::max()});
  EXPECT_EQ(DomainRoom(builder.problem()), std::numeric_limits<int64_t>::max());
}

}  // namespace
}  // namespace gangpack
