// The rules between siblings with everything settled that does not depend on the plan.
//
// Two facts make them small. (1) Anti-affinity is symmetric once one of two members is new: whoever
// carries the term, the two kinds cannot share a group; node_conflict says the same of level 0. (2)
// A sibling that is already placed either forbids a kind in its group or satisfies an affinity
// there, for good; so does a selected pod outside the gang. What is left are pairs of wanted kinds
// that stay apart, and clauses: an owner in a group asks for a supporter in the same group. Kinds
// here are wanted kinds (packing_model.h). Not here: what the rules mean to a pod (packing.h,
// PackingRule).
#ifndef GANGPACK_CORE_PACKING_RULES_H_
#define GANGPACK_CORE_PACKING_RULES_H_

#include <cstdint>
#include <vector>

#include "core/packing_problem.h"

namespace gangpack {

struct PackingLevel {
  std::vector<int> group;  // per node: dense from 0, -1 where the node lacks the label
  int groups = 0;
  std::vector<uint8_t> apart;  // kinds x kinds, symmetric: cannot share a group; empty if no pair
};

// In each group that holds an owner and is not `satisfied`, a supporter must be placed. If
// `first_group` is set, one group of the whole plan may do without: it is where the first of the
// owners went.
struct PackingClause {
  int level = 0;
  std::vector<uint8_t> owner;      // per kind
  std::vector<uint8_t> supporter;  // per kind
  bool first_group = false;
  std::vector<uint8_t> satisfied;  // per group: a selected pod is already placed there
};

struct PackingRules {
  std::vector<PackingLevel> levels;    // [0] is the node itself
  std::vector<PackingClause> clauses;  // only those that a plan can break
  std::vector<uint8_t> blocked;  // nodes x kinds: cannot go there whatever the plan; empty if none

  bool empty() const;       // no pair and no clause is left
  bool nodes_only() const;  // no clause is left, and pairs are of level 0 only
};

// `wanted` lists the kinds of `problem` with demand > 0.
// Cost: O(rules x kinds + levels x nodes x kinds), plus O(nodes x kinds^2) where siblings are
// already placed.
PackingRules ReducePackingRules(const PackingProblem& problem, const std::vector<int>& wanted);

}  // namespace gangpack

#endif  // GANGPACK_CORE_PACKING_RULES_H_
