#include "server/doctor/access_rights.h"

#include <set>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace gangpack::server {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> Names(bool needed) {
  std::vector<std::string> names;
  for (const AccessRight& right : AccessRights()) {
    if (right.needed == needed) names.push_back(right.ToString());
  }
  return names;
}

TEST(AccessRightsTest, WhatIsNeededIsToFollowTheClusterToBindAndToWake) {
  EXPECT_THAT(
      Names(true),
      ElementsAre("list namespaces", "watch namespaces", "list nodes", "watch nodes",
                  "list podgroups.scheduling.x-k8s.io", "watch podgroups.scheduling.x-k8s.io",
                  "list pods", "watch pods", "get pods", "create pods/binding", "patch pods"));
}

TEST(AccessRightsTest, WithoutTheRestItWorksWorse) {
  EXPECT_THAT(Names(false), ElementsAre("patch pods/status", "create events.events.k8s.io",
                                        "patch events.events.k8s.io"));
}

TEST(AccessRightsTest, EachSaysWhatComesOfItAndHowToGrantIt) {
  std::set<std::string> rules;
  for (const AccessRight& right : AccessRights()) {
    EXPECT_NE(right.without, "") << right.ToString();
    EXPECT_TRUE(rules.insert(right.Rule()).second) << right.Rule();
  }
  EXPECT_TRUE(rules.contains(
      "{apiGroups: [\"scheduling.x-k8s.io\"], resources: [podgroups], verbs: [list]}"));
  EXPECT_TRUE(rules.contains("{apiGroups: [\"\"], resources: [pods/binding], verbs: [create]}"));
}

}  // namespace
}  // namespace gangpack::server
