#include "core/packing_greedy.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>

#include "core/resources.h"

namespace gangpack {
namespace {

class FirstFit {
 public:
  explicit FirstFit(const PackingModel& model)
      : model_(model),
        free_(model.free),
        ruled_(static_cast<size_t>(model.kinds), 0),
        first_group_(model.rules.clauses.size(), -1) {
    placement_.count.resize(PackingModel::Offset(model.nodes, model.kinds), 0);
    for (const PackingLevel& level : model.rules.levels) {
      in_group_.emplace_back(PackingModel::Offset(level.groups, model.kinds), 0);
      for (size_t cell = 0; cell < level.apart.size(); ++cell) {
        if (level.apart[cell]) ruled_[cell / ruled_.size()] = 1;
      }
    }
    for (const PackingClause& clause : model.rules.clauses) {
      for (size_t k = 0; k < ruled_.size(); ++k) ruled_[k] |= clause.owner[k];
    }
    for (const SpreadBound& bound : model.spread) {
      capped_.emplace_back(static_cast<size_t>(bound.groups), 0);
      filling_.emplace_back(static_cast<size_t>(bound.groups), 0);
    }
  }

  // Places as many of `left` (per kind), in the order of `kinds`, as the fills ask for, and takes
  // them off it.
  void Fill(const std::vector<int>& kinds, std::vector<int>* left) {
    for (size_t b = 0; b < model_.spread.size(); ++b) {
      const SpreadBound& bound = model_.spread[b];
      for (int node : model_.order) {
        const int group = bound.group[static_cast<size_t>(node)];
        if (group < 0) continue;
        for (int k : kinds) {
          if (!bound.filling[static_cast<size_t>(k)]) continue;
          const size_t g = static_cast<size_t>(group);
          int& members = (*left)[static_cast<size_t>(k)];
          members -= PlaceOn(node, k, std::min(members, bound.least[g] - filling_[b][g]));
        }
      }
    }
  }

  void Place(int kind, int members) {
    for (int node : model_.order) {
      members -= PlaceOn(node, kind, members);
      if (members == 0) return;
    }
  }

  PackingPlacement Result() { return std::move(placement_); }

 private:
  int PlaceOn(int node, int kind, int members) {
    const int most = std::min(members, Fitting(node, kind));
    if (most <= 0) return 0;
    if (!ruled_[static_cast<size_t>(kind)]) {
      Take(node, kind, most);
      return most;
    }
    int taken = 0;
    for (; taken < most && RulesAllow(node, kind); ++taken) Take(node, kind, 1);
    return taken;
  }

  int Fitting(int node, int kind) const {
    int64_t fitting = model_.Cap(node, kind);
    if (fitting == 0) return 0;
    if (!capped_.empty()) fitting -= placement_.count[model_.Cell(node, kind)];
    for (size_t b = 0; b < model_.spread.size(); ++b) {
      const SpreadBound& bound = model_.spread[b];
      const int group = bound.group[static_cast<size_t>(node)];
      if (group < 0 || !bound.capped[static_cast<size_t>(kind)]) continue;
      const size_t g = static_cast<size_t>(group);
      fitting = std::min<int64_t>(fitting, bound.most[g] - capped_[b][g]);
    }
    const int64_t* request = model_.Request(kind);
    const int64_t* free = free_.data() + PackingModel::Offset(node, model_.resources);
    for (int r = 0; r < model_.resources; ++r) {
      if (request[r] > 0) fitting = std::min(fitting, free[r] / request[r]);
    }
    return static_cast<int>(fitting);
  }

  void Take(int node, int kind, int members) {
    placement_.count[model_.Cell(node, kind)] += members;
    placement_.total += members;
    int64_t* free = free_.data() + PackingModel::Offset(node, model_.resources);
    for (int r = 0; r < model_.resources; ++r) free[r] -= model_.Request(kind)[r] * members;
    for (size_t level = 0; level < in_group_.size(); ++level) {
      const int group = model_.rules.levels[level].group[static_cast<size_t>(node)];
      if (group >= 0) in_group_[level][model_.Cell(group, kind)] += members;
    }
    for (size_t b = 0; b < model_.spread.size(); ++b) {
      const SpreadBound& bound = model_.spread[b];
      const int group = bound.group[static_cast<size_t>(node)];
      if (group < 0) continue;
      if (bound.capped[static_cast<size_t>(kind)])
        capped_[b][static_cast<size_t>(group)] += members;
      if (bound.filling[static_cast<size_t>(kind)])
        filling_[b][static_cast<size_t>(group)] += members;
    }
  }

  bool RulesAllow(int node, int kind) {
    for (size_t level = 0; level < in_group_.size(); ++level) {
      const PackingLevel& rules = model_.rules.levels[level];
      const int group = rules.group[static_cast<size_t>(node)];
      if (rules.apart.empty() || group < 0) continue;
      for (int other = 0; other < model_.kinds; ++other) {
        if (in_group_[level][model_.Cell(group, other)] > 0 &&
            rules.apart[model_.Cell(kind, other)]) {
          return false;
        }
      }
    }
    std::vector<std::pair<size_t, int>> taken;  // clauses whose first group this would be
    for (size_t c = 0; c < model_.rules.clauses.size(); ++c) {
      const PackingClause& clause = model_.rules.clauses[c];
      if (!clause.owner[static_cast<size_t>(kind)]) continue;
      const size_t level = static_cast<size_t>(clause.level);
      const int group = model_.rules.levels[level].group[static_cast<size_t>(node)];
      if (clause.satisfied[static_cast<size_t>(group)] || HasSupporter(clause, level, group))
        continue;
      if (!clause.first_group) return false;
      if (first_group_[c] < 0) taken.emplace_back(c, group);
      if (first_group_[c] >= 0 && first_group_[c] != group) return false;
    }
    for (const auto& [c, group] : taken) first_group_[c] = group;
    return true;
  }

  bool HasSupporter(const PackingClause& clause, size_t level, int group) const {
    for (int k = 0; k < model_.kinds; ++k) {
      if (clause.supporter[static_cast<size_t>(k)] && in_group_[level][model_.Cell(group, k)] > 0) {
        return true;
      }
    }
    return false;
  }

  const PackingModel& model_;
  std::vector<int64_t> free_;               // nodes x resources
  std::vector<std::vector<int>> in_group_;  // per level: groups x kinds
  std::vector<uint8_t> ruled_;              // per kind: rules look at it
  std::vector<int> first_group_;            // per clause: the group that uses the exception, or -1
  std::vector<std::vector<int>> capped_;    // per SpreadBound: per group
  std::vector<std::vector<int>> filling_;   // the same
  PackingPlacement placement_;
};

// What the order of kinds is decided by.
struct KindWeight {
  bool needs_others = false;
  int64_t demand = 0;
  int64_t places = 0;  // sum of the caps
  // The largest share of a resource that one member requests: `request` of `total`.
  int64_t request = 0;
  int64_t total = 1;
};

std::vector<KindWeight> WeighKinds(const PackingModel& model, const std::vector<int>& demand) {
  std::vector<int64_t> total(static_cast<size_t>(model.resources), 0);
  for (int n = 0; n < model.nodes; ++n) {
    for (int r = 0; r < model.resources; ++r) {
      int64_t& sum = total[static_cast<size_t>(r)];
      sum = SaturatingAdd(sum, model.Free(n)[r]);
    }
  }
  std::vector<KindWeight> weights(static_cast<size_t>(model.kinds));
  for (int k = 0; k < model.kinds; ++k) {
    KindWeight& weight = weights[static_cast<size_t>(k)];
    weight.demand = demand[static_cast<size_t>(k)];
    for (const PackingClause& clause : model.rules.clauses) {
      if (clause.owner[static_cast<size_t>(k)] && !clause.first_group) weight.needs_others = true;
    }
    for (int n = 0; n < model.nodes; ++n) weight.places += model.Cap(n, k);
    weight.places = std::max<int64_t>(1, weight.places);
    for (int r = 0; r < model.resources; ++r) {
      const int64_t sum = std::max<int64_t>(1, total[static_cast<size_t>(r)]);
      const int64_t request = model.Request(k)[r];
      if (static_cast<__int128>(request) * weight.total >
          static_cast<__int128>(weight.request) * sum) {
        weight.request = request;
        weight.total = sum;
      }
    }
  }
  return weights;
}

// Positive if a is scarcer, negative if b is.
int CompareScarcity(const KindWeight& a, const KindWeight& b) {
  const __int128 left = static_cast<__int128>(a.demand) * b.places;
  const __int128 right = static_cast<__int128>(b.demand) * a.places;
  return left > right ? 1 : left < right ? -1 : 0;
}

int CompareSize(const KindWeight& a, const KindWeight& b) {
  const __int128 left = static_cast<__int128>(a.request) * b.total;
  const __int128 right = static_cast<__int128>(b.request) * a.total;
  return left > right ? 1 : left < right ? -1 : 0;
}

PackingPlacement PlaceInOrder(const PackingModel& model, const std::vector<int>& demand,
                              const std::vector<KindWeight>& weights, bool scarce_first) {
  std::vector<int> kinds(static_cast<size_t>(model.kinds));
  std::iota(kinds.begin(), kinds.end(), 0);
  std::stable_sort(kinds.begin(), kinds.end(), [&](int a, int b) {
    const KindWeight& left = weights[static_cast<size_t>(a)];
    const KindWeight& right = weights[static_cast<size_t>(b)];
    if (left.needs_others != right.needs_others) return right.needs_others;
    const int scarcity = CompareScarcity(left, right);
    const int size = CompareSize(left, right);
    const int first = scarce_first ? scarcity : size;
    return first != 0 ? first > 0 : (scarce_first ? size : scarcity) > 0;
  });
  FirstFit plan(model);
  std::vector<int> left = demand;
  if (!model.spread.empty()) plan.Fill(kinds, &left);
  for (int k : kinds) {
    if (left[static_cast<size_t>(k)] > 0) plan.Place(k, left[static_cast<size_t>(k)]);
  }
  PackingPlacement placement = plan.Result();
  if (!KeepsSpread(model, placement)) {
    std::fill(placement.count.begin(), placement.count.end(), 0);
    placement.total = 0;
  }
  return placement;
}

}  // namespace

PackingPlacement PlaceGreedily(const PackingModel& model, const std::vector<int>& demand) {
  const std::vector<KindWeight> weights = WeighKinds(model, demand);
  PackingPlacement by_scarcity = PlaceInOrder(model, demand, weights, true);
  if (by_scarcity.total == std::accumulate(demand.begin(), demand.end(), 0)) return by_scarcity;
  PackingPlacement by_size = PlaceInOrder(model, demand, weights, false);
  return by_size.total > by_scarcity.total ? by_size : by_scarcity;
}

PackingPlacement PlaceLightest(const PackingModel& model, int placed, int bound, int tries_max) {
  const std::vector<KindWeight> weights = WeighKinds(model, model.demand);
  std::vector<int> kinds(static_cast<size_t>(model.kinds));
  std::iota(kinds.begin(), kinds.end(), 0);
  std::stable_sort(kinds.begin(), kinds.end(), [&](int a, int b) {
    const size_t left = static_cast<size_t>(a);
    const size_t right = static_cast<size_t>(b);
    if (model.critical[left] != model.critical[right]) return model.critical[left] != 0;
    return CompareSize(weights[left], weights[right]) < 0;
  });
  PackingPlacement best;
  best.total = placed;
  for (int tries = 0, members = bound; tries < tries_max && members > best.total;
       ++tries, --members) {
    std::vector<int> lightest(static_cast<size_t>(model.kinds), 0);
    int missing = members;
    for (int k : kinds) {
      int& count = lightest[static_cast<size_t>(k)];
      count = std::min(missing, model.demand[static_cast<size_t>(k)]);
      missing -= count;
    }
    PackingPlacement placement = PlaceGreedily(model, lightest);
    if (placement.total > best.total) best = std::move(placement);
  }
  if (best.count.empty()) best.total = 0;
  return best;
}

}  // namespace gangpack
