// Whether a cluster has what gangpack needs: asks its API server, and changes nothing.
//
// Asked: the version, each access right (as whoever the client is), and the lists of PodGroups and
// nodes. Where the server does not answer, nothing else is asked.
// Errors: all of them are findings. Determinism: findings come in a fixed order.
// Cost: a request per right, and per 500 objects; one page is in memory at a time.
#ifndef GANGPACK_SERVER_DOCTOR_CLUSTER_CHECK_H_
#define GANGPACK_SERVER_DOCTOR_CLUSTER_CHECK_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "core/policy.h"
#include "k8s/api_client.h"
#include "server/doctor/finding.h"
#include "server/slow_step.h"

namespace gangpack::server {

inline constexpr int kServerMinorMin = 30;
inline constexpr int kServerMinorMax = 37;

struct ClusterReport {
  std::vector<Finding> findings;
  std::optional<int64_t> nodes;  // absent: they could not be listed
  absl::Duration longest_timeout = absl::ZeroDuration();
  std::string longest;  // the PodGroup that has it
};

struct CheckedCluster {
  k8s::ApiClient* client;
  std::string server;  // for messages: "https://10.0.0.1:6443"
};

ClusterReport CheckCluster(const CheckedCluster& cluster, const Policy& policy,
                           const ProgressVoice& voice);

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_DOCTOR_CLUSTER_CHECK_H_
