// The rules between pods, kept as pods, nodes and namespaces change: required pod affinity and
// anti-affinity, and hard topology spread.
//
// Every pod that may be checked or counted is told once, placed or not, and again when it changes;
// then checking a node looks at counts, not at pods. Which pods count: those with a node (bound,
// held, or just answered: the caller decides) that are not finished; terminating ones count for
// terms, not for spread. A pod on a node that does not exist, or lacks a key, counts nowhere for
// it. Ownership: pods are copied as far as needed; Node objects stay with the caller, and must be
// valid until the node is set again or removed. Errors: none.
// Thread-safety: none. Cost: see pod_term_index.h, topology_spread.h and prepared_pod.h; a node
// whose labels and taints did not change costs O(keys + eligibilities).
// Not here: one pod's answer (prepared_pod.h), rules within a plan (packing_problem.h).
#ifndef GANGPACK_CORE_POD_RULES_H_
#define GANGPACK_CORE_POD_RULES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/btree_set.h"
#include "absl/types/span.h"
#include "core/node.h"
#include "core/pod.h"
#include "core/pod_selections.h"
#include "core/pod_term_index.h"
#include "core/prepared_pod.h"
#include "core/rule_changes.h"
#include "core/rule_pods.h"
#include "core/topology_spread.h"
#include "core/topology_values.h"

namespace gangpack {

// What an answer for some pods depended on, so that it can be told later what of it may be stale.
struct RuleWatch {
  struct Class {
    PodClassIndex pod_class = kNoPodClass;
    int64_t version = 0;
  };
  std::vector<Class> classes;
  std::vector<int64_t> own_terms;    // units that the pods carry
  std::vector<int64_t> own_queries;  // of spread constraints that the pods carry
  std::vector<int64_t> own_domains;  // eligibilities of these
  absl::btree_set<int64_t> others;   // anti-affinity units known to select a class
  int64_t position = 0;
};

struct RuleStaleness {
  bool everything = false;
  std::vector<RuleChange> changes;  // else: nodes with these values of these keys
};

class PodRules {
 public:
  PodRules();
  PodRules(const PodRules&) = delete;
  PodRules& operator=(const PodRules&) = delete;

  // Takes the pod as it is now, on `node` or on none (kNoNode). Tells whether anything changed.
  bool SetPod(const Pod& pod, NodeIndex node);
  // Nothing happens if the pod is not known.
  void RemovePod(const PodUid& uid);
  bool Knows(const PodUid& uid) const { return pods_.Find(uid) != nullptr; }
  // Whether the pod, which must be known, carries a rule or is selected by one that any known pod
  // carries: only then does it matter to these rules where it is, or where others are.
  bool Concern(const PodUid& uid) const;

  // Grow with every change of what an answer depends on, and with every one for the better.
  int64_t changes() const { return changes_.end(); }
  int64_t improvements() const { return changes_.improvements(); }

  void SetNode(NodeIndex node, const Node& object) { ChangeNode(node, &object); }
  void RemoveNode(NodeIndex node) { ChangeNode(node, nullptr); }
  void SetNamespace(const std::string& name, const Labels& labels);
  void RemoveNamespace(const std::string& name) { SetNamespace(name, {}); }

  // Null if it is not known.
  const RulePod* Find(const PodUid& uid) const { return pods_.Find(uid); }
  // The pod must be known.
  PreparedPod Prepare(const PodUid& uid) const;

  // A watch over all that decides for pods like these, from now on. They must be known.
  RuleWatch Watch(absl::Span<const PodUid> uids) const;
  // What may be answered otherwise since the watch was made or last caught up. After `everything`
  // make a new one; so too when none of its pods is known any more.
  RuleStaleness CatchUp(RuleWatch* watch) const;

  const TopologyValues& values() const { return values_; }
  const PodTermIndex& terms() const { return terms_; }
  const TopologySpread& spread() const { return spread_; }
  const PodSelections& selections() const { return selections_; }
  size_t pods() const { return pods_.size(); }

 private:
  void Count(RulePod* pod);
  void Uncount(RulePod* pod);
  void ChangeNode(NodeIndex node, const Node* object);
  bool IsOther(const RuleWatch& watch, int64_t unit) const;

  TopologyValues values_;
  PodSelections selections_;
  RulePods pods_;
  RuleChangeLog changes_;
  PodTermIndex terms_;
  TopologySpread spread_;
};

}  // namespace gangpack

#endif  // GANGPACK_CORE_POD_RULES_H_
