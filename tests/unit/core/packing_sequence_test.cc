// In which order the exact search decides nodes, and what it tracks of groups on the way.
#include "core/packing_sequence.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/packing_builders.h"

namespace gangpack {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

PackingSequence SequenceOf(const PackingBuilder& builder) {
  return SequenceNodes(BuildPackingModel(builder.problem()));
}

// "group@slot", with "+" where the node opens the group and "-" where it closes it, of each touch.
std::vector<std::string> TouchesOf(const PackingSequence& sequence, int level) {
  std::vector<std::string> touches;
  for (const std::vector<GroupTouch>& at : sequence.touches) {
    std::string text;
    for (const GroupTouch& touch : at) {
      if (touch.level != level) continue;
      absl::StrAppend(&text, touch.opens ? "+" : "", touch.closes ? "-" : "", touch.group, "@",
                      touch.slot);
    }
    touches.push_back(text);
  }
  return touches;
}

TEST(PackingSequenceTest, WithoutRulesAboveTheNodeItIsTheOrderInWhichNodesAreFilled) {
  PackingBuilder builder;
  builder.Kind(2, {1}).Nodes(1, {3}, {0}).Nodes(1, {1}, {1}).Nodes(1, {2}, {0});
  builder.AntiAffinity(0, {0}, 0);
  const PackingSequence sequence = SequenceOf(builder);
  EXPECT_THAT(sequence.nodes, ElementsAre(0, 1, 2)) << "each node counts for one member";
  EXPECT_THAT(sequence.touches, IsEmpty());
  EXPECT_EQ(sequence.slots_width, 0);
}

TEST(PackingSequenceTest, ATrackedGroupIsInOnePieceTheOneWithTheLeastRoomFirst) {
  PackingBuilder builder;  // rooms: group 0 has 1 + 2, group 1 has 1 + 1
  builder.Kind(1, {1}).Kind(1, {1});
  builder.Nodes(1, {1}, {0}).Nodes(1, {1}, {1}).Nodes(1, {2}, {0}).Nodes(1, {1}, {1});
  builder.Affinity(0, {1}, 1);
  const PackingSequence sequence = SequenceOf(builder);
  EXPECT_THAT(sequence.nodes, ElementsAre(1, 3, 0, 2));
  EXPECT_THAT(TouchesOf(sequence, 1), ElementsAre("+1@0", "-1@0", "+0@0", "-0@0"))
      << "the slot of a group that is closed serves the next";
  EXPECT_EQ(sequence.slots_width, 1);
}

TEST(PackingSequenceTest, NodesWithoutTheLabelComeLastAndTouchNoGroup) {
  PackingBuilder builder;
  builder.Kind(1, {1}).Kind(1, {1}).Nodes(1, {1}, {-1}).Nodes(1, {5}, {0}).Nodes(1, {6}, {1});
  builder.AntiAffinity(0, {1}, 1);
  const PackingSequence sequence = SequenceOf(builder);
  EXPECT_EQ(sequence.nodes.back(), 0);
  EXPECT_THAT(TouchesOf(sequence, 1), ElementsAre("+-0@0", "+-1@0", ""));
}

TEST(PackingSequenceTest, TracksTheKindsThatStayApartAndTheClausesOfEachLevel) {
  PackingBuilder builder;
  builder.Kind(1, {1}).Kind(1, {1}).Kind(1, {1});
  builder.Nodes(2, {9}, {0, 0}).Nodes(2, {9}, {1, 1});
  builder.AntiAffinity(0, {2}, 1).Affinity(1, {2}, 2).Affinity(0, {1}, 0);
  const PackingSequence sequence = SequenceOf(builder);
  ASSERT_EQ(sequence.tracked.size(), 3u);
  EXPECT_EQ(sequence.tracked[0].width(), 0) << "the node itself is decided at once";
  EXPECT_THAT(sequence.tracked[1].kinds, ElementsAre(0, 2));
  EXPECT_THAT(sequence.tracked[1].clauses, IsEmpty());
  EXPECT_THAT(sequence.tracked[2].kinds, IsEmpty());
  EXPECT_EQ(sequence.tracked[2].clauses.size(), 1u);
  EXPECT_EQ(sequence.slots_width, 3);
}

TEST(PackingSequenceTest, TheLevelWithTheFewestGroupsIsOutermostSoThatNestedGroupsStayWhole) {
  for (const bool rows_first : {true, false}) {  // two rows of two racks each, in either level
    PackingBuilder builder;
    builder.Kind(1, {1}).Kind(1, {1});
    for (int rack : {0, 2, 1, 3}) {
      const int row = rack / 2;
      builder.Nodes(2, {9}, rows_first ? std::vector<int>{row, rack} : std::vector<int>{rack, row});
    }
    builder.AntiAffinity(0, {1}, 1).AntiAffinity(0, {1}, 2);
    const PackingSequence sequence = SequenceOf(builder);
    EXPECT_THAT(sequence.nodes, ElementsAre(0, 1, 4, 5, 2, 3, 6, 7));
  }
}

TEST(PackingSequenceTest, GroupsThatCrossOthersStayOpenAndHaveSlotsOfTheirOwn) {
  PackingBuilder builder;  // each row has a node in each of two columns, which hence cross
  builder.Kind(1, {1}).Kind(1, {1});
  for (const int row : {0, 1, 2}) {
    for (const int column : {0, 1}) builder.Nodes(1, {9}, {row, column});
  }
  builder.AntiAffinity(0, {1}, 1).AntiAffinity(0, {1}, 2);
  const PackingSequence sequence = SequenceOf(builder);
  EXPECT_THAT(sequence.nodes, ElementsAre(0, 2, 4, 1, 3, 5)) << "columns are fewer, so outermost";
  EXPECT_THAT(TouchesOf(sequence, 1), ElementsAre("+0@0", "+1@2", "+2@4", "-0@0", "-1@2", "-2@4"));
  EXPECT_THAT(TouchesOf(sequence, 2), ElementsAre("+0@6", "0@6", "-0@6", "+1@6", "1@6", "-1@6"));
  EXPECT_EQ(sequence.slots_width, 8);
}

}  // namespace
}  // namespace gangpack
