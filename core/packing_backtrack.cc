#include "core/packing_backtrack.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>

namespace gangpack {
namespace {

class Backtracking {
 public:
  Backtracking(const PackingModel& model, const std::vector<int>& demand, PackingBudget* budget)
      : model_(model), budget_(budget), left_(demand), free_(model.free) {
    placement_.count.resize(PackingModel::Offset(model.nodes, model.kinds), 0);
    for (const PackingLevel& level : model.rules.levels) {
      const int groups = level.apart.empty() ? 0 : level.groups;
      in_group_.emplace_back(PackingModel::Offset(groups, model.kinds), 0);
    }
    for (const SpreadBound& bound : model.spread) {
      capped_.emplace_back(static_cast<size_t>(bound.groups), 0);
      filling_.emplace_back(static_cast<size_t>(bound.groups), 0);
    }
  }

  BacktrackResult Run() {
    BacktrackResult result;
    result.found = NextKind();
    result.complete = !budget_->reached;
    result.placement = std::move(placement_);
    return result;
  }

 private:
  bool Spend() {
    for (int k = 0; k < model_.kinds; ++k) {
      if (!budget_->Spend()) return false;
    }
    return true;
  }

  // How many more of `kind` fit on `node` now.
  int Fitting(int node, int kind) const {
    int64_t fitting = model_.Cap(node, kind) - placement_.count[model_.Cell(node, kind)];
    const int64_t* request = model_.Request(kind);
    const int64_t* free = free_.data() + PackingModel::Offset(node, model_.resources);
    for (int r = 0; r < model_.resources && fitting > 0; ++r) {
      if (request[r] > free[r]) return 0;
      if (request[r] > 0 && fitting > 1) fitting = std::min(fitting, free[r] / request[r]);
    }
    for (size_t b = 0; b < capped_.size(); ++b) {
      const SpreadBound& bound = model_.spread[b];
      const int group = bound.group[static_cast<size_t>(node)];
      if (group < 0 || !bound.capped[static_cast<size_t>(kind)]) continue;
      const size_t g = static_cast<size_t>(group);
      fitting = std::min<int64_t>(fitting, bound.most[g] - capped_[b][g]);
    }
    return fitting > 0 && PairsAllow(node, kind) ? static_cast<int>(fitting) : 0;
  }

  bool PairsAllow(int node, int kind) const {
    for (size_t i = 0; i < in_group_.size(); ++i) {
      const PackingLevel& level = model_.rules.levels[i];
      const int group = level.group[static_cast<size_t>(node)];
      if (level.apart.empty() || group < 0) continue;
      for (int other = 0; other < model_.kinds; ++other) {
        if (in_group_[i][model_.Cell(group, other)] > 0 && level.apart[model_.Cell(kind, other)]) {
          return false;
        }
      }
    }
    return true;
  }

  void Move(int node, int kind, int members) {
    placement_.count[model_.Cell(node, kind)] += members;
    placement_.total += members;
    left_[static_cast<size_t>(kind)] -= members;
    int64_t* free = free_.data() + PackingModel::Offset(node, model_.resources);
    for (int r = 0; r < model_.resources; ++r) free[r] -= model_.Request(kind)[r] * members;
    for (size_t i = 0; i < in_group_.size(); ++i) {
      const int group = model_.rules.levels[i].group[static_cast<size_t>(node)];
      if (in_group_[i].empty() || group < 0) continue;
      in_group_[i][model_.Cell(group, kind)] += members;
    }
    for (size_t b = 0; b < capped_.size(); ++b) {
      const SpreadBound& bound = model_.spread[b];
      const int group = bound.group[static_cast<size_t>(node)];
      if (group < 0) continue;
      const size_t g = static_cast<size_t>(group);
      if (bound.capped[static_cast<size_t>(kind)]) capped_[b][g] += members;
      if (bound.filling[static_cast<size_t>(kind)]) filling_[b][g] += members;
    }
  }

  // Whether those that are left are enough for the fills.
  bool CanFill() const {
    for (size_t b = 0; b < filling_.size(); ++b) {
      const SpreadBound& bound = model_.spread[b];
      int missing = 0;
      for (size_t g = 0; g < filling_[b].size(); ++g) {
        missing += std::max(0, bound.least[g] - filling_[b][g]);
      }
      for (size_t k = 0; k < left_.size(); ++k) missing -= bound.filling[k] ? left_[k] : 0;
      if (missing > 0) return false;
    }
    return true;
  }

  // The kind to go next, -1 if all are placed, -2 if some kind or resource cannot suffice any more.
  int ChooseKind() const {
    if (!CanFill()) return -2;
    int chosen = -1;
    int fewest = 0;
    std::vector<uint8_t> useful(static_cast<size_t>(model_.nodes), 0);
    for (int k = 0; k < model_.kinds; ++k) {
      const int left = left_[static_cast<size_t>(k)];
      if (left == 0) continue;
      int nodes = 0;
      int64_t places = 0;
      for (int n = 0; n < model_.nodes; ++n) {
        const int fitting = Fitting(n, k);
        if (fitting == 0) continue;
        useful[static_cast<size_t>(n)] = 1;
        places += fitting;
        ++nodes;
      }
      if (places < left) return -2;
      if (chosen < 0 || nodes < fewest) {
        chosen = k;
        fewest = nodes;
      }
    }
    for (int r = 0; r < model_.resources; ++r) {
      __int128 spare = 0;
      for (int n = 0; n < model_.nodes; ++n) {
        if (useful[static_cast<size_t>(n)]) {
          spare += free_[PackingModel::Offset(n, model_.resources) + static_cast<size_t>(r)];
        }
      }
      for (int k = 0; k < model_.kinds; ++k) {
        spare -= static_cast<__int128>(model_.Request(k)[r]) * left_[static_cast<size_t>(k)];
      }
      if (spare < 0) return -2;
    }
    return chosen;
  }

  bool NextKind() {
    if (!Spend()) return false;
    const int kind = ChooseKind();
    if (kind == -1) {
      return (model_.rules.clauses.empty() && model_.spread.empty()) ||
             SatisfiesRules(model_, placement_);
    }
    return kind >= 0 && NextMember(kind, 0);
  }

  // Members of a kind go to nodes in order, so that no two orders of them are tried.
  bool NextMember(int kind, size_t position) {
    if (left_[static_cast<size_t>(kind)] == 0) return NextKind();
    std::vector<int> tried;
    for (; position < model_.order.size(); ++position) {
      const int node = model_.order[position];
      if (Fitting(node, kind) == 0) continue;
      const bool repeats = std::any_of(tried.begin(), tried.end(),
                                       [this, node](int other) { return AreAlike(node, other); });
      if (repeats) continue;
      tried.push_back(node);
      Move(node, kind, 1);
      if (NextMember(kind, position)) return true;
      Move(node, kind, -1);
      if (budget_->reached) return false;
    }
    return false;
  }

  bool AreAlike(int a, int b) const {
    const size_t row_a = PackingModel::Offset(a, model_.resources);
    const size_t row_b = PackingModel::Offset(b, model_.resources);
    for (size_t r = 0; r < static_cast<size_t>(model_.resources); ++r) {
      if (free_[row_a + r] != free_[row_b + r]) return false;
    }
    const bool ruled = !model_.rules.empty();
    for (int k = 0; k < model_.kinds; ++k) {
      const int count_a = placement_.count[model_.Cell(a, k)];
      const int count_b = placement_.count[model_.Cell(b, k)];
      if (model_.Cap(a, k) - count_a != model_.Cap(b, k) - count_b) return false;
      if (ruled && count_a != count_b) return false;
    }
    for (size_t level = 1; level < model_.rules.levels.size() && ruled; ++level) {
      const std::vector<int>& group = model_.rules.levels[level].group;
      if (group[static_cast<size_t>(a)] != group[static_cast<size_t>(b)]) return false;
    }
    for (const SpreadBound& bound : model_.spread) {
      if (bound.group[static_cast<size_t>(a)] != bound.group[static_cast<size_t>(b)]) return false;
    }
    return std::all_of(model_.rules.clauses.begin(), model_.rules.clauses.end(),
                       [a, b](const PackingClause& clause) {
                         return clause.level > 0 || clause.satisfied[static_cast<size_t>(a)] ==
                                                        clause.satisfied[static_cast<size_t>(b)];
                       });
  }

  const PackingModel& model_;
  PackingBudget* const budget_;
  std::vector<int> left_;      // per kind: members to place
  std::vector<int64_t> free_;  // nodes x resources
  std::vector<std::vector<int>>
      in_group_;  // per level: groups x kinds; empty where no kinds stay apart
  std::vector<std::vector<int>> capped_;   // per SpreadBound: per group
  std::vector<std::vector<int>> filling_;  // the same
  PackingPlacement placement_;
};

}  // namespace

BacktrackResult PlaceAllByBacktracking(const PackingModel& model, const std::vector<int>& demand,
                                       int members_max, PackingBudget* budget) {
  if (std::accumulate(demand.begin(), demand.end(), 0) > members_max) return {};
  return Backtracking(model, demand, budget).Run();
}

}  // namespace gangpack
