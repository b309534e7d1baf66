#include "core/topology_values.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/support/object_builders.h"

namespace gangpack {
namespace {

TEST(TopologyValuesTest, NodesThatCarryTheSameLabelHaveTheSameValue) {
  TopologyValues values;
  const TopologyKeyIndex rack = values.AddKey("rack");
  const Node a = NodeBuilder("a").Rack("x");
  const Node b = NodeBuilder("b").Rack("x");
  const Node c = NodeBuilder("c").Rack("y");
  values.SetNode(0, &a);
  values.SetNode(1, &b);
  values.SetNode(2, &c);
  EXPECT_EQ(values.ValueOf(rack, 0), values.ValueOf(rack, 1));
  EXPECT_NE(values.ValueOf(rack, 0), values.ValueOf(rack, 2));
  EXPECT_EQ(values.ValueName(rack, values.ValueOf(rack, 2)), "y");
  EXPECT_EQ(values.AddKey("rack"), rack);
}

TEST(TopologyValuesTest, AKeyThatIsAddedLaterKnowsTheNodesThatAreThere) {
  TopologyValues values;
  const Node a = NodeBuilder("a").Rack("x");
  values.SetNode(3, &a);
  const TopologyKeyIndex rack = values.AddKey("rack");
  EXPECT_NE(values.ValueOf(rack, 3), kNoValue);
  EXPECT_EQ(values.ValueOf(rack, 0), kNoValue);
  EXPECT_EQ(values.ValueOf(rack, 99), kNoValue);
  EXPECT_EQ(values.ValueOf(rack, kNoNode), kNoValue);
}

TEST(TopologyValuesTest, AnEmptyLabelIsAValueAndAnAbsentOneIsNone) {
  TopologyValues values;
  const TopologyKeyIndex rack = values.AddKey("rack");
  const Node empty = NodeBuilder("a").Rack("");
  const Node absent = NodeBuilder("b");
  values.SetNode(0, &empty);
  values.SetNode(1, &absent);
  EXPECT_NE(values.ValueOf(rack, 0), kNoValue);
  EXPECT_EQ(values.ValueOf(rack, 1), kNoValue);
}

TEST(TopologyValuesTest, ANodeIsListedUnderItsPresentValueOnly) {
  TopologyValues values;
  const TopologyKeyIndex rack = values.AddKey("rack");
  std::vector<Node> nodes;
  for (int i = 0; i < 4; ++i) nodes.push_back(NodeBuilder("n").Rack("x"));
  for (NodeIndex i = 0; i < 4; ++i) values.SetNode(i, &nodes[static_cast<size_t>(i)]);
  const TopologyValue x = values.ValueOf(rack, 0);
  const Node moved = NodeBuilder("n").Rack("y");
  values.SetNode(1, &moved);
  values.SetNode(0, nullptr);
  std::vector<NodeIndex> listed = values.NodesWith(rack, x);
  std::sort(listed.begin(), listed.end());
  EXPECT_EQ(listed, (std::vector<NodeIndex>{2, 3}));
  EXPECT_EQ(values.NodesWith(rack, values.ValueOf(rack, 1)), (std::vector<NodeIndex>{1}));
  EXPECT_EQ(values.object(0), nullptr);
}

TEST(TopologyValuesTest, OnlyAChangeOfAKeyInUseIsAChange) {
  TopologyValues values;
  values.AddKey("rack");
  const Node node = NodeBuilder("a").Rack("x");
  const Node zoned = NodeBuilder("a").Rack("x").Label("zone", "z");
  const Node moved = NodeBuilder("a").Rack("y");
  const Node bare = NodeBuilder("a");
  EXPECT_TRUE(values.WouldChange(0, &node));
  values.SetNode(0, &node);
  EXPECT_FALSE(values.WouldChange(0, &zoned));
  EXPECT_TRUE(values.WouldChange(0, &moved));
  EXPECT_TRUE(values.WouldChange(0, &bare));
  EXPECT_TRUE(values.WouldChange(0, nullptr));
}

}  // namespace
}  // namespace gangpack
