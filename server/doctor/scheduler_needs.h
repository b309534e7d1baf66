// What kube-scheduler's configuration must go with: our own, and the cluster as far as it was seen.
#ifndef GANGPACK_SERVER_DOCTOR_SCHEDULER_NEEDS_H_
#define GANGPACK_SERVER_DOCTOR_SCHEDULER_NEEDS_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/time/time.h"
#include "server/configuration_fields.h"

namespace gangpack::server {

struct SchedulerNeeds {
  Configuration configuration;
  std::optional<int64_t> nodes;  // absent: no cluster was seen
  // The PodGroup with the longest scheduleTimeoutSeconds, where one was seen.
  absl::Duration group_timeout = absl::ZeroDuration();
  std::string group;  // "namespace/name"
};

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_DOCTOR_SCHEDULER_NEEDS_H_
