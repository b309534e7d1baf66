#include "core/packing_greedy.h"

#include <string>

#include "gtest/gtest.h"
#include "tests/support/packing_builders.h"
#include "tests/support/reference_packer.h"
#include "tests/unit/core/random_packing.h"

namespace gangpack {
namespace {

TEST(PackingGreedyTest, NeverBreaksARule) {
  int complete = 0;
  for (int seed = 0; seed < 5000 && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const RandomPacking random = MakeRandomPacking(static_cast<uint64_t>(seed));
    const PackingModel model = BuildPackingModel(random.problem);
    for (const PackingPlacement& placement :
         {PlaceGreedily(model, model.demand), PlaceLightest(model, 0, random.members(), 8)}) {
      if (placement.count.empty()) continue;
      complete += placement.total == random.members() ? 1 : 0;
      std::string why;
      const std::vector<int> nodes = NodesOf(model, placement, random.kind_of_member);
      EXPECT_TRUE(AssignmentIsValid(random.problem, random.kind_of_member, nodes, &why)) << why;
    }
  }
  EXPECT_GT(complete, 1000);
}

TEST(PackingGreedyTest, FillsTheNodeWithTheLeastRoomFirst) {
  PackingBuilder builder;
  builder.Kind(3, {1}).Nodes(1, {8}).Nodes(1, {2}).Nodes(1, {3});
  const PackingModel model = BuildPackingModel(builder.problem());
  EXPECT_EQ(PlaceGreedily(model, {3}).count, (std::vector<int>{0, 2, 1}));
}

TEST(PackingGreedyTest, TheLightestGoWhereNotAllFit) {
  PackingBuilder builder;  // by size alone, 5 of 8 would be taken by one member
  builder.Kind(1, {5}).Kind(4, {2}).Nodes(1, {8});
  const PackingModel model = BuildPackingModel(builder.problem());
  EXPECT_EQ(PlaceLightest(model, 2, 4, 8).count, (std::vector<int>{0, 4}));
  EXPECT_TRUE(PlaceLightest(model, 4, 4, 8).count.empty());
}

}  // namespace
}  // namespace gangpack
