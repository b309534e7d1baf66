// Hard topology spread constraints: per topology value how many placed pods each counts, and the
// least count among the values that matter.
//
// Terms. Eligible node: one that counts for a constraint, that is, it carries the keys of all the
// pod's constraints, the pod's own node rules select it (nodeAffinityPolicy Honor), and the pod
// tolerates its taints (nodeTaintsPolicy Honor). Domain: a value of the key that an eligible node
// carries. Query: selection, key and eligibility, shared by all pods whose constraints agree in
// them; lives while a pod carries it, placed or not. Invariant: a query's counts are those of the
// pods of RulePods that are placed on eligible nodes and are not terminating. Ownership: queries
// here; addresses are stable until the last Release.
// Source: kube-scheduler's plugin PodTopologySpread, Kubernetes 1.36 with its default gates; an
// empty selector counts no pod.
// Cost: Count O(queries that select the pod x log counts); a node that changes O(eligibilities) and
// a recount of its pods; a new eligibility O(nodes); a new query O(pods it selects).
// Not here: the rule itself (prepared_pod.h).
#ifndef GANGPACK_CORE_TOPOLOGY_SPREAD_H_
#define GANGPACK_CORE_TOPOLOGY_SPREAD_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/btree_map.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "core/node.h"
#include "core/pod.h"
#include "core/pod_selections.h"
#include "core/rule_changes.h"
#include "core/rule_pods.h"
#include "core/topology_values.h"
#include "core/value_counts.h"

namespace gangpack {

// Which nodes count, for one set of keys and policies.
struct SpreadEligibility {
  int64_t id = 0;                      // as a counter of RuleChangeLog: which domains there are
  std::vector<TopologyKeyIndex> keys;  // of all the pod's constraints
  bool honor_node_affinity = false;
  bool honor_taints = false;
  PodSpec node_rules;                // only what the policies look at
  std::vector<uint8_t> eligible;     // by NodeIndex
  std::vector<ValueCounts> domains;  // per key: eligible nodes per value
  int64_t uses = 0;

  bool Has(NodeIndex node) const {
    const size_t at = static_cast<size_t>(node);
    return node >= 0 && at < eligible.size() && eligible[at] != 0;
  }
};

struct SpreadQuery {
  int64_t id = 0;
  SelectionIndex selection = 0;
  TopologyKeyIndex key = -1;
  SpreadEligibility* eligibility = nullptr;
  size_t key_place = 0;  // of `key` in the eligibility's
  ValueCounts counts;
  absl::btree_map<int32_t, int32_t>
      values_with;  // how many values have a count, for counts above 0
  std::string text;
  int64_t uses = 0;

  int32_t domains() const { return eligibility->domains[key_place].nonzero(); }
  // The least count in a domain; 0 if there is no domain.
  int32_t Least() const {
    if (counts.nonzero() < domains() || values_with.empty()) return 0;
    return values_with.begin()->first;
  }
};

class TopologySpread {
 public:
  // All must outlive the index.
  TopologySpread(PodSelections* selections, TopologyValues* values, const RulePods* pods,
                 RuleChangeLog* changes)
      : selections_(selections), values_(values), pods_(pods), changes_(changes) {}
  TopologySpread(const TopologySpread&) = delete;
  TopologySpread& operator=(const TopologySpread&) = delete;

  std::vector<CarriedSpread> Acquire(const Pod& owner);
  void Release(const std::vector<CarriedSpread>& spread);

  // Counts a pod that was just placed (`change` 1), or is about to be displaced (-1).
  void Count(const RulePod& pod, int32_t change);

  // Whether a node that is now as `object` (null: gone) would count for other queries than before.
  bool WouldChange(NodeIndex node, const Node* object) const;
  // Takes the node out, and in as TopologyValues has it. Its pods must not be counted meanwhile.
  void RemoveNode(NodeIndex node);
  void AddNode(NodeIndex node);

  // Whether there still is a query of this number.
  bool Has(int64_t query) const { return ids_.contains(query); }
  size_t queries() const { return queries_.size(); }
  size_t eligibilities() const { return eligibilities_.size(); }

  // How often a count was changed, and a node looked at: work done, for tests.
  int64_t counts_changed() const { return counts_changed_; }
  int64_t nodes_evaluated() const { return nodes_evaluated_; }

 private:
  using Eligibilities = std::map<std::string, std::unique_ptr<SpreadEligibility>>;
  SpreadQuery* AcquireQuery(const TopologySpreadConstraint& constraint, const Pod& owner);
  SpreadEligibility* AcquireEligibility(const TopologySpreadConstraint& constraint,
                                        const Pod& owner, std::string text);
  void ReleaseQuery(SpreadQuery* query);
  bool IsEligible(const SpreadEligibility& eligibility, const Node* object) const;
  void SetEligible(NodeIndex node, bool eligible, SpreadEligibility* eligibility);
  void CountAt(SpreadQuery* query, const RulePod& pod, int32_t change);
  std::vector<SpreadQuery*>& AttachedTo(SelectionIndex selection);

  PodSelections* selections_;
  TopologyValues* values_;
  const RulePods* pods_;
  RuleChangeLog* changes_;
  Eligibilities eligibilities_;
  absl::flat_hash_map<std::string, std::unique_ptr<SpreadQuery>> queries_;
  absl::flat_hash_set<int64_t> ids_;                 // of `queries_`
  std::vector<std::vector<SpreadQuery*>> attached_;  // by SelectionIndex
  int64_t counts_changed_ = 0;
  mutable int64_t nodes_evaluated_ = 0;
};

}  // namespace gangpack

#endif  // GANGPACK_CORE_TOPOLOGY_SPREAD_H_
