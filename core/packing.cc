#include "core/packing.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/packing_frames.h"
#include "core/packing_model.h"
#include "core/packing_planner.h"
#include "core/packing_spread.h"
#include "core/resources.h"

namespace gangpack {
namespace {

// The one kind with demand, if it is the only one and no rule is given that looks at other pods;
// else -1.
int OnlyKind(const PackingProblem& problem) {
  if (!problem.rules.empty() || !problem.node_conflict.empty()) return -1;
  int only = -1;
  for (size_t k = 0; k < problem.kinds.size(); ++k) {
    if (problem.kinds[k].demand <= 0) continue;
    if (only >= 0) return -1;
    only = static_cast<int>(k);
  }
  return only;
}

PackingAnswer EvaluateAlike(const PackingProblem& problem, int kind) {
  const PackingKind& alike = problem.kinds[static_cast<size_t>(kind)];
  int64_t missing = alike.demand;
  for (const PackingNode& node : problem.nodes) {
    if (!node.feasible[static_cast<size_t>(kind)]) continue;
    missing -= std::clamp<int64_t>(TimesFits(alike.request, node.free), 0, missing);
    if (missing == 0) break;
  }
  PackingAnswer answer;
  answer.most_placed = alike.demand - static_cast<int>(missing);
  answer.fits_all = missing == 0;
  return answer;
}

}  // namespace

PackingAnswer EvaluatePacking(const PackingProblem& problem, const PackingLimits& limits) {
  if (!BindingSpread(problem).empty()) return EvaluateFrames(problem, limits);
  if (const int kind = OnlyKind(problem); kind >= 0) return EvaluateAlike(problem, kind);
  return PackingPlanner(BuildPackingModel(problem), limits).Evaluate();
}

PackingPlan PlanPacking(const PackingProblem& problem, const std::vector<int>& kind_of_member,
                        int need, const PackingLimits& limits) {
  if (need <= 0) {
    PackingPlan plan;
    plan.found = true;
    plan.node_of_member.assign(kind_of_member.size(), -1);
    return plan;
  }
  if (!BindingSpread(problem).empty()) return PlanFrames(problem, kind_of_member, need, limits);
  return PackingPlanner(BuildPackingModel(problem), limits).Plan(kind_of_member, need);
}

}  // namespace gangpack
