#include "server/doctor/scheduler_config_text.h"

#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "server/doctor/timeout_check.h"
#include "server/json_escape.h"

namespace gangpack::server {
namespace {

constexpr char kTemplate[] =
    R"(# For kube-scheduler 1.30 to 1.37: kube-scheduler --config FILE
# gangpack doctor --scheduler-config FILE checks it.
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
percentageOfNodesToScore: 100          # else a changing part of the nodes is offered
podInitialBackoffSeconds: 1
podMaxBackoffSeconds: 2                # a refused bind is tried again within 3 s
clientConnection:
@kubeconfig  qps: 1000                            # refusals are written inside the only scheduling loop
  burst: 2000
leaderElection:
  leaderElect: true
  resourceLock: leases
  resourceNamespace: @lease_namespace
  # Not the Lease of the cluster's own kube-scheduler.
  resourceName: @lease_name
profiles:
- schedulerName: @scheduler_name
  plugins:
    multiPoint:
      disabled: [{name: DefaultPreemption}]   # it clears the nominations that carry a plan
    preFilter:                                # these rules are checked by gangpack; their scores stay
      disabled: [{name: InterPodAffinity}, {name: PodTopologySpread}]
    filter:
      disabled: [{name: InterPodAffinity}, {name: PodTopologySpread}]
extenders:
- urlPrefix: @filter_url
  filterVerb: filter
  prioritizeVerb: prioritize
  weight: 10
  nodeCacheCapable: true
  httpTimeout: 2s
  ignorable: false
- urlPrefix: @bind_url
  bindVerb: bind
  nodeCacheCapable: true
  # A bind is held until the gang is complete: far above any gang's timeout.
  httpTimeout: @bind_timeout
  ignorable: false                     # else a member is bound alone when gangpack is away
)";

// Plain where it can only be this text, else as a JSON string, which YAML takes.
std::string Scalar(absl::string_view text) {
  bool plain = !text.empty() && absl::ascii_isalpha(static_cast<unsigned char>(text[0])) != 0;
  if (!text.empty() && text[0] == '/') plain = true;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool inner_colon = text[i] == ':' && i + 1 < text.size();
    plain = plain && (absl::ascii_isalnum(static_cast<unsigned char>(text[i])) != 0 ||
                      absl::StrContains("-_./", text.substr(i, 1)) || inner_colon);
  }
  for (const absl::string_view other :
       {"true", "false", "null", "yes", "no", "on", "off", "y", "n"}) {
    plain = plain && !absl::EqualsIgnoreCase(text, other);
  }
  if (plain) return std::string(text);
  std::string quoted;
  AppendJsonString(quoted, std::string_view(text.data(), text.size()));
  return quoted;
}

}  // namespace

std::string SchedulerConfigText(const SchedulerConfigValues& values) {
  const std::string kubeconfig =
      values.kubeconfig_path.empty()
          ? ""
          : absl::StrCat("  kubeconfig: ", Scalar(values.kubeconfig_path), "\n");
  return absl::StrReplaceAll(kTemplate, {{"@kubeconfig", kubeconfig},
                                         {"@lease_namespace", Scalar(values.lease_namespace)},
                                         {"@lease_name", Scalar(values.lease_name)},
                                         {"@scheduler_name", Scalar(values.scheduler_name)},
                                         {"@filter_url", Scalar(values.filter_url)},
                                         {"@bind_url", Scalar(values.bind_url)},
                                         {"@bind_timeout", BindTimeoutFor(values.gang_timeout)}});
}

}  // namespace gangpack::server
