// The exact search where the order of members decides: all ways to place one member after the
// other, each state once.
//
// Terms. State: members per node and kind. From the empty one, each step places a member where
// resources, pairs that stay apart and spread allow it now; affinity is judged on what is reached.
// Exact, since what a plan keeps in resources and pairs, every part of it keeps too.
// Limit: each state costs one unit of the budget. Cost: a state is O(kinds x nodes x (resources +
// levels x kinds + constraints)). It grows with every way to choose and place members, so this is
// for few of them. Not here: large gangs (packing_frames.h).
#ifndef GANGPACK_CORE_PACKING_STEPS_H_
#define GANGPACK_CORE_PACKING_STEPS_H_

#include <vector>

#include "core/packing_model.h"
#include "core/packing_problem.h"

namespace gangpack {

struct ReachedPlan {
  std::vector<int> members;  // per kind of the model
  PackingPlacement placement;
};

// For every number of members per kind that can be placed, one placement; the first found. At most
// `members_max` members are placed. `model` is that of the problem without a frame.
std::vector<ReachedPlan> SearchBySteps(const PackingProblem& problem, const PackingModel& model,
                                       int members_max, PackingBudget* budget);

}  // namespace gangpack

#endif  // GANGPACK_CORE_PACKING_STEPS_H_
