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

#include <cstdint>
#include <vector>

#include "core/packing_problem.h"

namespace gangpack {

// Named limits of the search, per domain and call; policy.h says what reaching each comes to.
struct PackingLimits {
  int64_t states_max = 200000;  // packing_states_max: partial plans looked at in steps 3 and 4
  // What EvaluatePacking is asked. 0: the exact maximum. Otherwise only whether all fit and whether
  // this many fit; `most_placed` may then be less than the maximum, on the same side of `enough`.
  int enough = 0;
  int64_t shown_states_max = 2000;  // for EvaluateFor (domain_ranking.h)
  int backtrack_members_max = 64;   // more are left to step 4, which then is the quicker one
  int lighter_tries_max = 8;        // in step 2
  int state_comparisons_max = 64;   // in step 4
};

struct PackingAnswer {
  int most_placed = 0;    // the most members that any plan found places
  bool fits_all = false;  // most_placed equals the demand
  // The search was cut off by PackingLimits::states_max: that no more fit is then not proved.
  bool limit_reached = false;
};

// How many members fit at once, exactly, unless the limit is reached. The maximum costs more than
// the answer for a given number: see PackingLimits::enough. Cost: O(nodes x kinds x resources) in
// steps 1 and 2, to which the limit adds a constant.
PackingAnswer EvaluatePacking(const PackingProblem& problem, const PackingLimits& limits);

struct PackingPlan {
  bool found = false;
  // The search was cut off: no plan found does not mean there is none; a plan found is valid, but a
  // set of members that is preferred to its set may have been missed.
  bool limit_reached = false;
  // Per member, in the order given: index into problem.nodes, -1 if not chosen.
  std::vector<int> node_of_member;
};

// Chooses exactly `need` of the members and a node for each. `kind_of_member` lists the members by
// preference, best first: the chosen set is the first in lexicographic order of preference for
// which a plan exists. Demands of `problem.kinds` must equal the counts in kind_of_member. A need
// of 0 or less is met by placing nobody. With affinity a plan for `need` may not exist although one
// for more members does. Cost: that of EvaluatePacking.
PackingPlan PlanPacking(const PackingProblem& problem, const std::vector<int>& kind_of_member,
                        int need, const PackingLimits& limits);

}  // namespace gangpack

#endif  // GANGPACK_CORE_PACKING_H_
