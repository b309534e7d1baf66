// A cluster by names for tests of the rules between pods: nodes in racks, pods on nodes, checks of
// pods that wait.
//
// Terms. Racks a and b of two nodes each (a1, a2, b1, b2), all in zone z; the node `bare` has no
// label but its host name. Ownership: node objects are owned here.
#ifndef GANGPACK_TESTS_UNIT_CORE_RULE_CLUSTER_H_
#define GANGPACK_TESTS_UNIT_CORE_RULE_CLUSTER_H_

#include <map>
#include <optional>
#include <string>

#include "core/pod.h"
#include "core/pod_rules.h"
#include "tests/support/object_builders.h"

namespace gangpack {

inline constexpr absl::string_view kZone = "zone";

class RuleCluster {
 public:
  RuleCluster() {
    for (const std::string name : {"a1", "a2", "b1", "b2"}) {
      Set(NodeBuilder(name).Rack(name.substr(0, 1)).Label(kZone, "z"));
    }
    Set(NodeBuilder("bare"));
  }

  void Set(const Node& node) {
    const auto [it, inserted] =
        indexes_.try_emplace(node.name, static_cast<NodeIndex>(indexes_.size()));
    nodes_[node.name] = node;
    rules_.SetNode(it->second, nodes_[node.name]);
  }
  void Remove(const std::string& node) { rules_.RemoveNode(Index(node)); }
  NodeIndex Index(const std::string& node) const { return indexes_.at(node); }

  void Place(const Pod& pod, const std::string& node) { rules_.SetPod(pod, Index(node)); }
  void Wait(const Pod& pod) { rules_.SetPod(pod, kNoNode); }

  // Why the pod, which waits, may not run there.
  std::optional<PodRuleRejection> Check(const Pod& pod, const std::string& node) {
    Wait(pod);
    return rules_.Prepare(pod.uid).Check(Index(node));
  }
  std::optional<PodRule> Rule(const Pod& pod, const std::string& node) {
    const auto rejection = Check(pod, node);
    return rejection.has_value() ? std::make_optional(rejection->rule) : std::nullopt;
  }

  PodRules& rules() { return rules_; }

 private:
  PodRules rules_;
  std::map<std::string, NodeIndex> indexes_;
  std::map<std::string, Node> nodes_;
};

inline PodBuilder App(absl::string_view name, absl::string_view app) {
  return PodBuilder(name).Label("app", app);
}

}  // namespace gangpack

#endif  // GANGPACK_TESTS_UNIT_CORE_RULE_CLUSTER_H_
