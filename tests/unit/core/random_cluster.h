// A small cluster that changes at random, and what a plain look at its surviving objects says of
// it.
//
// Terms: the model is the surviving objects alone; it knows nothing of indexes. Determinism: the
// seed decides everything.
#ifndef GANGPACK_TESTS_UNIT_CORE_RANDOM_CLUSTER_H_
#define GANGPACK_TESTS_UNIT_CORE_RANDOM_CLUSTER_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/cluster_state.h"
#include "core/node.h"
#include "core/pod.h"
#include "tests/support/prng.h"

namespace gangpack {

class RandomCluster {
 public:
  explicit RandomCluster(uint64_t seed) : prng_(seed) {}

  // Makes one change in the model and in `cluster`.
  void Step(ClusterState* cluster);

  // What a plain look at the surviving objects says, over these topology keys.
  std::string Rescan(const std::vector<std::string>& keys) const;
  // What `cluster` says in the same words.
  static std::string Describe(const ClusterState& cluster);

  // A new ClusterState that was told the surviving objects only, pods first.
  void Rebuild(ClusterState* cluster) const;

  Prng& prng() { return prng_; }

 private:
  Node DrawNode();
  Pod DrawPod();
  void ChangePod(ClusterState* cluster);
  void ChangeAssumption(ClusterState* cluster);

  Prng prng_;
  std::map<std::string, Node> nodes_;
  std::map<std::string, Pod> pods_;             // by UID
  std::map<std::string, std::string> assumed_;  // node by UID
  std::map<std::string, Labels> namespaces_;
};

}  // namespace gangpack

#endif  // GANGPACK_TESTS_UNIT_CORE_RANDOM_CLUSTER_H_
