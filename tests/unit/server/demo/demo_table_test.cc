#include "server/demo/demo_table.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/query_codec.h"

namespace gangpack::server {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

PodView PodOf(const std::string& name, const std::string& gang, const std::string& node,
              const std::string& message = "") {
  PodView pod;
  pod.pod = {"ns", name};
  pod.gang = gang;
  pod.state = node.empty() ? PodState::kPending : PodState::kBound;
  pod.node = node;
  pod.message = message;
  return pod;
}

TEST(DemoTableTest, FourPodsOfAGangHaveARowEachAndFiveShareOne) {
  std::vector<PodView> pods;
  for (int i = 0; i < 4; ++i) pods.push_back(PodOf("w-" + std::to_string(i), "ns/g", "n1"));
  EXPECT_EQ(*PodTable(PodsJson(pods)),
            "NAMESPACE  POD  GANG  STATE  NODE\n"
            "ns         w-0  ns/g  Bound  n1\n"
            "ns         w-1  ns/g  Bound  n1\n"
            "ns         w-2  ns/g  Bound  n1\n"
            "ns         w-3  ns/g  Bound  n1\n");
  pods.push_back(PodOf("w-4", "ns/g", "n2"));
  EXPECT_EQ(*PodTable(PodsJson(pods)),
            "NAMESPACE  POD             GANG  STATE  NODE\n"
            "ns         w-0 and 4 more  ns/g  Bound  n1 to n2, 2 nodes\n");
}

TEST(DemoTableTest, PodsShareARowOnlyWithinAGangAndAState) {
  std::vector<PodView> pods;
  for (int i = 0; i < 5; ++i) {
    pods.push_back(PodOf("a-" + std::to_string(i), "ns/a", "n1"));
    pods.push_back(PodOf("b-" + std::to_string(i), "ns/b", i < 4 ? "" : "n1", "no room"));
  }
  EXPECT_EQ(*PodTable(PodsJson(pods)),
            "NAMESPACE  POD             GANG  STATE    NODE\n"
            "ns         a-0 and 4 more  ns/a  Bound    n1\n"
            "ns         b-0             ns/b  Pending\n"
            "ns         b-1             ns/b  Pending\n"
            "ns         b-2             ns/b  Pending\n"
            "ns         b-3             ns/b  Pending\n"
            "ns         b-4             ns/b  Bound    n1\n");
}

TEST(DemoTableTest, APodOfNoGangHasItsReasonBelowTheTable) {
  EXPECT_THAT(*PodTable(PodsJson({PodOf("p", "", "", "node is reserved")})),
              HasSubstr("\npod ns/p:\n    node is reserved\n"));
  EXPECT_THAT(*PodTable(PodsJson({PodOf("p", "ns/g", "", "node is reserved")})),
              Not(HasSubstr("node is reserved")));
}

TEST(DemoTableTest, AGangHasARowAndItsReasonBelowTheTable) {
  GangView complete;
  complete.gang = {"ns", "done"};
  complete.state = GangState::kComplete;
  complete.domain = "rack-a";
  complete.min_member = 2;
  complete.placed = 2;
  GangView blocked;
  blocked.gang = {"ns", "late"};
  blocked.state = GangState::kBlocked;
  blocked.min_member = 3;
  blocked.message = "no domain has room";
  EXPECT_EQ(*GangTable(GangsJson({complete, blocked})),
            "NAMESPACE  GANG  STATE     DOMAIN  MIN-MEMBER  PLACED\n"
            "ns         done  Complete  rack-a  2           2\n"
            "ns         late  Blocked   -       3           0\n"
            "\ngang ns/late:\n    no domain has room\n");
}

TEST(DemoTableTest, WhatIsNoSuchListIsAnError) {
  EXPECT_FALSE(PodTable(R"({"gangs": []})").ok());
  EXPECT_FALSE(GangTable(R"({"pods": []})").ok());
  EXPECT_EQ(*PodTable(R"({"pods": []})"), "");
}

}  // namespace
}  // namespace gangpack::server
