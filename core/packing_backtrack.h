// Depth-first search for a plan of a few members that all differ: where states are too many, one
// plan may still be near.
//
// The kind with the fewest nodes left for it goes next, each of its members to the first node, in
// PackingModel::order, from which the rest can still be placed; nodes that are alike are tried
// once. Pairs that stay apart are checked on the way, clauses when all are placed. Limit: each step
// costs one unit of the budget per kind. Cost: a step is O(kinds x nodes x (resources + levels x
// kinds)). Not here: plans that leave members out (packing_states.h).
#ifndef GANGPACK_CORE_PACKING_BACKTRACK_H_
#define GANGPACK_CORE_PACKING_BACKTRACK_H_

#include <vector>

#include "core/packing_model.h"

namespace gangpack {

struct BacktrackResult {
  bool found = false;
  bool complete = false;  // the search ended by itself: not found means that there is no plan
  PackingPlacement placement;
};

// A placement of all of `demand` (per kind, at most the model's). More than `members_max` members
// are left to packing_states.h, whose states then are fewer than the ways to order members.
BacktrackResult PlaceAllByBacktracking(const PackingModel& model, const std::vector<int>& demand,
                                       int members_max, PackingBudget* budget);

}  // namespace gangpack

#endif  // GANGPACK_CORE_PACKING_BACKTRACK_H_
