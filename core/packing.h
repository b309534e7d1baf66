// Plans a whole gang into one domain: which member goes to which node, all rules at once, exactly.
//
// Terms: those of packing_problem.h. Units: those of resources.h; counts are members.
//
// Method, cheapest first, each step only where the one before leaves a doubt:
//   1. bounds and, where only the number of members on a node matters, counting with augmenting
//      paths: exact for alike members, whole-node members, and members that differ only in where
//      they may go (packing_slots.h);
//   2. first fit (packing_greedy.h), which settles the matter if it reaches the bound;
//   3. depth-first search for a plan of all, for few members (packing_backtrack.h);
//   4. states, node after node (packing_states.h): exact, cut by bounds (packing_bounds.h).
// Topology spread makes of a problem several without an order, each planned this way
// (packing_spread.h says why that is exact, packing_frames.h which are tried).
// Rules are first reduced by what placed siblings settle (packing_rules.h); which members a plan
// takes when it may leave some out is packing_choice.h.
//
// Determinism: plans fill the nodes that have the least NodeRoom first (ties: in the order given),
// because that leaves emptier nodes whole; where several mixes of kinds are left to choose from,
// the largest comes first. Kinds in the order given break the remaining ties. The answer depends on
// nothing else.
// Errors: broken shapes (a `feasible` or `group` that is too short) are CORE_CHECK.
// Not here: which pods form a kind and which nodes are feasible (gang_shape.h), ranking of domains
// (room.h).
#ifndef GANGPACK_CORE_PACKING_H_
#define GANGPACK_CORE_PACKING_H_

#include <vector>

#include "core/packing_answer.h"
#include "core/packing_problem.h"

namespace gangpack {

// How many members fit at once, exactly, unless the limit is reached. The maximum costs more than
// the answer for a given number: see PackingLimits::enough. Cost: O(nodes x kinds x resources) in
// steps 1 and 2, to which the limit adds a constant.
PackingAnswer EvaluatePacking(const PackingProblem& problem, const PackingLimits& limits);

// Chooses exactly `need` of the members and a node for each. `kind_of_member` lists the members by
// preference, best first: the chosen set is the first in lexicographic order of preference for
// which a plan exists. Demands of `problem.kinds` must equal the counts in kind_of_member. A need
// of 0 or less is met by placing nobody. With affinity a plan for `need` may not exist although one
// for more members does. Cost: that of EvaluatePacking.
PackingPlan PlanPacking(const PackingProblem& problem, const std::vector<int>& kind_of_member,
                        int need, const PackingLimits& limits);

}  // namespace gangpack

#endif  // GANGPACK_CORE_PACKING_H_
