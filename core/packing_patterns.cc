#include "core/packing_patterns.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "absl/container/flat_hash_map.h"

namespace gangpack {
namespace {

// Amounts beyond what all members could use make no difference, so they do not tell nodes apart.
int64_t UsefulFree(const PackingModel& model, int node, int r) {
  __int128 useful = 0;
  for (int k = 0; k < model.kinds; ++k) {
    useful += static_cast<__int128>(model.Request(k)[r]) * model.Cap(node, k);
  }
  return static_cast<int64_t>(std::min<__int128>(useful, model.Free(node)[r]));
}

// Nodes with equal signatures have equal patterns.
std::vector<int64_t> Signature(const PackingModel& model, int node) {
  std::vector<int64_t> signature;
  for (int r = 0; r < model.resources; ++r) signature.push_back(UsefulFree(model, node, r));
  for (int k = 0; k < model.kinds; ++k) signature.push_back(model.Cap(node, k));
  for (const PackingLevel& level : model.rules.levels) {
    if (!level.apart.empty()) signature.push_back(level.group[static_cast<size_t>(node)] >= 0);
  }
  for (const PackingClause& clause : model.rules.clauses) {
    if (clause.level == 0) signature.push_back(clause.satisfied[static_cast<size_t>(node)]);
  }
  return signature;
}

class NodeMixes {
 public:
  NodeMixes(const PackingModel& model, int node, PackingBudget* budget)
      : model_(model),
        node_(node),
        budget_(budget),
        free_(model.Free(node), model.Free(node) + model.resources),
        counts_(static_cast<size_t>(model.kinds), 0) {
    FindPairs();
    FindRest();
  }

  PatternClass Run() {
    Choose(0);
    Sort();
    return std::move(patterns_);
  }

 private:
  void FindPairs() {
    for (const PackingLevel& level : model_.rules.levels) {
      if (level.apart.empty() || level.group[static_cast<size_t>(node_)] < 0) continue;
      if (apart_.empty()) apart_.resize(level.apart.size(), 0);
      for (size_t cell = 0; cell < apart_.size(); ++cell) apart_[cell] |= level.apart[cell];
    }
  }

  // rest_[k]: what kinds k and later use at their caps.
  void FindRest() {
    rest_.resize(PackingModel::Offset(model_.kinds + 1, model_.resources), 0);
    for (int k = model_.kinds - 1; k >= 0; --k) {
      for (int r = 0; r < model_.resources; ++r) {
        const size_t cell = PackingModel::Offset(k, model_.resources) + static_cast<size_t>(r);
        const size_t below = cell + static_cast<size_t>(model_.resources);
        rest_[cell] =
            rest_[below] + static_cast<__int128>(model_.Request(k)[r]) * model_.Cap(node_, k);
      }
    }
  }

  bool IsApartFromChosen(int kind) const {
    if (apart_.empty()) return false;
    for (int other = 0; other < model_.kinds; ++other) {
      if (other == kind || counts_[static_cast<size_t>(other)] == 0) continue;
      if (apart_[model_.Cell(kind, other)]) return true;
    }
    return false;
  }

  bool HasPairs(int kind) const {
    if (apart_.empty()) return false;
    const auto row = apart_.begin() + static_cast<std::ptrdiff_t>(model_.Cell(kind, 0));
    return std::any_of(row, row + model_.kinds, [](uint8_t bit) { return bit != 0; });
  }

  bool FitsFree(int kind) const {
    const int64_t* request = model_.Request(kind);
    for (int r = 0; r < model_.resources; ++r) {
      if (request[r] > free_[static_cast<size_t>(r)]) return false;
    }
    return true;
  }

  void Take(int kind, int members) {
    counts_[static_cast<size_t>(kind)] += members;
    for (int r = 0; r < model_.resources; ++r) {
      free_[static_cast<size_t>(r)] -= model_.Request(kind)[r] * members;
    }
  }

  // Fewer of the kind can be better: for a rule, or because others may then join.
  bool FewerMayBeBetter(int kind) const {
    const size_t k = static_cast<size_t>(kind);
    if (model_.critical[k] || model_.marked[k] || HasPairs(kind)) return true;
    return std::any_of(model_.rules.clauses.begin(), model_.rules.clauses.end(),
                       [k](const PackingClause& c) { return c.level == 0 && c.owner[k]; });
  }

  // Every mix with one more of `kind` would fit whatever later kinds take: fewer cannot be among
  // the largest.
  bool HasRoomAnyway(int kind) const {
    for (int r = 0; r < model_.resources; ++r) {
      const size_t later =
          PackingModel::Offset(kind + 1, model_.resources) + static_cast<size_t>(r);
      if (rest_[later] + model_.Request(kind)[r] > free_[static_cast<size_t>(r)]) return false;
    }
    return true;
  }

  void Choose(int kind) {
    if (!budget_->Spend()) {
      // One descent more gives the class its first pattern.
      patterns_.truncated = true;
      if (patterns_.size > 0 || ++overtime_ > model_.kinds + 1) return;
    }
    if (kind == model_.kinds) return Finish();
    int most = IsApartFromChosen(kind) ? 0 : model_.Cap(node_, kind);
    int taken = 0;
    while (taken < most && FitsFree(kind)) {
      Take(kind, 1);
      ++taken;
    }
    const bool fewer_may_be_better = FewerMayBeBetter(kind);
    for (;;) {
      Choose(kind + 1);
      if (taken == 0) return;
      Take(kind, -1);
      --taken;
      if (!fewer_may_be_better && HasRoomAnyway(kind)) break;
    }
    Take(kind, -taken);
  }

  // Level 0 clauses decide here; which of them lean on the first-group exception is part of the
  // pattern.
  bool ClausesHold(std::vector<uint8_t>* first_group) const {
    first_group->assign(model_.rules.clauses.size(), 0);
    for (size_t c = 0; c < model_.rules.clauses.size(); ++c) {
      const PackingClause& clause = model_.rules.clauses[c];
      if (clause.level > 0 || clause.satisfied[static_cast<size_t>(node_)]) continue;
      bool has_owner = false;
      bool has_supporter = false;
      for (size_t k = 0; k < counts_.size(); ++k) {
        if (counts_[k] == 0) continue;
        has_owner = has_owner || clause.owner[k];
        has_supporter = has_supporter || clause.supporter[k];
      }
      if (!has_owner || has_supporter) continue;
      if (!clause.first_group) return false;
      (*first_group)[c] = 1;
    }
    return true;
  }

  // True if one more of some kind would make a pattern that is better in every respect.
  bool CanGrow() {
    std::vector<uint8_t> ignored;
    for (int k = 0; k < model_.kinds; ++k) {
      const size_t i = static_cast<size_t>(k);
      if (model_.critical[i] || (model_.marked[i] && counts_[i] == 0)) continue;
      if (counts_[i] >= model_.Cap(node_, k) || !FitsFree(k) || IsApartFromChosen(k)) continue;
      ++counts_[i];
      const bool holds = model_.rules.clauses.empty() || ClausesHold(&ignored);
      --counts_[i];
      if (holds) return true;
    }
    return false;
  }

  void Finish() {
    std::vector<uint8_t> first_group;
    if (!ClausesHold(&first_group) || CanGrow()) return;
    ++patterns_.size;
    patterns_.count.insert(patterns_.count.end(), counts_.begin(), counts_.end());
    patterns_.first_group.insert(patterns_.first_group.end(), first_group.begin(),
                                 first_group.end());
  }

  void Sort() {
    std::vector<std::pair<std::vector<int>, int>> keys;  // total and counts, and where it was
    for (int p = 0; p < patterns_.size; ++p) {
      const int* counts = patterns_.count.data() + model_.Cell(p, 0);
      std::vector<int> key = {std::accumulate(counts, counts + model_.kinds, 0)};
      key.insert(key.end(), counts, counts + model_.kinds);
      keys.emplace_back(std::move(key), p);
    }
    std::sort(keys.begin(), keys.end(),
              [](const auto& a, const auto& b) { return a.first > b.first; });
    PatternClass sorted;
    sorted.size = patterns_.size;
    sorted.truncated = patterns_.truncated;
    const int clauses = static_cast<int>(model_.rules.clauses.size());
    for (const auto& [key, p] : keys) {
      sorted.count.insert(sorted.count.end(), key.begin() + 1, key.end());
      const auto flags = patterns_.first_group.begin() +
                         static_cast<std::ptrdiff_t>(PackingModel::Offset(p, clauses));
      sorted.first_group.insert(sorted.first_group.end(), flags, flags + clauses);
    }
    patterns_ = std::move(sorted);
  }

  const PackingModel& model_;
  const int node_;
  PackingBudget* const budget_;
  std::vector<int64_t> free_;
  std::vector<int> counts_;
  std::vector<uint8_t> apart_;  // kinds x kinds, all levels that the node has; empty if no pair
  std::vector<__int128> rest_;  // (kinds + 1) x resources
  int overtime_ = 0;            // mixes looked at beyond the budget
  PatternClass patterns_;
};

}  // namespace

PatternTable EnumeratePatterns(const PackingModel& model, PackingBudget* budget) {
  PatternTable table;
  absl::flat_hash_map<std::vector<int64_t>, int> classes;
  for (int n = 0; n < model.nodes; ++n) {
    const auto [it, is_new] =
        classes.emplace(Signature(model, n), static_cast<int>(table.classes.size()));
    if (is_new) table.classes.push_back(NodeMixes(model, n, budget).Run());
    table.class_of_node.push_back(it->second);
  }
  return table;
}

}  // namespace gangpack
