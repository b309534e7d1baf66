#include "k8s/api_object.h"

#include <string>
#include <variant>

#include "gtest/gtest.h"
#include "k8s/json_reader.h"

namespace gangpack::k8s {
namespace {

ApiRecord Read(ResourceType type, const std::string& json) {
  const absl::StatusOr<Documents> documents = ReadJson({"object", json});
  EXPECT_TRUE(documents.ok()) << documents.status();
  return ReadApiRecord(type, documents->roots().front());
}

TEST(ApiObjectTest, EachTypeIsDecodedByItsOwnCodec) {
  const std::string json = R"({"metadata":{"name":"a","namespace":"n","uid":"u"}})";
  const std::string cluster_wide = R"({"metadata":{"name":"a","uid":"u"}})";
  EXPECT_EQ(Read(ResourceType::kNamespaces, cluster_wide).object->index(), 0u);
  EXPECT_EQ(Read(ResourceType::kNodes, cluster_wide).object->index(), 1u);
  EXPECT_EQ(Read(ResourceType::kPodGroups, json).object->index(), 2u);
  const ApiRecord pod = Read(
      ResourceType::kPods,
      R"({"metadata":{"name":"a","namespace":"n","uid":"u"},"spec":{"containers":[{"name":"c"}]}})");
  ASSERT_TRUE(pod.object.has_value()) << pod.fault;
  EXPECT_EQ(std::get<DecodedPod>(*pod.object).pod.uid.value, "u");
}

TEST(ApiObjectTest, WhatTheServerLeavesOutOfANodeIsNothing) {
  const ApiRecord node = Read(ResourceType::kNodes, R"({"metadata":{"name":"a"}})");
  ASSERT_TRUE(node.object.has_value()) << node.fault;
  EXPECT_TRUE(std::get<DecodedNode>(*node.object).node.allocatable.empty());
}

TEST(ApiObjectTest, IdentityAndVersionAreReadWhereTheObjectHasFaults) {
  const ApiRecord record =
      Read(ResourceType::kNamespaces,
           R"({"metadata":{"name":"a","uid":"u","resourceVersion":"7","labels":[1]}})");
  EXPECT_EQ(record.identity.name, "a");
  EXPECT_EQ(record.identity.namespace_name, "");
  EXPECT_EQ(record.identity.uid, "u");
  EXPECT_EQ(record.resource_version, "7");
  EXPECT_FALSE(record.object.has_value());
  EXPECT_EQ(record.fault, "namespaces a: metadata.labels: a list, expected an object");
}

TEST(ApiObjectTest, FurtherFaultsAreCounted) {
  const ApiRecord record =
      Read(ResourceType::kPodGroups,
           R"({"metadata":{"name":"a","namespace":"n","labels":1},"spec":{"minMember":"x"}})");
  EXPECT_EQ(record.fault,
            "podgroups n/a: metadata.labels: a number, expected an object (and 1 more)");
}

TEST(ApiObjectTest, WhatIsNoObjectIsAFault) {
  const ApiRecord record = Read(ResourceType::kNodes, "[]");
  EXPECT_FALSE(record.object.has_value());
  EXPECT_NE(record.fault, "");
}

}  // namespace
}  // namespace gangpack::k8s
