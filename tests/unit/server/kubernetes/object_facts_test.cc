#include "server/kubernetes/object_facts.h"

#include <string>
#include <variant>

#include "gtest/gtest.h"
#include "k8s/api_object.h"
#include "k8s/json_reader.h"

namespace gangpack::server {
namespace {

k8s::ObjectChange Upserted(k8s::ResourceType type, const std::string& json) {
  const auto documents = k8s::ReadJson({"test", json});
  EXPECT_TRUE(documents.ok()) << documents.status();
  k8s::ApiRecord record = k8s::ReadApiRecord(type, documents->roots().front());
  EXPECT_TRUE(record.object.has_value()) << record.fault;
  return k8s::ObjectUpserted{*std::move(record.object)};
}

k8s::ObjectChange Gone() { return k8s::ObjectGone{{"ns", "x", "u-x"}}; }

TEST(ObjectFactsTest, AnObjectIsTheFactOfItsKind) {
  const Fact pod = FactOf(k8s::ResourceType::kPods,
                          Upserted(k8s::ResourceType::kPods,
                                   R"({"metadata":{"namespace":"ns","name":"p","uid":"u-p"},
                   "spec":{"schedulerName":"another","nodeName":"n1","containers":[{"name":"c"}]}})"));
  ASSERT_TRUE(std::holds_alternative<PodChanged>(pod));
  EXPECT_EQ(std::get<PodChanged>(pod).pod.uid.value, "u-p");
  EXPECT_EQ(std::get<PodChanged>(pod).pod.scheduler_name, "another") << "it uses its node";
  EXPECT_EQ(std::get<PodChanged>(pod).pod.node_name, "n1");

  const Fact node = FactOf(
      k8s::ResourceType::kNodes,
      Upserted(k8s::ResourceType::kNodes, R"({"metadata":{"name":"n1","labels":{"rack":"a"}}})"));
  EXPECT_EQ(std::get<NodeChanged>(node).node.name, "n1");

  const Fact group = FactOf(k8s::ResourceType::kPodGroups,
                            Upserted(k8s::ResourceType::kPodGroups,
                                     R"({"metadata":{"namespace":"ns","name":"g","uid":"u-g"},
                                         "spec":{"minMember":2}})"));
  EXPECT_EQ(std::get<PodGroupChanged>(group).group.name.ToString(), "ns/g");

  const Fact space = FactOf(
      k8s::ResourceType::kNamespaces,
      Upserted(k8s::ResourceType::kNamespaces, R"({"metadata":{"name":"ns","labels":{"a":"b"}}})"));
  EXPECT_EQ(std::get<NamespaceChanged>(space).object.labels.at("a"), "b");
}

TEST(ObjectFactsTest, WhatIsGoneIsNamedAsTheEngineNamesItsKind) {
  EXPECT_EQ(std::get<PodGone>(FactOf(k8s::ResourceType::kPods, Gone())).uid.value, "u-x");
  EXPECT_EQ(std::get<NodeGone>(FactOf(k8s::ResourceType::kNodes, Gone())).name, "x");
  EXPECT_EQ(std::get<PodGroupGone>(FactOf(k8s::ResourceType::kPodGroups, Gone())).name.ToString(),
            "ns/x");
  EXPECT_EQ(std::get<NamespaceGone>(FactOf(k8s::ResourceType::kNamespaces, Gone())).name, "x");
}

}  // namespace
}  // namespace gangpack::server
