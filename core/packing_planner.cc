#include "core/packing_planner.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "core/check.h"
#include "core/packing_backtrack.h"
#include "core/packing_choice.h"
#include "core/packing_greedy.h"

namespace gangpack {
namespace {

// With fewer states than this at each node, going through all of them beats a search in depth.
constexpr int64_t kFewStates = 4096;

// The kind with the largest demand does not multiply states: of it, more is better.
bool HasManyStates(const std::vector<int>& demand) {
  const auto largest = std::max_element(demand.begin(), demand.end());
  int64_t states = 1;
  for (auto it = demand.begin(); it != demand.end() && states <= kFewStates; ++it) {
    if (it != largest) states *= *it + 1;
  }
  return states > kFewStates;
}

PackingPlacement NobodyPlaced(const PackingModel& model) {
  PackingPlacement placement;
  placement.count.resize(PackingModel::Offset(model.nodes, model.kinds), 0);
  return placement;
}

}  // namespace

PackingPlacement PackingPlanner::Count(const std::vector<Wanted>& wanted, int need) const {
  SlotPlanner slots(model_, slots_.most);
  std::vector<int> ahead(static_cast<size_t>(model_.kinds), 0);  // placed in favour of fills
  if (const SpreadBound* bound = UniformBound(model_); bound != nullptr) {
    const int fills = std::accumulate(bound->least.begin(), bound->least.end(), 0);
    slots.LimitGroups(*bound, bound->least, false);
    for (const Wanted& next : wanted) {
      const int members = std::min(next.members, fills - slots.placement().total);
      ahead[static_cast<size_t>(next.kind)] += slots.Add(next.kind, members);
    }
    if (slots.placement().total < fills || fills > need) return NobodyPlaced(model_);
    slots.LimitGroups(*bound, bound->most, true);
  }
  for (const Wanted& next : wanted) {
    int& placed = ahead[static_cast<size_t>(next.kind)];
    const int known = std::min(placed, next.members);
    placed -= known;
    slots.Add(next.kind, std::min(next.members - known, need - slots.placement().total));
  }
  return slots.placement();
}

PackingPlanner::Existence PackingPlanner::PlaceAll(const std::vector<int>& demand, int64_t budget,
                                                   PackingPlacement* placement) {
  PackingBudget share{HasManyStates(demand) ? budget / 2 : 0, false};
  const int64_t allotted = share.left;
  BacktrackResult result =
      PlaceAllByBacktracking(model_, demand, limits_.backtrack_members_max, &share);
  const int64_t spent = allotted - share.left;
  budget -= spent;
  budget_.left -= spent;
  if (result.found && placement != nullptr) *placement = std::move(result.placement);
  if (result.found) return Existence::kYes;
  if (result.complete) return Existence::kNo;
  const bool proved = Search(demand, std::accumulate(demand.begin(), demand.end(), 0), budget);
  if (states_->found() == 0) return proved ? Existence::kNo : Existence::kUnknown;
  if (placement != nullptr) *placement = states_->Trace(0);
  return Existence::kYes;
}

bool PackingPlanner::Search(const std::vector<int>& demand, int target, int64_t budget) {
  if (patterns_ == nullptr) {
    PackingBudget share{budget_.left / 2, false};
    budget_.left -= share.left;
    patterns_ = std::make_unique<PatternTable>(EnumeratePatterns(model_, &share));
    budget_.left += share.left;
    budget = std::min(budget, budget_.left);
    states_.emplace(model_, *patterns_, limits_.state_comparisons_max);
  }
  PackingBudget share{budget, false};
  states_->Search(demand, target, &share);
  budget_.left -= budget - share.left;
  const bool all_known = std::none_of(patterns_->classes.begin(), patterns_->classes.end(),
                                      [](const PatternClass& c) { return c.truncated; });
  return all_known && !share.reached;
}

std::vector<std::vector<int>> PackingPlanner::FoundCounts() const {
  std::vector<std::vector<int>> counts;
  for (int i = 0; i < states_->found(); ++i) {
    counts.emplace_back(states_->FoundCounts(i), states_->FoundCounts(i) + model_.kinds);
  }
  return counts;
}

PackingAnswer PackingPlanner::Evaluate() {
  const int demand = model_.TotalDemand();
  PackingAnswer answer;
  int bound = slots_.most_in_total;
  if (slots_.all_counting) {
    std::vector<Wanted> wanted;
    for (int k = 0; k < model_.kinds; ++k) {
      wanted.push_back({k, model_.demand[static_cast<size_t>(k)]});
    }
    const PackingPlacement counted = Count(wanted, demand);
    bound = std::min(bound, counted.total);
    if (Proves(counted)) answer.most_placed = counted.total;
  }
  if (answer.most_placed < bound) {
    answer.most_placed = std::max(answer.most_placed, PlaceGreedily(model_, model_.demand).total);
    const PackingPlacement lighter = PlaceLightest(
        model_, answer.most_placed, std::min(bound, demand - 1), limits_.lighter_tries_max);
    answer.most_placed = std::max(answer.most_placed, lighter.total);
  }
  if (answer.most_placed < bound && bound == demand) {
    // All of them is asked first: it is what matters most, and its search is cut best.
    const Existence all = PlaceAll(model_.demand, budget_.left / 2, nullptr);
    if (all == Existence::kYes) answer.most_placed = demand;
    if (all == Existence::kNo) --bound;
    answer.limit_reached = all == Existence::kUnknown;
  }
  const bool settled =
      limits_.enough > 0 && (answer.most_placed >= limits_.enough || bound < limits_.enough);
  if (answer.most_placed < bound && !settled) {
    const int target = std::max(answer.most_placed + 1, limits_.enough);
    answer.limit_reached = !Search(model_.demand, target, budget_.left);
    for (const std::vector<int>& counts : FoundCounts()) {
      const int members = std::accumulate(counts.begin(), counts.end(), 0);
      answer.most_placed = std::max(answer.most_placed, members);
    }
    if (answer.most_placed >= bound) answer.limit_reached = false;
  }
  answer.fits_all = answer.most_placed == demand;
  return answer;
}

PackingPlan PackingPlanner::Plan(const std::vector<int>& kind_of_member, int need) {
  PackingPlan plan;
  plan.node_of_member.assign(kind_of_member.size(), -1);
  if (need > static_cast<int>(kind_of_member.size()) || need > slots_.most_in_total) return plan;
  const std::vector<int> kinds = KindsOfModel(model_, kind_of_member);
  PackingPlacement placement;
  bool decided = false;
  if (slots_.all_counting) {
    std::vector<Wanted> wanted;
    for (int kind : kinds) wanted.push_back({kind, 1});
    placement = Count(wanted, need);
    if (placement.total < need) return plan;
    decided = Proves(placement);
  }
  if (!decided) PlanBySearch(kinds, need, &plan, &placement);
  if (decided || plan.found) {
    plan.found = true;
    AssignMembers(model_, kinds, placement, &plan);
  }
  return plan;
}

// The best `need` members together if that works, else all sets of that size compared.
void PackingPlanner::PlanBySearch(const std::vector<int>& kind_of_member, int need,
                                  PackingPlan* plan, PackingPlacement* placement) {
  std::vector<int> best(static_cast<size_t>(model_.kinds), 0);
  for (int i = 0; i < need; ++i) {
    ++best[static_cast<size_t>(kind_of_member[static_cast<size_t>(i)])];
  }
  *placement = PlaceGreedily(model_, best);
  plan->found = placement->total == need;
  if (plan->found) return;
  const bool needs_all = need == model_.TotalDemand();
  const Existence exists = PlaceAll(best, needs_all ? budget_.left : budget_.left / 2, placement);
  plan->found = exists == Existence::kYes;
  if (plan->found) return;
  if (needs_all) {
    plan->limit_reached = exists == Existence::kUnknown;
    return;
  }
  plan->limit_reached = !Search(model_.demand, need, budget_.left);
  std::vector<std::vector<int>> candidates = FoundCounts();
  PackingPlacement greedy = PlaceGreedily(model_, model_.demand);
  if (plan->limit_reached) candidates.push_back(CountOf(greedy));
  const PackingChoice choice = ChooseMembers(model_, candidates, kind_of_member, need);
  if (choice.candidate < 0) return;
  const bool searched = choice.candidate < states_->found();
  *placement = searched ? states_->Trace(choice.candidate) : std::move(greedy);
  LeaveOut(model_, choice.members, placement);
  plan->found = true;
}

std::vector<int> PackingPlanner::CountOf(const PackingPlacement& placement) const {
  std::vector<int> counts(static_cast<size_t>(model_.kinds), 0);
  for (int n = 0; n < model_.nodes; ++n) {
    for (int k = 0; k < model_.kinds; ++k) {
      counts[static_cast<size_t>(k)] += placement.count[model_.Cell(n, k)];
    }
  }
  return counts;
}

std::vector<int> KindsOfModel(const PackingModel& model, const std::vector<int>& kind_of_member) {
  std::vector<int> kinds;
  std::vector<int> demand(static_cast<size_t>(model.kinds), 0);
  for (int kind : kind_of_member) {
    const auto it = std::lower_bound(model.problem_kind.begin(), model.problem_kind.end(), kind);
    CORE_CHECK(it != model.problem_kind.end() && *it == kind);
    kinds.push_back(static_cast<int>(it - model.problem_kind.begin()));
    ++demand[static_cast<size_t>(kinds.back())];
  }
  CORE_CHECK(demand == model.demand);
  return kinds;
}

void AssignMembers(const PackingModel& model, const std::vector<int>& kind_of_member,
                   const PackingPlacement& placement, PackingPlan* plan) {
  std::vector<std::vector<int>> members(static_cast<size_t>(model.kinds));
  for (size_t i = kind_of_member.size(); i > 0; --i) {
    members[static_cast<size_t>(kind_of_member[i - 1])].push_back(static_cast<int>(i - 1));
  }
  for (int node : model.order) {
    for (int k = 0; k < model.kinds; ++k) {
      std::vector<int>& waiting = members[static_cast<size_t>(k)];
      for (int i = placement.count[model.Cell(node, k)]; i > 0; --i) {
        plan->node_of_member[static_cast<size_t>(waiting.back())] = node;
        waiting.pop_back();
      }
    }
  }
}

}  // namespace gangpack
