// What must hold in a random world, computed plainly from the objects the engine was told of.
//
// Each check returns an empty text, or what is wrong. Not here: the engine's own invariants
// (core/invariants.h), which AfterCall also asks for.
#ifndef GANGPACK_TESTS_SIMULATION_WORLD_CHECKS_H_
#define GANGPACK_TESTS_SIMULATION_WORLD_CHECKS_H_

#include <map>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "core/engine.h"
#include "tests/simulation/simulated_cluster.h"
#include "tests/simulation/simulated_scheduler.h"

namespace gangpack {

class WorldChecks {
 public:
  explicit WorldChecks(const SimulatedCluster* cluster) : cluster_(cluster) {}

  // Nobody but the holder is given a node of a held domain.
  std::string OnFilter(const Engine& engine, const SimulatedScheduler::Attempt& attempt);
  // The node takes the pod beside what the engine knows to be there; nothing is bound twice.
  std::string OnBind(const BindPod& effect);
  void OnBindingFinished(const BindingFinished& fact);
  void OnFact(const Fact& fact);
  // Objects may have changed: keeps what each node could hold at most.
  void OnTruth();
  // `judged`: the engine has no work left.
  std::string AfterCall(const Engine& engine, bool judged);
  // No hold is overdue.
  std::string AfterTick(absl::Time now) const;
  // Nothing moves any more: no hold is left, and no complete gang or single pod could be placed.
  std::string OnQuiet(const Engine& engine) const;
  // The engine starts with empty memory.
  void OnRestart();

 private:
  std::string NodeOf(const Pod& pod) const;
  // A required anti-affinity term of `owner` keeps `other` out of where both are.
  bool Repels(const Pod& owner, const Pod& other) const;
  std::string CheckBoundGang(const std::string& uid) const;
  std::string CheckNotRepelled(const std::string& uid) const;
  std::string CheckSingle(const Pod& pod) const;
  std::string CheckRoomAsSeen(const Pod& pod, const Node& node) const;
  std::string CheckRoomOfOurs(const Pod& pod, const std::string& node) const;
  std::string CheckHolds() const;
  std::string CheckUnplaced(const PodGroup& group) const;
  bool DomainFits(const PodGroup& group, const std::string& domain, int need) const;

  const SimulatedCluster* const cluster_;
  std::map<std::string, std::string> assumed_;  // pods being bound, to the node
  std::vector<std::string> bound_now_;          // since AfterCall
  std::vector<ReservationView> holds_;          // at the last AfterCall
  std::map<std::string, ResourceAmounts> most_allocatable_;
};

}  // namespace gangpack

#endif  // GANGPACK_TESTS_SIMULATION_WORLD_CHECKS_H_
