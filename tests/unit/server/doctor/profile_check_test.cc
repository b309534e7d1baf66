#include "server/doctor/profile_check.h"

#include <functional>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/server/doctor/finding_list.h"
#include "tests/unit/server/doctor/right_config.h"

namespace gangpack::server {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<Finding> WithProfile(const std::function<void(SchedulerProfile*)>& change) {
  SchedulerConfig config = RightConfig();
  change(&config.profiles[0]);
  return CheckProfiles(config, {});
}

// The sampling finding with so many nodes at that percentage.
Finding Sampled(const NodeSampling& sampling) {
  SchedulerConfig config = RightConfig();
  config.percentage_of_nodes_to_score = sampling.percentage;
  SchedulerNeeds needs;
  needs.nodes = sampling.nodes;
  return Of(CheckProfiles(config, needs), "node-sampling").at(0);
}

TEST(ProfileCheckTest, NothingIsWrongWithTheRightOne) {
  EXPECT_THAT(Wrong(CheckProfiles(RightConfig(), {})), IsEmpty());
}

TEST(ProfileCheckTest, AProfileHasOurSchedulersName) {
  EXPECT_THAT(Wrong(WithProfile([](auto* profile) { profile->name = "other"; })),
              ElementsAre("error profile: no profile is named `ome-scheduler`, but `other`"));
  SchedulerNeeds needs;
  needs.configuration.policy.scheduler_name = "mine";
  EXPECT_THAT(Wrong(CheckProfiles(RightConfig(), needs)),
              ElementsAre("error profile: no profile is named `mine`, but `ome-scheduler`"));
}

TEST(ProfileCheckTest, EachOtherProfileIsAWarning) {
  SchedulerConfig config = RightConfig();
  SchedulerProfile other = config.profiles[0];
  other.path = "profiles[1]";
  other.name = "default-scheduler";
  config.profiles.push_back(other);
  EXPECT_THAT(
      Wrong(CheckProfiles(config, {})),
      ElementsAre("warning other-profiles: profiles[1] is `default-scheduler`, which is not "
                  "ours"));
}

TEST(ProfileCheckTest, NodesOfferedAreWhatKubeSchedulerComputes) {
  EXPECT_EQ(NodesOffered({99, 0}), 99);
  EXPECT_EQ(NodesOffered({99, 1}), 99);
  EXPECT_EQ(NodesOffered({100, 0}), 100);
  EXPECT_EQ(NodesOffered({101, 0}), 100);
  EXPECT_EQ(NodesOffered({1000, 0}), 420);
  EXPECT_EQ(NodesOffered({5000, 0}), 500);
  EXPECT_EQ(NodesOffered({6000, 0}), 300);
  EXPECT_EQ(NodesOffered({6000, 30}), 1800);
  EXPECT_EQ(NodesOffered({6000, 99}), 5940);
  EXPECT_EQ(NodesOffered({6000, 100}), 6000);
}

TEST(ProfileCheckTest, AllNodesMustBeOffered) {
  EXPECT_EQ(Sampled({6000, 100}).severity, Severity::kOk);
  EXPECT_EQ(Sampled({100, 0}).severity, Severity::kWarning);
  EXPECT_EQ(Sampled({101, 0}).severity, Severity::kError);
  const Finding sampled = Sampled({6000, 99});
  EXPECT_EQ(sampled.severity, Severity::kError);
  EXPECT_EQ(sampled.found, "percentageOfNodesToScore is 99");
  EXPECT_THAT(sampled.why, HasSubstr("of 6000 nodes that would do for a pod we are offered 5940"));
}

TEST(ProfileCheckTest, KubeSchedulerRefusesOtherPercentages) {
  EXPECT_THAT(Sampled({50, 101}).why, HasSubstr("does not start"));
  EXPECT_THAT(Sampled({50, -1}).why, HasSubstr("does not start"));
}

TEST(ProfileCheckTest, TheProfilesPercentageOverridesThatOfTheProcess) {
  const std::vector<Finding> worse =
      WithProfile([](auto* profile) { profile->percentage_of_nodes_to_score = 0; });
  EXPECT_THAT(Wrong(worse), ElementsAre("error node-sampling: profiles[0].percentageOfNodesToScore "
                                        "is not set"));
  SchedulerConfig config = RightConfig();
  config.percentage_of_nodes_to_score = 10;
  config.profiles[0].percentage_of_nodes_to_score = 100;
  EXPECT_THAT(Wrong(CheckProfiles(config, {})), IsEmpty());
}

TEST(ProfileCheckTest, PreemptionIsAWarning) {
  EXPECT_THAT(Wrong(WithProfile([](auto* profile) { profile->plugins.erase("multiPoint"); })),
              ElementsAre("warning preemption: DefaultPreemption is on"));
  EXPECT_THAT(Wrong(WithProfile([](auto* profile) {
                profile->plugins.erase("multiPoint");
                profile->plugins["postFilter"].disabled = {"DefaultPreemption"};
              })),
              IsEmpty());
}

TEST(ProfileCheckTest, APostFilterPluginMustBeLeft) {
  const auto disabling = [](const std::vector<std::string>& names) {
    return Wrong(
        WithProfile([&](auto* profile) { profile->plugins["postFilter"].disabled = names; }));
  };
  EXPECT_THAT(disabling({"*"}), ElementsAre("error post-filter: no PostFilter plugin is left"));
  EXPECT_THAT(disabling({"DynamicResources"}),
              ElementsAre("error post-filter: no PostFilter plugin is left"));
  EXPECT_THAT(disabling({"DefaultPreemption"}), IsEmpty());
  EXPECT_THAT(Wrong(WithProfile([](auto* profile) {
                profile->plugins["postFilter"] = {{"DynamicResources"}, {"*"}};
              })),
              IsEmpty());
}

TEST(ProfileCheckTest, MultiPointMayNotSwitchEverythingOff) {
  const std::vector<Finding> findings =
      WithProfile([](auto* profile) { profile->plugins["multiPoint"].disabled = {"*"}; });
  EXPECT_THAT(Wrong(findings), Contains(HasSubstr("error needed-plugins: off in profiles[0]: "
                                                  "SchedulingGates (preEnqueue), ")));
  EXPECT_THAT(Wrong(findings), Contains("error post-filter: no PostFilter plugin is left"));
}

TEST(ProfileCheckTest, WhatWeRelyOnStaysOn) {
  EXPECT_THAT(Wrong(WithProfile([](auto* profile) {
                profile->plugins["filter"].disabled.push_back("VolumeBinding");
              })),
              ElementsAre("error needed-plugins: off in profiles[0]: VolumeBinding (filter)"));
  EXPECT_THAT(Wrong(WithProfile([](auto* profile) {
                profile->plugins["score"].disabled.push_back("VolumeBinding");
              })),
              IsEmpty());
}

class RulesBetweenPodsTest : public ::testing::TestWithParam<std::string> {
 protected:
  std::vector<std::string> Changed(const std::function<void(SchedulerProfile*)>& change) {
    return Wrong(WithProfile(change));
  }
  void Enable(SchedulerProfile* profile, const std::string& point) {
    std::erase(profile->plugins[point].disabled, GetParam());
  }
};

TEST_P(RulesBetweenPodsTest, ItsFilterMustBeOff) {
  const std::string on = "error rules-between-pods: " + GetParam() + "'s filter is on";
  EXPECT_THAT(Changed([&](auto* profile) { Enable(profile, "filter"); }), ElementsAre(on));
  EXPECT_THAT(Changed([&](auto* profile) {
                Enable(profile, "filter");
                Enable(profile, "preFilter");
              }),
              ElementsAre(on));
  EXPECT_THAT(Changed([&](auto* profile) { profile->plugins["filter"].enabled = {GetParam()}; }),
              ElementsAre(on));
}

TEST_P(RulesBetweenPodsTest, ItsPreFilterAloneIsForNothing) {
  EXPECT_THAT(Changed([&](auto* profile) { Enable(profile, "preFilter"); }),
              ElementsAre("warning rules-between-pods: " + GetParam() +
                          "'s preFilter is on, its filter off"));
}

TEST_P(RulesBetweenPodsTest, OffAsAWholeItNoLongerScores) {
  EXPECT_THAT(Changed([&](auto* profile) {
                profile->plugins["multiPoint"].disabled.push_back(GetParam());
              }),
              ElementsAre("warning rules-between-pods: " + GetParam() + " is off as a whole"));
}

TEST_P(RulesBetweenPodsTest, ItsScoreMayBeOffOnPurpose) {
  EXPECT_THAT(Changed([&](auto* profile) { profile->plugins["score"].disabled = {GetParam()}; }),
              IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Both, RulesBetweenPodsTest,
                         ::testing::Values("InterPodAffinity", "PodTopologySpread"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace gangpack::server
