// The rules that the profiles of kube-scheduler's configuration must keep: names, sampling of
// nodes, and which plugins run where.
//
// Determinism: findings come in a fixed order; those on plugins are about our profile alone.
#ifndef GANGPACK_SERVER_DOCTOR_PROFILE_CHECK_H_
#define GANGPACK_SERVER_DOCTOR_PROFILE_CHECK_H_

#include <cstdint>
#include <vector>

#include "server/doctor/finding.h"
#include "server/doctor/scheduler_config.h"
#include "server/doctor/scheduler_needs.h"

namespace gangpack::server {

std::vector<Finding> CheckProfiles(const SchedulerConfig& config, const SchedulerNeeds& needs);

// How many feasible nodes kube-scheduler looks for, and so offers us, in a cluster of that size.
struct NodeSampling {
  int64_t nodes = 0;
  int64_t percentage = 0;  // 0: adapts to the number of nodes
};
int64_t NodesOffered(const NodeSampling& sampling);

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_DOCTOR_PROFILE_CHECK_H_
