#include "core/packing_steps.h"

#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "core/packing_spread.h"
#include "core/packing_spread_order.h"

namespace gangpack {
namespace {

class Steps {
 public:
  Steps(const PackingProblem& problem, const PackingModel& model, int members_max,
        PackingBudget* budget)
      : model_(model),
        members_max_(members_max),
        budget_(budget),
        counts_(problem, BindingSpread(problem)),
        free_(model.free),
        members_(static_cast<size_t>(model.kinds), 0) {
    placement_.count.resize(PackingModel::Offset(model.nodes, model.kinds), 0);
  }

  std::vector<ReachedPlan> Run() {
    Visit();
    return std::move(plans_);
  }

 private:
  void Visit() {
    if (!seen_.insert(placement_.count).second || !budget_->Spend()) return;
    Keep();
    if (placement_.total == members_max_) return;
    for (int n = 0; n < model_.nodes; ++n) {
      for (int k = 0; k < model_.kinds; ++k) {
        if (!Allows(n, k)) continue;
        Move(n, k, 1);
        Visit();
        Move(n, k, -1);
        if (budget_->reached) return;
      }
    }
  }

  void Keep() {
    if (known_.contains(members_) || !SatisfiesRules(model_, placement_)) return;
    known_.insert(members_);
    plans_.push_back({members_, placement_});
  }

  bool Allows(int node, int kind) const {
    const size_t k = static_cast<size_t>(kind);
    if (members_[k] == model_.demand[k]) return false;
    if (placement_.count[model_.Cell(node, kind)] >= model_.Cap(node, kind)) return false;
    const int64_t* free = free_.data() + PackingModel::Offset(node, model_.resources);
    for (int r = 0; r < model_.resources; ++r) {
      if (model_.Request(kind)[r] > free[r]) return false;
    }
    return PairsAllow(node, kind) && counts_.Allows(model_.problem_kind[k], node);
  }

  bool PairsAllow(int node, int kind) const {
    for (const PackingLevel& level : model_.rules.levels) {
      const int group = level.group[static_cast<size_t>(node)];
      if (level.apart.empty() || group < 0) continue;
      for (int n = 0; n < model_.nodes; ++n) {
        if (level.group[static_cast<size_t>(n)] != group) continue;
        for (int other = 0; other < model_.kinds; ++other) {
          if (level.apart[model_.Cell(kind, other)] &&
              placement_.count[model_.Cell(n, other)] > 0) {
            return false;
          }
        }
      }
    }
    return true;
  }

  void Move(int node, int kind, int change) {
    placement_.count[model_.Cell(node, kind)] += change;
    placement_.total += change;
    members_[static_cast<size_t>(kind)] += change;
    int64_t* free = free_.data() + PackingModel::Offset(node, model_.resources);
    for (int r = 0; r < model_.resources; ++r) free[r] -= model_.Request(kind)[r] * change;
    counts_.Count(model_.problem_kind[static_cast<size_t>(kind)], node, change);
  }

  const PackingModel& model_;
  const int members_max_;
  PackingBudget* const budget_;
  SpreadCounts counts_;
  std::vector<int64_t> free_;  // nodes x resources
  std::vector<int> members_;   // per kind
  PackingPlacement placement_;
  absl::flat_hash_set<std::vector<int>> seen_;
  absl::flat_hash_set<std::vector<int>> known_;  // `members_` of plans_
  std::vector<ReachedPlan> plans_;
};

}  // namespace

std::vector<ReachedPlan> SearchBySteps(const PackingProblem& problem, const PackingModel& model,
                                       int members_max, PackingBudget* budget) {
  return Steps(problem, model, members_max, budget).Run();
}

}  // namespace gangpack
