#include "tests/oracle/comparison.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "k8s/document.h"
#include "k8s/json_reader.h"
#include "tests/oracle/json_tree.h"
#include "tests/oracle/random_case.h"

namespace gangpack {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::StartsWith;

constexpr char kCordoned[] = R"({"nodes":[{"metadata":{"name":"n0"},"spec":{"unschedulable":true},)"
                             R"("status":{"allocatable":{"pods":"1"}}}],)"
                             R"("pending":[{"metadata":{"name":"p0","namespace":"ns","uid":"u0"},)"
                             R"("spec":{"containers":[{"name":"c","image":"i"}]}}]})";

std::vector<std::string> Disagreements(const std::string& question, const std::string& answer) {
  const k8s::Documents documents = *k8s::ReadJson({"answer", answer});
  std::vector<std::string> texts;
  for (const Disagreement& one : Compare(question, documents.roots()[0]).disagreements) {
    texts.push_back(one.about + ": " + one.text);
  }
  return texts;
}

TEST(ComparisonTest, TheSamePluginsOnTheSameNodeAgree) {
  EXPECT_THAT(Disagreements(kCordoned, R"({"refused":[[["NodeUnschedulable"]]]})"), IsEmpty());
}

TEST(ComparisonTest, APluginThatOnlyOneSideNamesIsADisagreement) {
  EXPECT_THAT(Disagreements(kCordoned, R"({"refused":[[[]]]})"),
              ElementsAre("NodeUnschedulable: as created: p0 on n0: kube-scheduler accepts, we "
                          "refuse by NodeUnschedulable"));
  EXPECT_THAT(Disagreements(kCordoned, R"({"refused":[[["NodePorts","NodeUnschedulable"]]]})"),
              ElementsAre("NodePorts: as created: p0 on n0: kube-scheduler refuses, we accept by "
                          "NodePorts"));
}

TEST(ComparisonTest, TheObjectsThatTheApiServerStoresAreJudgedToo) {
  const std::string stored = R"("stored":)" + std::string(kCordoned);
  EXPECT_THAT(Disagreements(kCordoned, R"({"refused":[[["NodeUnschedulable"]]],)" + stored + "}"),
              IsEmpty());
  EXPECT_THAT(Disagreements(kCordoned, R"({"refused":[[[]]],)" + stored + "}"),
              ElementsAre(StartsWith("NodeUnschedulable: as created"),
                          StartsWith("NodeUnschedulable: as stored")));
}

TEST(ComparisonTest, AFaultOfOursInAValidObjectIsADisagreement) {
  const std::string bad =
      R"({"nodes":[{"metadata":{"name":"n0"},"status":{"allocatable":{"pods":"x"}}}]})";
  EXPECT_THAT(Disagreements(bad, R"({"refused":[]})"), ElementsAre(StartsWith("decoding: ")));
}

TEST(ComparisonTest, WhatTheApiServerRefusesIsNotCompared) {
  const k8s::Documents documents = *k8s::ReadJson({"answer", R"({"invalid":["Pod 0: bad"]})"});
  const Comparison comparison = Compare(kCordoned, documents.roots()[0]);
  EXPECT_FALSE(comparison.valid);
  EXPECT_THAT(comparison.complaints, ElementsAre("Pod 0: bad"));
  EXPECT_THAT(comparison.disagreements, IsEmpty());
}

constexpr char kGang[] =
    R"({"nodes":[{"metadata":{"name":"n0","labels":{"zone":"a"}},)"
    R"("status":{"allocatable":{"pods":"9"}}}],)"
    R"("groups":[{"metadata":{"name":"g","namespace":"ns","uid":"ug",)"
    R"("annotations":{"ome.io/topology-key":"zone"}},"spec":{"minMember":1}}],)"
    R"("pending":[{"metadata":{"name":"p0","namespace":"ns","uid":"u0",)"
    R"("labels":{"scheduling.x-k8s.io/pod-group":"g"}},)"
    R"("spec":{"schedulerName":"ome-scheduler","containers":[{"name":"c","image":"i"}]}}]})";

std::string GangQuestion() {
  const k8s::Documents documents = *k8s::ReadJson({"case", kGang});
  return QuestionOf(JsonTree(documents.roots()[0]));
}

TEST(ComparisonTest, AGangIsAskedAboutWithItsPlan) {
  EXPECT_THAT(GangQuestion(), ::testing::HasSubstr(R"("plan":[{"pod":"ns/p0","node":"n0"}])"));
}

TEST(ComparisonTest, AMemberThatIsRefusedItsPlannedNodeIsADisagreement) {
  EXPECT_THAT(Disagreements(GangQuestion(), R"({"planRefused":[[]]})"), IsEmpty());
  EXPECT_THAT(Disagreements(GangQuestion(), R"({"planRefused":[["NodePorts"]]})"),
              ElementsAre("plan-NodePorts: planned: ns/p0 on n0: kube-scheduler refuses by "
                          "NodePorts"));
}

TEST(RandomCaseTest, ASeedAlwaysGivesTheSameCase) {
  EXPECT_EQ(RandomCase(7).ToString(), RandomCase(7).ToString());
  EXPECT_NE(RandomCase(7).ToString(), RandomCase(8).ToString());
  EXPECT_EQ(RandomGangCase(7).ToString(), RandomGangCase(7).ToString());
}

}  // namespace
}  // namespace gangpack
