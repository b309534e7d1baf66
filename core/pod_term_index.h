// Required pod affinity and anti-affinity terms, and per topology value how many placed pods they
// select and how many carry them.
//
// Terms. Unit: what is counted together. kube-scheduler counts for affinity the pods that ALL
// affinity terms of the owner select, per term's key, so a pod's affinity terms are one unit; each
// anti-affinity term is one by itself. Units are shared by all pods whose terms say the same, and
// live while a pod carries them, placed or not. Invariant: the counts of a unit are those of the
// pods of RulePods that are placed on nodes that exist and carry the key. Terminating pods count,
// finished ones are not to be placed. Ownership: units here; addresses are stable until the last
// Release. Cost: Count O(units that select the pod or that it carries x log pods); Acquire of known
// terms O(terms), of new ones O(pods they select) more.
// Not here: the rules themselves (prepared_pod.h), which selection selects whom (pod_selections.h).
#ifndef GANGPACK_CORE_POD_TERM_INDEX_H_
#define GANGPACK_CORE_POD_TERM_INDEX_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/btree_set.h"
#include "absl/container/flat_hash_map.h"
#include "core/pod.h"
#include "core/pod_selections.h"
#include "core/rule_changes.h"
#include "core/rule_pods.h"
#include "core/topology_values.h"
#include "core/value_counts.h"

namespace gangpack {

// Pods per value, of which the first by namespace and name can be named.
class PodsByValue {
 public:
  void Insert(TopologyValue value, const RulePod* pod) { pods_.insert({value, pod}); }
  void Erase(TopologyValue value, const RulePod* pod) { pods_.erase({value, pod}); }
  // The first pod of the value other than `besides`; null if there is none.
  const RulePod* First(TopologyValue value, const RulePod* besides) const;

 private:
  using Entry = std::pair<TopologyValue, const RulePod*>;
  struct Less {
    using is_transparent = void;
    bool operator()(const Entry& a, const Entry& b) const;
    bool operator()(const Entry& a, TopologyValue b) const { return a.first < b; }
    bool operator()(TopologyValue a, const Entry& b) const { return a < b.first; }
  };
  absl::btree_set<Entry, Less> pods_;
};

struct TermUnit {
  int64_t id = 0;
  bool affinity = false;
  SelectionIndex selection = 0;
  std::vector<TopologyKeyIndex> keys;  // without repetitions; exactly one for anti-affinity
  std::vector<ValueCounts> selected;   // per key
  int64_t total = 0;                   // the sum of `selected` over values and keys
  ValueCounts carriers;                // of an anti-affinity term, by its key
  PodsByValue selected_pods;           // of an anti-affinity term
  PodsByValue carrier_pods;            // of an anti-affinity term
  std::string text;
  int64_t uses = 0;
};

class PodTermIndex {
 public:
  // All must outlive the index.
  PodTermIndex(PodSelections* selections, TopologyValues* values, const RulePods* pods,
               RuleChangeLog* changes)
      : selections_(selections), values_(values), pods_(pods), changes_(changes) {}
  PodTermIndex(const PodTermIndex&) = delete;
  PodTermIndex& operator=(const PodTermIndex&) = delete;

  CarriedTerms Acquire(const Pod& owner);
  void Release(const CarriedTerms& terms);

  // Counts a pod that was just placed (`change` 1), or is about to be displaced (-1).
  void Count(const RulePod& pod, int32_t change);
  // As Count, for what this selection alone selects.
  void CountSelected(SelectionIndex selection, const RulePod& pod, int32_t change);

  // The anti-affinity terms with this selection.
  const std::vector<TermUnit*>& AntiAffinityWith(SelectionIndex selection) const;
  // Null if the unit is gone.
  const TermUnit* Find(int64_t id) const;
  size_t units() const { return by_id_.size(); }

  // How many (unit, key) counts Count and CountSelected changed: work done, for tests.
  int64_t counts_changed() const { return counts_changed_; }

 private:
  struct Attached {
    std::vector<TermUnit*> affinity;
    std::vector<TermUnit*> anti_affinity;
  };
  TermUnit* AcquireUnit(bool affinity, std::vector<SelectionClause> clauses,
                        const std::vector<std::string>& keys);
  void ReleaseUnit(TermUnit* unit);
  Attached& AttachedTo(SelectionIndex selection);
  void CountAt(TermUnit* unit, const RulePod& pod, int32_t change);
  void CountCarrier(TermUnit* unit, const RulePod& pod, int32_t change);

  PodSelections* selections_;
  TopologyValues* values_;
  const RulePods* pods_;
  RuleChangeLog* changes_;
  absl::flat_hash_map<std::string, std::unique_ptr<TermUnit>> by_text_;
  absl::flat_hash_map<int64_t, TermUnit*> by_id_;
  std::vector<Attached> attached_;  // by SelectionIndex
  int64_t counts_changed_ = 0;
};

}  // namespace gangpack

#endif  // GANGPACK_CORE_POD_TERM_INDEX_H_
