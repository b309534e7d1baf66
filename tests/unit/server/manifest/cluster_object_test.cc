#include "server/manifest/cluster_object.h"

#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "gtest/gtest.h"

namespace gangpack::server {
namespace {

// The fact about a change from `before` to `after`, which must be of this kind.
template <typename Told, typename T>
Told FactOfChange(std::shared_ptr<const T> before, std::shared_ptr<const T> after) {
  const Fact fact = FactOf(ClusterEvent(Change<T>{std::move(before), std::move(after)}));
  const Told* told = std::get_if<Told>(&fact);
  EXPECT_NE(told, nullptr) << "another kind of fact, number " << fact.index();
  return told == nullptr ? Told() : *told;
}

std::shared_ptr<const NodeObject> NodeWithRack(const std::string& rack) {
  NodeObject object;
  object.node.name = "a1";
  object.node.labels["rack"] = rack;
  object.uid = "node-uid";
  return std::make_shared<NodeObject>(object);
}

std::shared_ptr<const PodObject> PodOnNode(const std::string& node) {
  PodObject object;
  object.pod.uid = PodUid{"pod-uid"};
  object.pod.name = {"ns", "p"};
  object.pod.node_name = node;
  return std::make_shared<PodObject>(object);
}

std::shared_ptr<const PodGroupObject> PodGroupOf(int64_t min_member) {
  PodGroupObject object;
  object.group.name = {"ns", "g"};
  object.group.uid = "group-uid";
  object.group.min_member = min_member;
  return std::make_shared<PodGroupObject>(object);
}

std::shared_ptr<const NamespaceObject> NamespaceOfTeam(const std::string& team) {
  NamespaceObject object;
  object.object.name = "ns";
  object.object.labels["team"] = team;
  object.uid = "namespace-uid";
  return std::make_shared<NamespaceObject>(object);
}

TEST(ClusterObjectTest, ANodeIsToldAsItIsAfterTheChangeAndByNameOnceItIsGone) {
  const auto none = std::shared_ptr<const NodeObject>();
  EXPECT_EQ(FactOfChange<NodeChanged>(none, NodeWithRack("x")).node, NodeWithRack("x")->node);
  EXPECT_EQ(FactOfChange<NodeChanged>(NodeWithRack("x"), NodeWithRack("y")).node,
            NodeWithRack("y")->node);
  EXPECT_EQ(FactOfChange<NodeGone>(NodeWithRack("x"), none).name, "a1");
}

TEST(ClusterObjectTest, APodIsToldAsItIsAfterTheChangeAndByUidOnceItIsGone) {
  const auto none = std::shared_ptr<const PodObject>();
  const PodChanged created = FactOfChange<PodChanged>(none, PodOnNode("a1"));
  EXPECT_EQ(created.pod.uid, PodUid{"pod-uid"});
  EXPECT_EQ(created.pod.name, (NamespacedName{"ns", "p"}));
  EXPECT_EQ(created.pod.node_name, "a1");
  EXPECT_EQ(FactOfChange<PodChanged>(PodOnNode(""), PodOnNode("a2")).pod.node_name, "a2");
  EXPECT_EQ(FactOfChange<PodGone>(PodOnNode("a1"), none).uid, PodUid{"pod-uid"});
}

TEST(ClusterObjectTest, APodGroupIsToldAsItIsAfterTheChangeAndByNameOnceItIsGone) {
  const auto none = std::shared_ptr<const PodGroupObject>();
  const PodGroupChanged created = FactOfChange<PodGroupChanged>(none, PodGroupOf(2));
  EXPECT_EQ(created.group.name, (NamespacedName{"ns", "g"}));
  EXPECT_EQ(created.group.min_member, 2);
  EXPECT_EQ(FactOfChange<PodGroupChanged>(PodGroupOf(2), PodGroupOf(3)).group.min_member, 3);
  EXPECT_EQ(FactOfChange<PodGroupGone>(PodGroupOf(2), none).name, (NamespacedName{"ns", "g"}));
}

TEST(ClusterObjectTest, ANamespaceIsToldAsItIsAfterTheChangeAndByNameOnceItIsGone) {
  const auto none = std::shared_ptr<const NamespaceObject>();
  const NamespaceChanged created = FactOfChange<NamespaceChanged>(none, NamespaceOfTeam("x"));
  EXPECT_EQ(created.object.name, "ns");
  EXPECT_EQ(created.object.labels, NamespaceOfTeam("x")->object.labels);
  EXPECT_EQ(
      FactOfChange<NamespaceChanged>(NamespaceOfTeam("x"), NamespaceOfTeam("y")).object.labels,
      NamespaceOfTeam("y")->object.labels);
  EXPECT_EQ(FactOfChange<NamespaceGone>(NamespaceOfTeam("x"), none).name, "ns");
}

}  // namespace
}  // namespace gangpack::server
