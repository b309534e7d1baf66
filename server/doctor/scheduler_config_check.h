// What is wrong with kube-scheduler's configuration for us: every rule, and what to write instead.
//
// Pure. Determinism: findings come in a fixed order: the process, the extenders, the profiles.
// Not here: reading it (scheduler_config.h).
#ifndef GANGPACK_SERVER_DOCTOR_SCHEDULER_CONFIG_CHECK_H_
#define GANGPACK_SERVER_DOCTOR_SCHEDULER_CONFIG_CHECK_H_

#include <cstdint>
#include <vector>

#include "server/doctor/finding.h"
#include "server/doctor/scheduler_config.h"
#include "server/doctor/scheduler_needs.h"

namespace gangpack::server {

// A refused bind is promised to be tried again within 3 s: kube-scheduler adds up to 1 s.
inline constexpr int64_t kBackoffMaxSeconds = 2;
// Requests per second to the API server, and at once.
inline constexpr int64_t kClientRateMin = 1000;

std::vector<Finding> CheckSchedulerConfig(const SchedulerConfig& config,
                                          const SchedulerNeeds& needs);

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_DOCTOR_SCHEDULER_CONFIG_CHECK_H_
