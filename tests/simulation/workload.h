// Random changes of objects: what users, nodes and other schedulers do.
#ifndef GANGPACK_TESTS_SIMULATION_WORKLOAD_H_
#define GANGPACK_TESTS_SIMULATION_WORKLOAD_H_

#include <string>
#include <vector>

#include "absl/time/time.h"
#include "tests/simulation/simulated_cluster.h"
#include "tests/support/object_builders.h"
#include "tests/support/prng.h"

namespace gangpack {

class Workload {
 public:
  Workload(SimulatedCluster* cluster, Prng* prng) : cluster_(cluster), prng_(prng) {}

  // Nodes in racks and zones.
  void Build();
  // One random change; the result names it.
  std::string Change(absl::Time now);

 private:
  std::string AddGang(absl::Time now);
  std::string AddSingle(absl::Time now);
  std::string AddForeign(absl::Time now);
  std::string ChangePod(absl::Time now);
  std::string ChangeGroup(absl::Time now);
  std::string ChangeNode();
  void SetRandomNode(const std::string& name);
  std::string NewUid() { return "u" + std::to_string(++uids_); }
  void AddRules(PodBuilder* pod, const std::string& own, const std::string& value);
  Pod MemberOf(const PodGroup& group, int index, absl::Time now);

  SimulatedCluster* const cluster_;
  Prng* const prng_;
  int uids_ = 0;
  int gangs_ = 0;
  int singles_ = 0;
  int nodes_ = 0;
};

}  // namespace gangpack

#endif  // GANGPACK_TESTS_SIMULATION_WORKLOAD_H_
