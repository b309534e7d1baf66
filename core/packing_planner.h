// Plans one frame: a packing in which topology spread is no more than caps and fills.
//
// Terms: those of packing.h and packing_spread.h. Method: steps 1 to 4 of packing.h. A planner
// answers one question, with the limits' budget. Not here: which frames there are (packing.h).
#ifndef GANGPACK_CORE_PACKING_PLANNER_H_
#define GANGPACK_CORE_PACKING_PLANNER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/packing_answer.h"
#include "core/packing_model.h"
#include "core/packing_patterns.h"
#include "core/packing_slots.h"
#include "core/packing_states.h"

namespace gangpack {

// Cheapest first: a bound, counting, first fit, and only then the search.
class PackingPlanner {
 public:
  PackingPlanner(PackingModel model, const PackingLimits& limits)
      : model_(std::move(model)), slots_(CountSlots(model_)), limits_(limits) {
    budget_.left = limits.states_max;
  }
  PackingPlanner(const PackingPlanner&) = delete;
  PackingPlanner& operator=(const PackingPlanner&) = delete;

  PackingAnswer Evaluate();
  // `need` is at least 1.
  PackingPlan Plan(const std::vector<int>& kind_of_member, int need);

  // No more members than this can be placed.
  int most() const { return slots_.most_in_total; }
  int64_t states_left() const { return budget_.left; }

 private:
  // By counting alone, if that is decisive: all nodes are counting nodes, and the rules that
  // counting ignores hold. `members` lists kinds by preference, each with how many are wanted
  // before the next.
  struct Wanted {
    int kind = 0;
    int members = 0;
  };
  PackingPlacement Count(const std::vector<Wanted>& wanted, int need) const;
  bool Proves(const PackingPlacement& counted) const {
    return (model_.rules.nodes_only() && model_.spread.empty()) || SatisfiesRules(model_, counted);
  }

  // Whether all of `demand` can be placed, by search with at most `budget` of what is left. Fills
  // `placement`, if it is not null, when it can.
  enum class Existence { kYes, kNo, kUnknown };
  Existence PlaceAll(const std::vector<int>& demand, int64_t budget, PackingPlacement* placement);

  // The exact search with at most `budget` of what is left; true unless that was reached.
  bool Search(const std::vector<int>& demand, int target, int64_t budget);
  std::vector<std::vector<int>> FoundCounts() const;

  void PlanBySearch(const std::vector<int>& kind_of_member, int need, PackingPlan* plan,
                    PackingPlacement* placement);
  std::vector<int> CountOf(const PackingPlacement& placement) const;
  const PackingModel model_;
  const NodeSlots slots_;
  const PackingLimits limits_;
  PackingBudget budget_;
  std::unique_ptr<PatternTable> patterns_;  // once a search was needed
  std::optional<PackingStates> states_;
};

// By the model's kinds, which must have the demand that the members are.
std::vector<int> KindsOfModel(const PackingModel& model, const std::vector<int>& kind_of_member);

// Gives the members their places: by preference, on the nodes with the least room first.
// `kind_of_member` is by the model's kinds.
void AssignMembers(const PackingModel& model, const std::vector<int>& kind_of_member,
                   const PackingPlacement& placement, PackingPlan* plan);

}  // namespace gangpack

#endif  // GANGPACK_CORE_PACKING_PLANNER_H_
