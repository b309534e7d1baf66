// The rules between pods by plain loops over all pods and nodes, for comparison: the steps of
// kube-scheduler's plugins PodTopologySpread and InterPodAffinity one by one.
//
// Cost: O(pods x terms + nodes) per question.
#ifndef GANGPACK_TESTS_UNIT_CORE_REFERENCE_POD_RULES_H_
#define GANGPACK_TESTS_UNIT_CORE_REFERENCE_POD_RULES_H_

#include <map>
#include <optional>
#include <string>

#include "core/node.h"
#include "core/pod.h"
#include "core/prepared_pod.h"
#include "core/topology_index.h"

namespace gangpack {

struct ReferenceCluster {
  struct PlacedPod {
    Pod pod;
    NodeIndex node = kNoNode;
  };
  std::map<NodeIndex, Node> nodes;        // that exist
  std::map<std::string, PlacedPod> pods;  // by UID
  std::map<std::string, Labels> namespaces;

  // Why the pod of this UID may not run on the node; the pod itself is not counted.
  std::optional<PodRuleRejection> Check(const std::string& uid, NodeIndex node) const;
};

}  // namespace gangpack

#endif  // GANGPACK_TESTS_UNIT_CORE_REFERENCE_POD_RULES_H_
