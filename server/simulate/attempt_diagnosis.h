// Why one attempt found no node, as kube-scheduler counts and words it.
//
// Source: FitError in k8s.io/kubernetes pkg/scheduler/framework, Kubernetes 1.36.
#ifndef GANGPACK_SERVER_SIMULATE_ATTEMPT_DIAGNOSIS_H_
#define GANGPACK_SERVER_SIMULATE_ATTEMPT_DIAGNOSIS_H_

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "server/simulate/scheduling_queue.h"

namespace gangpack::server {

struct AttemptDiagnosis {
  size_t nodes_total = 0;
  std::map<std::string, std::vector<std::string>> reasons;  // by node; later ones replace earlier
  Rejectors rejectors = 0;
  bool extender_asked = false;

  // `0/3 nodes are available: 1 Insufficient cpu, 2 node(s) were unschedulable. no new claims to
  // deallocate`: as in the event and the condition. The last sentence is DynamicResources', which
  // always has its say after a refusal, from 1.34 on.
  std::string Text() const;
};

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_SIMULATE_ATTEMPT_DIAGNOSIS_H_
