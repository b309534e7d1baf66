// Packing under topology spread: frame after frame (packing_spread.h), each a packing of its own.
//
// Where one constraint binds the members, the frames together are exact. Where several do, what a
// frame places may have no order (packing_spread_order.h): then the frames' answers are bounds, and
// if no plan with an order reaches them, the search by steps (packing_steps.h) decides, which is
// for few members. A plan that is answered always has an order.
// Limit: PackingLimits::states_max for all frames together, and the steps again as much.
// Determinism: of equally good plans that of the first frame. Cost: that of a packing per frame;
// frames stop once all members fit, or the best ones do.
#ifndef GANGPACK_CORE_PACKING_FRAMES_H_
#define GANGPACK_CORE_PACKING_FRAMES_H_

#include <vector>

#include "core/packing_answer.h"
#include "core/packing_problem.h"

namespace gangpack {

// As EvaluatePacking, for a problem whose spread binds some kind with demand.
PackingAnswer EvaluateFrames(const PackingProblem& problem, const PackingLimits& limits);

// As PlanPacking, for such a problem; `need` is at least 1.
PackingPlan PlanFrames(const PackingProblem& problem, const std::vector<int>& kind_of_member,
                       int need, const PackingLimits& limits);

}  // namespace gangpack

#endif  // GANGPACK_CORE_PACKING_FRAMES_H_
