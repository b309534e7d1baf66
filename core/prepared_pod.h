// The rules between pods for one pod: on which nodes may it run, as far as other placed pods go.
//
// What the pod's terms select, and which terms select the pod, is resolved once; a node then costs
// a few array reads. The pod itself is left out of all counts, so that a pod that is placed already
// can be checked again. Order of the rules, as kube-scheduler has it: topology spread, the pod's
// own affinity terms, its own anti-affinity terms, anti-affinity terms of placed pods.
// A node that does not exist carries no label. Source: kube-scheduler's plugins PodTopologySpread
// and InterPodAffinity, Kubernetes 1.36.
// Lifetime: valid until the PodRules it is from change. Determinism: the rejection of a node
// depends on the placed pods only, not on the order in which they came.
// Cost: constructor O(the pod's terms + terms that select it); with more than kListedMax of these
// for one key, O(values that they keep the pod from) more. FirstRule and Allows O(rules).
#ifndef GANGPACK_CORE_PREPARED_POD_H_
#define GANGPACK_CORE_PREPARED_POD_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/ids.h"
#include "core/pod_rule_rejection.h"
#include "core/pod_selections.h"
#include "core/pod_term_index.h"
#include "core/rule_pods.h"
#include "core/topology_spread.h"
#include "core/topology_values.h"

namespace gangpack {

class PreparedPod {
 public:
  static constexpr size_t kListedMax = 8;

  struct Sources {
    const PodSelections* selections;
    const TopologyValues* values;
    const PodTermIndex* terms;
  };
  // `pod` and the sources must outlive the object.
  PreparedPod(const RulePod* pod, const Sources& sources);

  bool Allows(NodeIndex node) const { return !FirstRule(node).has_value(); }
  // The first rule that keeps the pod from the node; absent if there is none. Check names it in
  // full, which costs O(terms that select the pod).
  std::optional<PodRule> FirstRule(NodeIndex node) const;
  std::optional<PodRuleRejection> Check(NodeIndex node) const;

  // Allows, but for spread: for a pod that is counted on the node already, among others that were
  // placed together with it in an order that is no longer known.
  bool AllowsByTerms(NodeIndex node) const { return !TermRule(node).has_value(); }

  // False if every node is allowed, whatever its labels.
  bool has_rules() const {
    return !spread_.empty() || !affinity_.empty() || !own_anti_.empty() || !other_anti_.empty();
  }
  // Whether the pod is allowed on nodes without a selected pod, as the first of its kind.
  bool first_of_its_kind() const { return first_of_its_kind_; }

 private:
  // Counts per value, of which one is the pod's own where it is placed.
  struct Side {
    TopologyKeyIndex key = -1;
    const ValueCounts* counts = nullptr;
    TopologyValue own = kNoValue;
    const PodsByValue* pods = nullptr;

    int32_t Others(TopologyValue value) const {
      return counts->At(value) - (value == own && value != kNoValue ? 1 : 0);
    }
  };
  struct Spread {
    Side side;
    int32_t least = 0;  // 0 where there are fewer domains than minDomains
    int32_t max_skew = 1;
    int32_t self = 0;  // 1 if the pod counts for its own constraint
  };
  // Values of one key from which many terms together keep the pod.
  struct Barred {
    TopologyKeyIndex key = -1;
    std::vector<uint8_t> values;
  };

  void PrepareSpread();
  void PrepareTerms();
  void PrepareOthers();
  TopologyValue OwnValue(TopologyKeyIndex key, bool counted) const;
  std::optional<PodRule> SpreadRule(NodeIndex node) const;
  std::optional<PodRule> TermRule(NodeIndex node) const;
  std::optional<PodRule> AffinityRule(NodeIndex node) const;
  bool AllowsOthers(NodeIndex node) const;
  PodRuleRejection Rejection(PodRule rule, const Side& side, TopologyValue value) const;
  std::optional<PodRuleRejection> CheckSpread(NodeIndex node) const;
  std::optional<PodRuleRejection> CheckAffinity(NodeIndex node) const;
  std::optional<PodRuleRejection> CheckOwnAnti(NodeIndex node) const;
  std::optional<PodRuleRejection> CheckOtherAnti(NodeIndex node) const;

  const RulePod* pod_;
  Sources sources_;
  std::vector<Spread> spread_;
  std::vector<Side> affinity_;  // one per key
  bool first_of_its_kind_ = false;
  std::vector<Side> own_anti_;
  std::vector<Side>
      other_anti_;            // of every term that selects the pod and is carried by a placed one
  std::vector<Side> listed_;  // of these, the ones that are not in `barred_`
  std::vector<Barred> barred_;
};

}  // namespace gangpack

#endif  // GANGPACK_CORE_PREPARED_POD_H_
