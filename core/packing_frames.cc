#include "core/packing_frames.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>

#include "core/packing_model.h"
#include "core/packing_planner.h"
#include "core/packing_spread.h"
#include "core/packing_spread_order.h"
#include "core/packing_steps.h"

namespace gangpack {
namespace {

constexpr int kFramesMax = 4096;

std::vector<int> Chosen(const std::vector<int>& node_of_member) {
  std::vector<int> chosen;
  for (size_t i = 0; i < node_of_member.size(); ++i) {
    if (node_of_member[i] >= 0) chosen.push_back(static_cast<int>(i));
  }
  return chosen;
}

class Frames {
 public:
  Frames(const PackingProblem& problem, const PackingLimits& limits)
      : problem_(problem),
        limits_(limits),
        orders_differ_(BindingSpread(problem).size() > 1),
        list_(ListSpreadFrames(problem, kFramesMax)),
        states_left_(limits.states_max) {
    for (size_t k = 0; k < problem.kinds.size(); ++k) {
      members_.insert(members_.end(), static_cast<size_t>(std::max(0, problem.kinds[k].demand)),
                      static_cast<int>(k));
    }
  }

  PackingAnswer Evaluate();
  PackingPlan Plan(const std::vector<int>& kind_of_member, int need);

 private:
  // The packing of one frame.
  PackingAnswer EvaluateFrame(size_t frame, int best);
  PackingPlan PlanFrame(size_t frame, const std::vector<int>& kind_of_member, int need);
  bool HasOrder(const std::vector<int>& kind_of_member, const PackingPlan& plan) const {
    return !orders_differ_ || FindSpreadOrder(problem_, kind_of_member, plan.node_of_member,
                                              kSpreadOrderStepsMax) == SpreadOrder::kExists;
  }
  bool HasOrder(size_t frame, int members) {
    if (!orders_differ_) return true;
    const PackingPlan plan = PlanFrame(frame, members_, members);
    return plan.found && HasOrder(members_, plan);
  }

  void EvaluateBySteps(PackingAnswer* answer) const;
  void PlanBySteps(const std::vector<int>& kind_of_member, int need, PackingPlan* plan) const;

  const PackingProblem& problem_;
  const PackingLimits limits_;
  const bool orders_differ_;  // a plan that keeps caps and fills may have no order
  const SpreadFrames list_;
  int64_t states_left_;
  std::vector<int> members_;  // by kind
};

PackingAnswer Frames::EvaluateFrame(size_t frame, int best) {
  PackingLimits limits = limits_;
  limits.states_max = states_left_;
  if (orders_differ_) limits.enough = 0;
  PackingPlanner planner(BuildPackingModel(problem_, list_.frames[frame]), limits);
  if (planner.most() <= best) return {};
  const PackingAnswer answer = planner.Evaluate();
  states_left_ = planner.states_left();
  return answer;
}

PackingPlan Frames::PlanFrame(size_t frame, const std::vector<int>& kind_of_member, int need) {
  PackingLimits limits = limits_;
  limits.states_max = states_left_;
  PackingPlanner planner(BuildPackingModel(problem_, list_.frames[frame]), limits);
  PackingPlan plan = planner.Plan(kind_of_member, need);
  states_left_ = planner.states_left();
  return plan;
}

PackingAnswer Frames::Evaluate() {
  const int demand = static_cast<int>(members_.size());
  PackingAnswer answer;
  answer.limit_reached = !list_.complete;
  int bound = 0;  // what frames without an order place
  for (size_t f = 0; f < list_.frames.size() && answer.most_placed < demand; ++f) {
    const bool is_enough = limits_.enough > 0 && answer.most_placed >= limits_.enough;
    if (list_.most[f] <= answer.most_placed || (is_enough && list_.most[f] < demand)) continue;
    const PackingAnswer in_frame = EvaluateFrame(f, answer.most_placed);
    answer.limit_reached = answer.limit_reached || in_frame.limit_reached;
    if (in_frame.most_placed <= answer.most_placed) continue;
    if (HasOrder(f, in_frame.most_placed)) {
      answer.most_placed = in_frame.most_placed;
    } else {
      bound = std::max(bound, in_frame.most_placed);
    }
  }
  if (bound > answer.most_placed) EvaluateBySteps(&answer);
  answer.fits_all = answer.most_placed == demand;
  if (answer.fits_all) answer.limit_reached = false;
  return answer;
}

void Frames::EvaluateBySteps(PackingAnswer* answer) const {
  PackingBudget budget{limits_.states_max, false};
  const std::vector<ReachedPlan> plans = SearchBySteps(problem_, BuildPackingModel(problem_),
                                                       static_cast<int>(members_.size()), &budget);
  for (const ReachedPlan& plan : plans) {
    answer->most_placed = std::max(answer->most_placed, plan.placement.total);
  }
  answer->limit_reached = budget.reached;
}

PackingPlan Frames::Plan(const std::vector<int>& kind_of_member, int need) {
  PackingPlan best;
  best.node_of_member.assign(kind_of_member.size(), -1);
  if (need > static_cast<int>(kind_of_member.size())) return best;
  std::vector<int> ideal(static_cast<size_t>(need));
  std::iota(ideal.begin(), ideal.end(), 0);
  std::vector<int> chosen;
  std::vector<int> without_order;  // the best set of which a plan was found, but no order
  bool limit_reached = !list_.complete;
  for (size_t f = 0; f < list_.frames.size() && chosen != ideal; ++f) {
    if (list_.most[f] < need) continue;
    PackingPlan plan = PlanFrame(f, kind_of_member, need);
    limit_reached = limit_reached || plan.limit_reached;
    if (!plan.found) continue;
    std::vector<int> set = Chosen(plan.node_of_member);
    if (best.found && chosen <= set) continue;
    if (HasOrder(kind_of_member, plan)) {
      chosen = std::move(set);
      best = std::move(plan);
    } else if (without_order.empty() || set < without_order) {
      without_order = std::move(set);
    }
  }
  best.limit_reached = limit_reached && chosen != ideal;
  if (!without_order.empty() && (!best.found || without_order < chosen)) {
    PlanBySteps(kind_of_member, need, &best);
  }
  return best;
}

void Frames::PlanBySteps(const std::vector<int>& kind_of_member, int need,
                         PackingPlan* plan) const {
  const PackingModel model = BuildPackingModel(problem_);
  const std::vector<int> kinds = KindsOfModel(model, kind_of_member);
  PackingBudget budget{limits_.states_max, false};
  const std::vector<ReachedPlan> reached = SearchBySteps(problem_, model, need, &budget);
  std::vector<int> chosen = Chosen(plan->node_of_member);
  const ReachedPlan* best = nullptr;
  for (const ReachedPlan& candidate : reached) {
    if (candidate.placement.total != need) continue;
    std::vector<int> set;
    std::vector<int> left = candidate.members;
    for (size_t i = 0; i < kinds.size(); ++i) {
      if (left[static_cast<size_t>(kinds[i])]-- > 0) set.push_back(static_cast<int>(i));
    }
    if ((plan->found || best != nullptr) && chosen <= set) continue;
    chosen = std::move(set);
    best = &candidate;
  }
  plan->limit_reached = budget.reached;
  if (best == nullptr) return;
  plan->found = true;
  plan->node_of_member.assign(kinds.size(), -1);
  AssignMembers(model, kinds, best->placement, plan);
}

}  // namespace

PackingAnswer EvaluateFrames(const PackingProblem& problem, const PackingLimits& limits) {
  return Frames(problem, limits).Evaluate();
}

PackingPlan PlanFrames(const PackingProblem& problem, const std::vector<int>& kind_of_member,
                       int need, const PackingLimits& limits) {
  return Frames(problem, limits).Plan(kind_of_member, need);
}

}  // namespace gangpack
