// The kube-scheduler configuration that is right for us, as YAML with comments. Pure.
//
// Invariant: scheduler_config_check.h finds nothing wrong in it.
#ifndef GANGPACK_SERVER_DOCTOR_SCHEDULER_CONFIG_TEXT_H_
#define GANGPACK_SERVER_DOCTOR_SCHEDULER_CONFIG_TEXT_H_

#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace gangpack::server {

struct SchedulerConfigValues {
  std::string scheduler_name;
  std::string filter_url;
  std::string bind_url;
  std::string kubeconfig_path;  // empty: the service account of the pod
  std::string lease_name;
  std::string lease_namespace;
  absl::Duration gang_timeout;  // the longest that is known
};

std::string SchedulerConfigText(const SchedulerConfigValues& values);

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_DOCTOR_SCHEDULER_CONFIG_TEXT_H_
