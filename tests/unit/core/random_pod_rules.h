// Random small clusters whose pods have rules toward each other, and random changes to them: told
// to a PodRules and, as plain facts, to a ReferenceCluster.
//
// Determinism: the same seed gives the same cluster and changes. Units: none.
// Ownership: the cluster is owned here, and so are the nodes that the PodRules point to.
#ifndef GANGPACK_TESTS_UNIT_CORE_RANDOM_POD_RULES_H_
#define GANGPACK_TESTS_UNIT_CORE_RANDOM_POD_RULES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "core/pod_rules.h"
#include "tests/support/prng.h"
#include "tests/unit/core/reference_pod_rules.h"

namespace gangpack {

class RandomPodRules {
 public:
  static constexpr NodeIndex kNodes = 6;  // of which some do not exist
  static constexpr int kPods = 9;         // of which some do not exist

  explicit RandomPodRules(uint64_t seed);

  struct Change {
    NodeIndex node = kNoNode;  // whose labels or taints may have changed
    std::string uid;           // of the pod that may have changed in more than its node
  };
  Change Step();

  const PodRules& rules() const { return rules_; }
  const ReferenceCluster& cluster() const { return cluster_; }

 private:
  std::string Pick(const std::vector<std::string>& from);
  LabelSelector RandomSelector(const std::string& key, const std::vector<std::string>& values);
  PodAffinityTerm RandomTerm();
  TopologySpreadConstraint RandomConstraint(const std::string& key);
  PodSpec RandomSpec();
  Labels RandomPodLabels();
  Change ChangePod();
  Change ChangeNode();
  Change ChangeNamespace();

  Prng prng_;
  ReferenceCluster cluster_;
  PodRules rules_;
};

}  // namespace gangpack

#endif  // GANGPACK_TESTS_UNIT_CORE_RANDOM_POD_RULES_H_
