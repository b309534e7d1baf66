#include "server/doctor/scheduler_config_check.h"

#include <functional>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/server/doctor/finding_list.h"
#include "tests/unit/server/doctor/right_config.h"

namespace gangpack::server {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<Finding> Changed(const std::function<void(SchedulerConfig*)>& change) {
  SchedulerConfig config = RightConfig();
  change(&config);
  return CheckSchedulerConfig(config, {});
}

TEST(SchedulerConfigCheckTest, NothingIsWrongWithTheRightOneAndEveryPartIsLookedAt) {
  const std::vector<Finding> findings = CheckSchedulerConfig(RightConfig(), {});
  EXPECT_THAT(Wrong(findings), IsEmpty());
  for (const char* check : {"backoff", "client-rate", "lease", "bind-timeout", "profile"}) {
    EXPECT_EQ(Of(findings, check).size(), 1u) << check;
  }
}

std::vector<std::string> WithBackoff(int64_t initial, int64_t max) {
  return Wrong(Changed([&](SchedulerConfig* config) {
    config->pod_initial_backoff_seconds = initial;
    config->pod_max_backoff_seconds = max;
  }));
}

TEST(SchedulerConfigCheckTest, BackoffIsAtMostTwoSeconds) {
  EXPECT_THAT(WithBackoff(1, 1), IsEmpty());
  EXPECT_THAT(WithBackoff(2, 2), IsEmpty());
  EXPECT_THAT(WithBackoff(1, 3), ElementsAre("warning backoff: podInitialBackoffSeconds is 1, "
                                             "podMaxBackoffSeconds is 3"));
}

TEST(SchedulerConfigCheckTest, KubeSchedulerRefusesOtherBackoffs) {
  EXPECT_THAT(WithBackoff(0, 2), ElementsAre(HasSubstr("error backoff: ")));
  EXPECT_THAT(WithBackoff(2, 1), ElementsAre(HasSubstr("error backoff: ")));
}

std::vector<std::string> WithRate(double qps, int64_t burst) {
  return Wrong(Changed([&](SchedulerConfig* config) {
    config->client_qps = qps;
    config->client_burst = burst;
  }));
}

TEST(SchedulerConfigCheckTest, TheClientMayAskAThousandTimesASecond) {
  EXPECT_THAT(WithRate(1000, 1000), IsEmpty());
  EXPECT_THAT(WithRate(999, 1000),
              ElementsAre("warning client-rate: clientConnection.qps is 999, burst is 1000"));
  EXPECT_THAT(WithRate(1000, 999),
              ElementsAre("warning client-rate: clientConnection.qps is 1000, burst is 999"));
  EXPECT_THAT(WithRate(-1, 100), IsEmpty()) << "a negative rate is no limit";
}

TEST(SchedulerConfigCheckTest, TheLeaseIsNotThatOfTheClustersOwnKubeScheduler) {
  const auto with = [](const std::string& space, const std::string& name) {
    return Wrong(Changed([&](SchedulerConfig* config) {
      config->lease_namespace = space;
      config->lease_name = name;
    }));
  };
  EXPECT_THAT(with("kube-system", "kube-scheduler"),
              ElementsAre("error lease: the Lease is kube-system/kube-scheduler"));
  EXPECT_THAT(with("kube-system", "kube-scheduler-2"), IsEmpty());
  EXPECT_THAT(with("ome", "kube-scheduler"), IsEmpty());
}

TEST(SchedulerConfigCheckTest, WhoStandsInForTheClustersOwnKubeSchedulerSharesItsLease) {
  SchedulerConfig config = RightConfig();
  config.lease_name = "kube-scheduler";
  config.profiles[0].name = "default-scheduler";
  SchedulerNeeds needs;
  needs.configuration.policy.scheduler_name = "default-scheduler";
  EXPECT_THAT(Wrong(CheckSchedulerConfig(config, needs)), IsEmpty());
}

TEST(SchedulerConfigCheckTest, WithoutLeaderElectionThereMayBeTwo) {
  EXPECT_THAT(Wrong(Changed([](SchedulerConfig* config) {
                config->leader_elect = false;
                config->lease_name = "kube-scheduler";
              })),
              ElementsAre("warning lease: leaderElection.leaderElect is false"));
}

TEST(SchedulerConfigCheckTest, FindingsOfExtendersAndProfilesAreIncluded) {
  EXPECT_THAT(Wrong(Changed([](SchedulerConfig* config) {
                config->extenders[0].ignorable = true;
                config->profiles[0].name = "x";
              })),
              ElementsAre(HasSubstr("error ignorable: "), HasSubstr("error profile: ")));
}

}  // namespace
}  // namespace gangpack::server
