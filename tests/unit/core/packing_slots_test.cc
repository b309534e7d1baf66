#include "core/packing_slots.h"

#include <string>

#include "gtest/gtest.h"
#include "tests/support/packing_builders.h"
#include "tests/support/reference_packer.h"
#include "tests/unit/core/random_packing.h"

namespace gangpack {
namespace {

TEST(PackingSlotsTest, ANodeCountsOnlyIfEveryMixOfItsSlotsFits) {
  PackingBuilder fits;  // three members, even 2 + 2 + 1
  fits.Kind(2, {2}).Kind(2, {1}).Nodes(1, {5});
  const NodeSlots counting = CountSlots(BuildPackingModel(fits.problem()));
  EXPECT_TRUE(counting.all_counting);
  EXPECT_EQ(counting.most, (std::vector<int>{3}));
  PackingBuilder short_by_one;  // three members, but not 2 + 2 + 1
  short_by_one.Kind(2, {2}).Kind(2, {1}).Nodes(1, {4});
  EXPECT_FALSE(CountSlots(BuildPackingModel(short_by_one.problem())).all_counting);
}

TEST(PackingSlotsTest, KindsThatAllStayApartShareOneSlot) {
  PackingBuilder builder;
  builder.Kind(1, {1}).Kind(1, {1}).Nodes(1, {8}).AntiAffinity(0, {1}, 0);
  const NodeSlots slots = CountSlots(BuildPackingModel(builder.problem()));
  EXPECT_TRUE(slots.all_counting);
  EXPECT_EQ(slots.most, (std::vector<int>{1}));
  PackingBuilder with_a_third;  // may join either of the two, so which kinds they are matters
  with_a_third.Kind(1, {1}).Kind(1, {1}).Kind(1, {1}).Nodes(1, {8}).AntiAffinity(0, {1}, 0);
  EXPECT_FALSE(CountSlots(BuildPackingModel(with_a_third.problem())).all_counting);
}

TEST(PackingSlotsTest, APlacedMemberMovesToMakeWay) {
  PackingBuilder builder;
  builder.Kind(1, {1}).Kind(1, {1}).Kind(1, {1}).Nodes(3, {1});
  builder.Infeasible(1, 1).Infeasible(2, 1).Infeasible(2, 2);
  const PackingModel model = BuildPackingModel(builder.problem());
  const NodeSlots slots = CountSlots(model);
  SlotPlanner planner(model, slots.most);
  EXPECT_EQ(planner.Add(0, 1), 1);  // node 0
  EXPECT_EQ(planner.Add(2, 1), 1);  // node 1
  EXPECT_EQ(planner.Add(1, 1), 1);  // only node 0 will do
  EXPECT_EQ(planner.placement().count, (std::vector<int>{0, 1, 0, 0, 0, 1, 1, 0, 0}));
}

TEST(PackingSlotsTest, NeverClaimsLessRoomThanThereIs) {
  for (int seed = 0; seed < 3000 && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const RandomPacking random = MakeRandomPacking(static_cast<uint64_t>(seed));
    const NodeSlots slots = CountSlots(BuildPackingModel(random.problem));
    const ReferencePacker reference(random.problem, random.kind_of_member);
    EXPECT_GE(slots.most_in_total, reference.MostPlaced());
  }
}

}  // namespace
}  // namespace gangpack
