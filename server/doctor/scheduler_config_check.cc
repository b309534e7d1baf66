#include "server/doctor/scheduler_config_check.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "server/doctor/extender_check.h"
#include "server/doctor/profile_check.h"

namespace gangpack::server {
namespace {

Finding CheckBackoff(const SchedulerConfig& config) {
  const int64_t initial = config.pod_initial_backoff_seconds;
  const int64_t max = config.pod_max_backoff_seconds;
  const std::string found =
      absl::StrCat("podInitialBackoffSeconds is ", initial, ", podMaxBackoffSeconds is ", max);
  const std::string change =
      absl::StrCat("podInitialBackoffSeconds: 1 and podMaxBackoffSeconds: ", kBackoffMaxSeconds);
  if (initial <= 0 || max < initial) {
    return {Severity::kError, "backoff", found,
            "kube-scheduler demands a first one above 0 and a longest one that is not shorter, and "
            "does not start",
            change};
  }
  if (max > kBackoffMaxSeconds) {
    return {Severity::kWarning, "backoff", found,
            absl::StrCat("a member that was refused is tried again up to ", max + 1,
                         " s later instead of within ", kBackoffMaxSeconds + 1,
                         " s, and its whole gang waits for it"),
            change};
  }
  return Good("backoff", found);
}

Finding CheckClientRate(const SchedulerConfig& config) {
  const std::string found = absl::StrCat("clientConnection.qps is ", config.client_qps,
                                         ", burst is ", config.client_burst);
  const bool unlimited = config.client_qps < 0;
  const bool enough = config.client_qps >= kClientRateMin && config.client_burst >= kClientRateMin;
  if (unlimited || enough) return Good("client-rate", found);
  return {Severity::kWarning, "client-rate", found,
          "each refusal is written to the API server inside the only scheduling loop: 400 refused "
          "pods took it 6.2 s at the default of 50, and 2.2 s at 5000",
          "clientConnection: {qps: 1000, burst: 2000}"};
}

Finding CheckLease(const SchedulerConfig& config) {
  if (!config.leader_elect) {
    return {Severity::kWarning, "lease", "leaderElection.leaderElect is false",
            "a second replica, also the one that replaces this one in an update, schedules the "
            "same pods at the same time",
            "leaderElection.leaderElect: true"};
  }
  const std::string found =
      absl::StrCat("the Lease is ", config.lease_namespace, "/", config.lease_name);
  const bool stands_in = std::any_of(
      config.profiles.begin(), config.profiles.end(),
      [](const SchedulerProfile& profile) { return profile.name == kDefaultSchedulerName; });
  const bool default_lease =
      config.lease_name == kDefaultLeaseName && config.lease_namespace == kDefaultLeaseNamespace;
  if (!default_lease || stands_in) return Good("lease", found);
  return {Severity::kError, "lease", found,
          "that is the one of the cluster's own kube-scheduler: whichever of the two holds it "
          "works, and the other one stands still",
          absl::StrCat("leaderElection.resourceName: ", config.profiles[0].name,
                       " (any other name than ", kDefaultLeaseName, ")")};
}

}  // namespace

std::vector<Finding> CheckSchedulerConfig(const SchedulerConfig& config,
                                          const SchedulerNeeds& needs) {
  std::vector<Finding> findings = {CheckBackoff(config), CheckClientRate(config),
                                   CheckLease(config)};
  for (std::vector<Finding> more : {CheckExtenders(config, needs), CheckProfiles(config, needs)}) {
    std::move(more.begin(), more.end(), std::back_inserter(findings));
  }
  return findings;
}

}  // namespace gangpack::server
