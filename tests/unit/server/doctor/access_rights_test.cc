#include "server/doctor/access_rights.h"

#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "yaml-cpp/yaml.h"

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

// The rules of the chart's ClusterRole, one for each group, resource and verb. They are the same
// whatever the chart's values are.
std::set<std::string> RulesOfTheChart() {
  std::ifstream file("charts/ome-scheduler/templates/rbac.yaml");
  std::stringstream text;
  text << file.rdbuf();
  const std::string all = text.str();
  const size_t begin = all.find("\nrules:\n");
  if (begin == std::string::npos) return {};
  std::set<std::string> rules;
  for (const YAML::Node& rule :
       YAML::Load(all.substr(begin, all.find("\n---", begin) - begin))["rules"]) {
    for (const YAML::Node& group : rule["apiGroups"]) {
      for (const YAML::Node& resource : rule["resources"]) {
        for (const YAML::Node& verb : rule["verbs"]) {
          rules.insert(absl::StrCat("{apiGroups: [\"", group.as<std::string>(), "\"], resources: [",
                                    resource.as<std::string>(), "], verbs: [",
                                    verb.as<std::string>(), "]}"));
        }
      }
    }
  }
  return rules;
}

TEST(AccessRightsTest, TheChartGrantsExactlyThese) {
  std::set<std::string> rules;
  for (const AccessRight& right : AccessRights()) rules.insert(right.Rule());
  EXPECT_EQ(RulesOfTheChart(), rules);
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
