// A plain loop like kube-scheduler's around an engine: a queue, its own filters, filter and bind
// calls, and pods it assumes on nodes.
//
// It is stricter than kube-scheduler in one point: a gang member that the engine refused for its
// gang's sake is tried again only when the engine wakes it (kube-scheduler also tries again after
// many unrelated events). So a wake that the engine forgets is seen.
// Not here: the objects (simulated_cluster.h), who decides when each step happens (random_world.h).
#ifndef GANGPACK_TESTS_SIMULATION_SIMULATED_SCHEDULER_H_
#define GANGPACK_TESTS_SIMULATION_SIMULATED_SCHEDULER_H_

#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "core/engine.h"
#include "tests/simulation/simulated_cluster.h"
#include "tests/support/prng.h"

namespace gangpack {

class SimulatedScheduler {
 public:
  struct Call {
    BindRequest request;
    bool sent = false;  // the engine has it
  };
  struct Attempt {
    std::string uid;  // empty: there was nothing to try
    std::vector<std::string> offered;
    FilterDecision decision;
    CallId call = 0;  // if a node was accepted
  };

  SimulatedScheduler(const SimulatedCluster* cluster, Prng* prng)
      : cluster_(cluster), prng_(prng) {}

  void OnPodChanged(const std::string& uid);
  // Pods that its own filters or a missing node refused are tried again.
  void OnHint();
  void OnWake(const std::string& uid);
  void OnAnswer(CallId call, const std::string& error, absl::Time now);
  // The call times out on the caller's side.
  void GiveUp(CallId call, absl::Time now);
  // Empty memory: everything unbound is tried again. The calls are to be given up by the caller.
  void Restart();
  // Everything parked is tried again.
  void Flush();

  // Tries the first pod of the queue whose backoff is over. If a node is accepted, the pod is
  // assumed there and its bind call is ready to be sent.
  Attempt ScheduleOne(Engine* engine, absl::Time now);
  // Tries one parked pod, and changes nothing if it is refused.
  FilterDecision Probe(const std::string& uid, Engine* engine, absl::Time now);

  const std::map<CallId, Call>& calls() const { return calls_; }
  void MarkSent(CallId call) { calls_.at(call).sent = true; }
  // Calls that were not sent yet.
  std::vector<CallId> Unsent() const;

  bool HasReady(absl::Time now) const;
  absl::Time NextBackoff() const;
  const std::map<std::string, bool>& parked() const { return parked_; }

 private:
  std::vector<std::string> FeasibleNodes(const Pod& pod) const;
  void Enqueue(const std::string& uid);
  void Forget(const std::string& uid);
  bool IsMine(const std::string& uid) const;

  const SimulatedCluster* const cluster_;
  Prng* const prng_;
  CallId last_call_ = 0;
  int64_t sequence_ = 0;
  std::map<std::string, int64_t> active_;          // to the order of arrival
  std::map<std::string, absl::Time> backing_off_;  // to its end
  std::map<std::string, bool> parked_;             // true: only the engine's wake helps
  std::map<std::string, std::string> assumed_;     // to the node
  std::map<CallId, Call> calls_;                   // not answered and not given up
};

}  // namespace gangpack

#endif  // GANGPACK_TESTS_SIMULATION_SIMULATED_SCHEDULER_H_
