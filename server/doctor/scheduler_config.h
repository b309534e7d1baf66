// What matters to us of a KubeSchedulerConfiguration, the file of kube-scheduler's --config.
//
// Terms: an extension point is a key of a profile's plugins: "filter", "postFilter", "multiPoint".
// What the file leaves out is what kube-scheduler takes for it, in 1.30 to 1.37.
// Pure. Errors: what is no KubeSchedulerConfiguration, and fields whose values cannot be read.
// Not here: unknown fields, and values that kube-scheduler itself refuses at its start; what is
// right and wrong (scheduler_config_check.h).
#ifndef GANGPACK_SERVER_DOCTOR_SCHEDULER_CONFIG_H_
#define GANGPACK_SERVER_DOCTOR_SCHEDULER_CONFIG_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "k8s/json_reader.h"

namespace gangpack::server {

inline constexpr absl::string_view kSchedulerConfigApiVersion = "kubescheduler.config.k8s.io/v1";
inline constexpr absl::string_view kSchedulerConfigKind = "KubeSchedulerConfiguration";
inline constexpr absl::string_view kDefaultSchedulerName = "default-scheduler";
inline constexpr absl::string_view kDefaultLeaseName = "kube-scheduler";
inline constexpr absl::string_view kDefaultLeaseNamespace = "kube-system";
inline constexpr absl::Duration kDefaultExtenderTimeout = absl::Seconds(5);

struct SchedulerExtender {
  std::string path;  // "extenders[0]"
  std::string url_prefix;
  std::string filter_verb;
  std::string prioritize_verb;
  std::string preempt_verb;
  std::string bind_verb;
  int64_t weight = 0;
  bool enable_https = false;
  bool has_tls_config = false;
  bool node_cache_capable = false;
  bool ignorable = false;
  std::vector<std::string> managed_resources;
  // InfiniteDuration where the file says a negative one, which means none.
  absl::Duration http_timeout = kDefaultExtenderTimeout;
  bool timeout_is_default = true;
};

struct PluginSet {
  std::vector<std::string> enabled;
  std::vector<std::string> disabled;  // "*": all
};

struct SchedulerProfile {
  std::string path;  // "profiles[0]"
  std::string name = std::string(kDefaultSchedulerName);
  std::optional<int64_t> percentage_of_nodes_to_score;  // absent: that of the process
  std::map<std::string, PluginSet> plugins;             // by extension point
};

struct SchedulerConfig {
  std::vector<SchedulerExtender> extenders;
  std::vector<SchedulerProfile> profiles;    // never empty
  int64_t percentage_of_nodes_to_score = 0;  // 0: adapts to the number of nodes
  int64_t pod_initial_backoff_seconds = 1;
  int64_t pod_max_backoff_seconds = 10;
  double client_qps = 50;  // negative: no limit
  int64_t client_burst = 100;
  bool leader_elect = true;
  std::string lease_name = std::string(kDefaultLeaseName);
  std::string lease_namespace = std::string(kDefaultLeaseNamespace);
};

// INVALID_ARGUMENT with one line per fault, `FILE:LINE: FIELD.PATH: what is wrong, what was
// expected`. YAML or JSON.
absl::StatusOr<SchedulerConfig> ReadSchedulerConfig(k8s::TextSource source);

// Whether the profile runs a plugin at an extension point of its own (not multiPoint), where it is
// one of those that kube-scheduler runs by default.
struct PluginAt {
  absl::string_view point;
  absl::string_view plugin;
};
bool Runs(const SchedulerProfile& profile, const PluginAt& which);

// Whether the extension point's list says so: the plugin by its name, or "*".
bool Disables(const SchedulerProfile& profile, const PluginAt& which);

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_DOCTOR_SCHEDULER_CONFIG_H_
