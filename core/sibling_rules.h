// Whether a plan that exists keeps the rules between siblings: needed where the plan is not made
// here (nominations found at start) or the labels of nodes or members changed under it.
//
// Cost: O(rules x (nodes x kinds + members)); SpreadHolds O(constraints x (nodes + members)) for
// one binding constraint, for several that of packing_spread_order.h. Not here: the rules' meaning
// (packing.h), the search for a plan (packing.h), room on the nodes (gang_plan.h).
#ifndef GANGPACK_CORE_SIBLING_RULES_H_
#define GANGPACK_CORE_SIBLING_RULES_H_

#include <cstdint>
#include <vector>

#include "core/packing.h"

namespace gangpack {

// Per kind 1 where the first of all that carry this very affinity term, and are selected by it, may
// go anywhere; the rule's own kind is always one of them.
std::vector<uint8_t> AlikeKinds(const PackingProblem& problem, const PackingRule& rule);

// `node_of_member` is aligned with `kind_of_member`: indexes into problem.nodes, one for every
// member.
bool SiblingRulesHold(const PackingProblem& problem, const std::vector<int>& kind_of_member,
                      const std::vector<int>& node_of_member);

// Whether the members can be placed one after the other under topology spread. Where several
// constraints bind them and none of the orders tried (packing_spread_order.h) works: false.
bool SpreadHolds(const PackingProblem& problem, const std::vector<int>& kind_of_member,
                 const std::vector<int>& node_of_member);

}  // namespace gangpack

#endif  // GANGPACK_CORE_SIBLING_RULES_H_
