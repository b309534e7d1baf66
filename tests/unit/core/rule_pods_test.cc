#include "core/rule_pods.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"

namespace gangpack {
namespace {

RulePod* Placed(const std::string& uid, PodClassIndex pod_class, NodeIndex node, RulePods* pods) {
  RulePod* pod = pods->Insert({uid});
  pod->pod_class = pod_class;
  pod->node = node;
  pods->Place(pod);
  return pod;
}

std::vector<std::string> Uids(const std::vector<RulePod*>& pods) {
  std::vector<std::string> uids;
  for (const RulePod* pod : pods) uids.push_back(pod->uid.value);
  std::sort(uids.begin(), uids.end());
  return uids;
}

TEST(RulePodsTest, APlacedPodIsListedByItsClassAndByItsNodeUntilItIsDisplaced) {
  RulePods pods;
  Placed("a", 1, 5, &pods);
  RulePod* const b = Placed("b", 1, 6, &pods);
  Placed("c", 2, 6, &pods);
  EXPECT_EQ(Uids(pods.OfClass(1)), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(Uids(pods.OnNode(6)), (std::vector<std::string>{"b", "c"}));
  pods.Displace(b);
  EXPECT_EQ(Uids(pods.OfClass(1)), (std::vector<std::string>{"a"}));
  EXPECT_EQ(Uids(pods.OnNode(6)), (std::vector<std::string>{"c"}));
  EXPECT_EQ(pods.Find({"b"}), b);
  pods.Erase({"b"});
  EXPECT_EQ(pods.Find({"b"}), nullptr);
  EXPECT_EQ(pods.size(), 2u);
}

TEST(RulePodsTest, ListsStayRightInWhateverOrderPodsLeaveThem) {
  RulePods pods;
  std::vector<RulePod*> placed;
  for (int i = 0; i < 12; ++i) placed.push_back(Placed(absl::StrCat(i), i % 2, i % 3, &pods));
  for (const size_t i : {3u, 0u, 11u, 6u, 5u, 4u}) pods.Displace(placed[i]);
  EXPECT_EQ(Uids(pods.OfClass(0)), (std::vector<std::string>{"10", "2", "8"}));
  EXPECT_EQ(Uids(pods.OfClass(1)), (std::vector<std::string>{"1", "7", "9"}));
  EXPECT_EQ(Uids(pods.OnNode(0)), (std::vector<std::string>{"9"}));
  EXPECT_EQ(Uids(pods.OnNode(1)), (std::vector<std::string>{"1", "10", "7"}));
}

TEST(RulePodsTest, ClassesAndNodesNeverSeenHaveNoPods) {
  RulePods pods;
  EXPECT_TRUE(pods.OfClass(7).empty());
  EXPECT_TRUE(pods.OnNode(7).empty());
  EXPECT_TRUE(pods.OnNode(kNoNode).empty());
}

}  // namespace
}  // namespace gangpack
