// The rules that the extender entries of kube-scheduler's configuration must keep.
//
// Terms: ours are the entry with the filter verb and the one with the bind verb. Where several have
// a filter verb, ours is the one on the host of the bind entry, else the first.
// Determinism: findings come in a fixed order. A rule whose entry is missing finds nothing: that
// the entry is missing is a finding of its own.
// Not here: timeouts (timeout_check.h), profiles and their plugins (profile_check.h), the rest
// (scheduler_config_check.h).
#ifndef GANGPACK_SERVER_DOCTOR_EXTENDER_CHECK_H_
#define GANGPACK_SERVER_DOCTOR_EXTENDER_CHECK_H_

#include <vector>

#include "server/doctor/finding.h"
#include "server/doctor/scheduler_config.h"
#include "server/doctor/scheduler_needs.h"

namespace gangpack::server {

std::vector<Finding> CheckExtenders(const SchedulerConfig& config, const SchedulerNeeds& needs);

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_DOCTOR_EXTENDER_CHECK_H_
