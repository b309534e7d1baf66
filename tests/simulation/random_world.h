// A random world around the real engine: one seed decides everything that happens.
//
// Run() lets objects change, watches lag, bindings fail, callers hang up, schedulers and engines
// restart and the clock jump; after each step the checks of world_checks.h look at what the engine
// did. Settle() then stops all faults and changes, and everything that can be placed must be.
// Determinism: the same seed gives the same trace, byte by byte, in every process.
#ifndef GANGPACK_TESTS_SIMULATION_RANDOM_WORLD_H_
#define GANGPACK_TESTS_SIMULATION_RANDOM_WORLD_H_

#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/engine.h"
#include "tests/simulation/simulated_cluster.h"
#include "tests/simulation/simulated_scheduler.h"
#include "tests/simulation/workload.h"
#include "tests/simulation/world_checks.h"
#include "tests/support/prng.h"

namespace gangpack {

class RandomWorld {
 public:
  explicit RandomWorld(uint64_t seed);

  void Run(int steps);
  void Settle();

  // Empty if every check passed; otherwise the first that did not.
  const std::string& failure() const { return failure_; }
  // What happened, one line a step.
  const std::string& trace() const { return trace_; }
  // Pods of ours that were bound, so that a test can tell that something happened.
  int bound() const { return bound_; }

 private:
  struct Binding {
    BindPod effect;
    bool done = false;  // at the API server
    std::string error;
  };

  template <typename... Parts>
  void Note(const Parts&... parts) {
    absl::StrAppend(&trace_, parts..., "\n");
  }
  void Check(const std::string& problem);

  // One step of the machinery each.
  void Step();
  void DeliverNews(int watch);
  void RepeatNews();
  void ScheduleOne();
  void SendBind();
  void CarryOutBinding(bool faults);
  void ReportBinding();
  void DeliverWake();
  void Advance(absl::Duration duration);
  void AdvanceRandomly();
  void GiveUpCall();
  void RestartScheduler();
  void RestartEngine();

  // After every call of the engine: work, take its effects, check.
  void AfterEngine(bool all_slices = true);
  void Take(const Effect& effect);
  void Tell(const Fact& fact);
  void TellScheduler();
  std::string TryToBind(const BindPod& effect);
  bool IsBeingBound(const PodUid& uid) const;
  void LeaveNominations();

  // All news, bindings and calls until nothing moves; false if that takes too long.
  bool RunUntilQuiet();
  void CheckQuiet();

  Prng prng_;
  Policy policy_;
  absl::Time now_;
  SimulatedCluster cluster_;
  SimulatedScheduler scheduler_;
  Workload workload_;
  Engine engine_;
  WorldChecks checks_;
  std::deque<Binding> bindings_;
  std::deque<PodUid> wakes_;
  std::set<CallId> given_up_;
  bool settling_ = false;
  int bound_ = 0;
  std::string trace_;
  std::string failure_;
};

}  // namespace gangpack

#endif  // GANGPACK_TESTS_SIMULATION_RANDOM_WORLD_H_
