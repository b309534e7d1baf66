#include "core/packing_spread_order.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"

namespace gangpack {
namespace {

bool IsSet(const std::vector<uint8_t>& bits, int index) {
  return static_cast<size_t>(index) < bits.size() && bits[static_cast<size_t>(index)] != 0;
}

// Members that are alike in what spread asks of them and where they are planned.
struct Sort {
  int kind = 0;
  int node = 0;
  int left = 0;
  bool bound = false;
};

class OrderSearch {
 public:
  OrderSearch(SpreadCounts counts, std::vector<Sort> sorts, int64_t steps_max)
      : counts_(std::move(counts)), sorts_(std::move(sorts)), steps_left_(steps_max) {
    for (const Sort& sort : sorts_) bound_left_ += sort.bound ? sort.left : 0;
  }

  SpreadOrder Run() {
    if (Continue()) return SpreadOrder::kExists;
    return steps_left_ <= 0 ? SpreadOrder::kUnknown : SpreadOrder::kNone;
  }

 private:
  // Whether all that are left can follow, in some order.
  bool Continue() {
    if (bound_left_ == 0) return true;
    std::vector<int> state;
    for (const Sort& sort : sorts_) state.push_back(sort.left);
    if (hopeless_.contains(state)) return false;
    for (const size_t next : Choices()) {
      if (--steps_left_ <= 0) return false;
      Place(&sorts_[next], 1);
      if (Continue()) return true;
      Place(&sorts_[next], -1);
      if (steps_left_ <= 0) return false;
    }
    hopeless_.insert(std::move(state));
    return false;
  }

  std::vector<size_t> Choices() const {
    std::vector<std::pair<std::pair<bool, int64_t>, size_t>> ranked;
    for (size_t i = 0; i < sorts_.size(); ++i) {
      const Sort& sort = sorts_[i];
      if (sort.left == 0 || !counts_.Allows(sort.kind, sort.node)) continue;
      ranked.push_back({{!sort.bound, counts_.Height(sort.kind, sort.node)}, i});
    }
    std::sort(ranked.begin(), ranked.end());
    std::vector<size_t> choices;
    for (const auto& [rank, sort] : ranked) choices.push_back(sort);
    return choices;
  }

  void Place(Sort* sort, int change) {
    counts_.Count(sort->kind, sort->node, change);
    sort->left -= change;
    if (sort->bound) bound_left_ -= change;
  }

  SpreadCounts counts_;
  std::vector<Sort> sorts_;
  int64_t steps_left_;
  int bound_left_ = 0;
  absl::flat_hash_set<std::vector<int>> hopeless_;
};

}  // namespace

SpreadCounts::SpreadCounts(const PackingProblem& problem, std::vector<int> constraints) {
  for (const int index : constraints) {
    Constraint& added = constraints_.emplace_back();
    added.spread = &problem.spread[static_cast<size_t>(index)];
    absl::flat_hash_map<int, int> dense;
    for (size_t n = 0; n < problem.nodes.size(); ++n) {
      const int level = added.spread->level;
      const int raw =
          level == 0 ? static_cast<int>(n) : problem.nodes[n].group[static_cast<size_t>(level - 1)];
      int group = -1;
      if (raw >= 0) {
        const auto [it, is_new] = dense.emplace(raw, static_cast<int>(added.count.size()));
        group = it->second;
        if (is_new) {
          added.count.push_back(added.spread->base[n]);
          added.takes_part.push_back(0);
        }
        if (IsSet(added.spread->eligible, static_cast<int>(n))) {
          added.takes_part[static_cast<size_t>(group)] = 1;
        }
      }
      added.group.push_back(group);
    }
    added.base = added.count;
    added.capped.assign(added.count.size(), 0);
    for (size_t g = 0; g < added.count.size(); ++g) {
      if (added.takes_part[g]) ++added.groups_with[added.count[g]];
    }
  }
}

int64_t SpreadCounts::Constraint::Least() const {
  if (spread->least_is_zero) return 0;
  const int outside = spread->least_outside;
  if (!groups_with.empty()) return std::min(outside, groups_with.begin()->first);
  return outside == PackingSpread::kNoOtherGroup ? 0 : outside;
}

bool SpreadCounts::Constraint::Counts(int kind, int node) const {
  return IsSet(spread->counted, kind) && IsSet(spread->eligible, node) &&
         group[static_cast<size_t>(node)] >= 0;
}

bool SpreadCounts::Allows(int kind, int node) const {
  return std::all_of(constraints_.begin(), constraints_.end(), [&](const Constraint& c) {
    if (!IsSet(c.spread->bound, kind)) return true;
    const int group = c.group[static_cast<size_t>(node)];
    if (group < 0) return false;
    const int64_t count = c.count[static_cast<size_t>(group)];
    return count + (IsSet(c.spread->counted, kind) ? 1 : 0) - c.Least() <= c.spread->max_skew;
  });
}

void SpreadCounts::Count(int kind, int node, int change) {
  for (Constraint& c : constraints_) {
    if (!c.Counts(kind, node)) continue;
    const size_t group = static_cast<size_t>(c.group[static_cast<size_t>(node)]);
    int& count = c.count[group];
    const auto old = c.groups_with.find(count);
    if (--old->second == 0) c.groups_with.erase(old);
    count += change;
    ++c.groups_with[count];
    if (IsSet(c.spread->bound, kind)) c.capped[group] += change;
  }
}

int64_t SpreadCounts::Height(int kind, int node) const {
  int64_t height = 0;
  for (const Constraint& c : constraints_) {
    if (!c.Counts(kind, node)) continue;
    const size_t group = static_cast<size_t>(c.group[static_cast<size_t>(node)]);
    height += c.count[group] - c.Least();
  }
  return height;
}

std::vector<int> SpreadCounts::Signature(int kind, int node) const {
  std::vector<int> signature;
  for (const Constraint& c : constraints_) {
    signature.push_back(IsSet(c.spread->bound, kind) ? 1 : 0);
    signature.push_back(IsSet(c.spread->counted, kind) ? 1 : 0);
    signature.push_back(c.Counts(kind, node) ? 1 : 0);
    signature.push_back(c.group[static_cast<size_t>(node)]);
  }
  return signature;
}

bool SpreadCounts::Binds(int kind) const {
  return std::any_of(constraints_.begin(), constraints_.end(),
                     [kind](const Constraint& c) { return IsSet(c.spread->bound, kind); });
}

bool SpreadCounts::CountsAsItBinds(size_t constraint, int kind, int node) const {
  const Constraint& c = constraints_[constraint];
  return IsSet(c.spread->bound, kind) == c.Counts(kind, node);
}

bool SpreadCounts::WithinCaps(int kind, int node) const {
  return std::all_of(constraints_.begin(), constraints_.end(), [&](const Constraint& c) {
    if (!IsSet(c.spread->bound, kind)) return true;
    const int group = c.group[static_cast<size_t>(node)];
    if (group < 0) return false;
    const size_t g = static_cast<size_t>(group);
    int64_t most = c.base[g];
    if (c.Counts(kind, node)) {
      most += c.capped[g];
    } else if (IsSet(c.spread->counted, kind)) {
      ++most;
    }
    return most - c.Least() <= c.spread->max_skew;
  });
}

SpreadOrder FindSpreadOrder(const PackingProblem& problem, const std::vector<int>& kind_of_member,
                            const std::vector<int>& node_of_member, int64_t steps_max) {
  std::vector<int> binding;
  for (size_t s = 0; s < problem.spread.size(); ++s) {
    for (size_t i = 0; i < node_of_member.size(); ++i) {
      if (node_of_member[i] < 0 || !IsSet(problem.spread[s].bound, kind_of_member[i])) continue;
      binding.push_back(static_cast<int>(s));
      break;
    }
  }
  if (binding.empty()) return SpreadOrder::kExists;
  SpreadCounts counts(problem, binding);
  const SpreadCounts before = counts;
  std::vector<Sort> sorts;
  absl::flat_hash_map<std::vector<int>, size_t> sort_of;
  for (size_t i = 0; i < node_of_member.size(); ++i) {
    const int kind = kind_of_member[i];
    const int node = node_of_member[i];
    if (node < 0) continue;
    counts.Count(kind, node, 1);
    const auto [it, is_new] = sort_of.emplace(counts.Signature(kind, node), sorts.size());
    if (is_new) sorts.push_back({kind, node, 0, counts.Binds(kind)});
    ++sorts[it->second].left;
  }
  for (const Sort& sort : sorts) {
    if (!counts.WithinCaps(sort.kind, sort.node)) return SpreadOrder::kNone;
  }
  size_t ordering = 0;  // constraints that some order may break
  for (size_t c = 0; c < counts.constraints(); ++c) {
    const bool allows_all = std::all_of(sorts.begin(), sorts.end(), [&](const Sort& sort) {
      return counts.CountsAsItBinds(c, sort.kind, sort.node);
    });
    if (!allows_all || counts.Least(c) != before.Least(c)) ++ordering;
  }
  if (ordering <= 1) return SpreadOrder::kExists;
  return OrderSearch(before, std::move(sorts), steps_max).Run();
}

}  // namespace gangpack
