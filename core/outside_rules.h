// What pods that have a node do to the kinds of a gang through the rules between pods: a value that
// says it per topology value, so that two moments, or two gangs of one shape, can be compared.
//
// Terms. Kind: as in packing_problem.h; its first member to be placed speaks for it. Members that
// are to be planned must be expected nowhere (expectations.h). Determinism: depends on the pods
// that have a node only.
// Cost: OutsideRulesOf O(terms that select the kinds, and values with their pods); Compare
// O(values). Not here: rules among the members themselves (gang_shape.h, packing_problem.h).
#ifndef GANGPACK_CORE_OUTSIDE_RULES_H_
#define GANGPACK_CORE_OUTSIDE_RULES_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/btree_map.h"
#include "absl/types/span.h"
#include "core/packing_problem.h"
#include "core/pod_rules.h"

namespace gangpack {

struct OutsideRules {
  // Some values of one key: 1 by TopologyValue, without zeros at the end.
  struct Values {
    TopologyKeyIndex key = -1;
    std::vector<uint8_t> has;

    bool Has(TopologyValue value) const {
      const size_t at = static_cast<size_t>(value);
      return value >= 0 && at < has.size() && has[at] != 0;
    }
    friend bool operator==(const Values&, const Values&) = default;
  };
  struct Kind {
    std::vector<Values> barred;   // per key: anti-affinity, its own or a placed pod's, keeps it out
    std::vector<Values> found;    // per key of its affinity terms: pods that these select are there
    bool found_anywhere = false;  // some pod is selected, if only on a node without the key

    friend bool operator==(const Kind&, const Kind&) = default;
  };
  // One hard spread constraint, for all kinds that carry the same.
  struct Spread {
    TopologyKeyIndex key = -1;
    int32_t max_skew = 1;
    int32_t min_domains = 1;
    std::vector<uint8_t> bound;                      // per kind: carries it
    std::vector<uint8_t> counted;                    // per kind: is counted by it
    std::vector<int32_t> counts;                     // by TopologyValue, without zeros at the end
    std::vector<uint8_t> eligible;                   // by NodeIndex
    absl::btree_map<int32_t, int32_t> domains_with;  // how many domains have each count, 0 included

    int32_t CountOf(TopologyValue value) const {
      const size_t at = static_cast<size_t>(value);
      return value >= 0 && at < counts.size() ? counts[at] : 0;
    }
    bool IsEligible(NodeIndex node) const {
      const size_t at = static_cast<size_t>(node);
      return node >= 0 && at < eligible.size() && eligible[at] != 0;
    }
    // min_domains is kept.
    bool LeastIsZero() const;
    friend bool operator==(const Spread&, const Spread&) = default;
  };
  std::vector<Kind> kinds;
  std::vector<Spread> spread;

  friend bool operator==(const OutsideRules&, const OutsideRules&) = default;
};

// Per kind the UID of the pod that speaks for it; a pod that is not known, or an empty UID, says
// nothing.
OutsideRules OutsideRulesOf(absl::Span<const PodUid> kinds, const PodRules& rules);

// Where two of them, of kinds that are alike in number and rules, differ.
struct OutsideDifferences {
  bool everywhere = false;
  std::vector<std::pair<TopologyKeyIndex, TopologyValue>> values;
};
// `nodes_max`: no domain of the gang has more nodes than that.
OutsideDifferences Compare(const OutsideRules& before, const OutsideRules& after, int nodes_max);

// Puts them into the packing problem of these nodes, whose rules and spread are those of the shape:
// `rule_keys` names the topology key of each rule.
void AddOutsideRules(const OutsideRules& outside, absl::Span<const NodeIndex> nodes,
                     absl::Span<const std::string> rule_keys, const TopologyValues& values,
                     PackingProblem* problem);

}  // namespace gangpack

#endif  // GANGPACK_CORE_OUTSIDE_RULES_H_
