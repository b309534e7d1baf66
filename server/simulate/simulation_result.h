// What a simulation has come to: the engine's views, with what kube-scheduler adds to them.
#ifndef GANGPACK_SERVER_SIMULATE_SIMULATION_RESULT_H_
#define GANGPACK_SERVER_SIMULATE_SIMULATION_RESULT_H_

#include <string>
#include <vector>

#include "absl/time/time.h"
#include "core/views.h"

namespace gangpack::server {

struct SimulatedPod {
  PodView view;      // the message is kube-scheduler's where it alone knows why
  int attempts = 0;  // how often kube-scheduler tried the pod
};

// One decision or happening. What does not apply is empty.
struct TraceEntry {
  absl::Duration time;
  std::string event;   // "Assumed", "Bound", "Pinned", ...
  std::string object;  // pod or gang, "namespace/name"
  std::string node;
  std::string domain;
  std::string message;
};

struct SimulationResult {
  absl::Duration time;
  std::vector<SimulatedPod> pods;
  std::vector<GangView> gangs;
  std::vector<DomainView> domains;
  std::vector<TraceEntry> trace;  // in order
};

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_SIMULATE_SIMULATION_RESULT_H_
