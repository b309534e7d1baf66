#include "core/packing_spread.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "core/check.h"
#include "core/resources.h"

namespace gangpack {
namespace {

bool IsSet(const std::vector<uint8_t>& bits, int index) {
  return static_cast<size_t>(index) < bits.size() && bits[static_cast<size_t>(index)] != 0;
}

// The groups of a constraint that have a node in the problem.
struct Groups {
  std::vector<int> of_node;         // dense, -1 where the node lacks the label
  std::vector<int> base;            // per group
  std::vector<uint8_t> takes_part;  // per group: in the least
};

Groups GroupsOf(const PackingProblem& problem, const PackingSpread& spread) {
  CORE_CHECK(spread.base.size() == problem.nodes.size());
  Groups groups;
  absl::flat_hash_map<int, int> dense;
  for (size_t n = 0; n < problem.nodes.size(); ++n) {
    const std::vector<int>& given = problem.nodes[n].group;
    if (spread.level > 0) CORE_CHECK(given.size() >= static_cast<size_t>(spread.level));
    const int raw =
        spread.level == 0 ? static_cast<int>(n) : given[static_cast<size_t>(spread.level - 1)];
    int group = -1;
    if (raw >= 0) {
      const auto [it, is_new] = dense.emplace(raw, static_cast<int>(groups.base.size()));
      group = it->second;
      if (is_new) {
        groups.base.push_back(spread.base[n]);
        groups.takes_part.push_back(0);
      }
      if (IsSet(spread.eligible, static_cast<int>(n))) {
        groups.takes_part[static_cast<size_t>(group)] = 1;
      }
    }
    groups.of_node.push_back(group);
  }
  return groups;
}

struct Candidate {
  int least = 0;  // m
  int most = 0;   // members that can be placed
};

// The possible numbers m of one constraint, the most promising first.
class LeastCandidates {
 public:
  LeastCandidates(const PackingProblem& problem, const PackingSpread& spread)
      : spread_(spread), groups_(GroupsOf(problem, spread)) {
    for (size_t k = 0; k < problem.kinds.size(); ++k) {
      const int kind = static_cast<int>(k);
      const int demand = std::max(0, problem.kinds[k].demand);
      demand_ += demand;
      if (IsSet(spread.counted, kind)) counted_ += demand;
      if (IsSet(spread.counted, kind) && IsSet(spread.bound, kind)) capped_ += demand;
    }
    FindRoom(problem);
  }

  std::vector<Candidate> Run() const {
    if (spread_.least_is_zero) return {{0, Most(0)}};
    int64_t lowest = spread_.least_outside;
    for (size_t g = 0; g < groups_.base.size(); ++g) {
      if (groups_.takes_part[g]) lowest = std::min<int64_t>(lowest, groups_.base[g]);
    }
    // A cluster without any group counts as one whose least is 0.
    if (lowest == PackingSpread::kNoOtherGroup) return {{0, Most(0)}};
    std::vector<Candidate> ascending;
    for (int64_t m = lowest; m == lowest || (IsPossible(m) && Restricts(m - 1)); ++m) {
      ascending.push_back({static_cast<int>(m), Most(m)});
    }
    const auto first = std::find_if(ascending.begin(), ascending.end(),
                                    [this](const Candidate& c) { return c.most == demand_; });
    std::vector<Candidate> sorted(first, ascending.end());
    sorted.insert(sorted.end(), std::make_reverse_iterator(first), ascending.rend());
    return sorted;
  }

 private:
  // How many members a group could get at most if others left it alone.
  void FindRoom(const PackingProblem& problem) {
    room_.resize(groups_.base.size(), 0);
    for (size_t n = 0; n < problem.nodes.size(); ++n) {
      const int group = groups_.of_node[n];
      if (group < 0 || !IsSet(spread_.eligible, static_cast<int>(n))) {
        loose_ = true;
        continue;
      }
      int64_t& room = room_[static_cast<size_t>(group)];
      for (size_t k = 0; k < problem.kinds.size() && room < counted_; ++k) {
        const PackingKind& kind = problem.kinds[k];
        if (kind.demand <= 0 || !IsSet(spread_.counted, static_cast<int>(k))) continue;
        if (!problem.nodes[n].feasible[k]) continue;
        room += std::clamp<int64_t>(TimesFits(kind.request, problem.nodes[n].free), 0, kind.demand);
      }
    }
  }

  bool IsPossible(int64_t m) const {
    if (m > spread_.least_outside) return false;
    int64_t fills = 0;
    for (size_t g = 0; g < groups_.base.size(); ++g) {
      const int64_t fill = groups_.takes_part[g] ? std::max<int64_t>(0, m - groups_.base[g]) : 0;
      if (fill > room_[g]) return false;
      fills += fill;
    }
    return fills <= counted_;
  }

  // A higher number than one that restricts nobody only asks for more.
  bool Restricts(int64_t m) const {
    return std::any_of(groups_.base.begin(), groups_.base.end(), [&](int base) {
      return m + spread_.max_skew - base < std::max<int64_t>(capped_, 0);
    });
  }

  int Most(int64_t m) const {
    if (loose_) return static_cast<int>(demand_);
    int64_t capacity = 0;
    for (size_t g = 0; g < groups_.base.size(); ++g) {
      const int64_t cap = m + spread_.max_skew - groups_.base[g];
      capacity += std::clamp<int64_t>(cap, 0, room_[g]);
    }
    return static_cast<int>(demand_ - capped_ + std::min(capacity, capped_));
  }

  const PackingSpread& spread_;
  const Groups groups_;
  std::vector<int64_t> room_;  // per group
  int64_t counted_ = 0;        // members that can raise a count
  int64_t capped_ = 0;         // of these, the bound ones
  int64_t demand_ = 0;
  bool loose_ = false;  // such a one may go to a node where it is not counted
};

class SpreadReducing {
 public:
  SpreadReducing(const PackingProblem& problem, const std::vector<int>& wanted)
      : problem_(problem), wanted_(wanted), nodes_(static_cast<int>(problem.nodes.size())) {}

  void Add(const PackingSpread& spread, int64_t least) {
    const Groups groups = GroupsOf(problem_, spread);
    SpreadBound bound;
    int64_t capped_demand = 0;
    for (int kind : wanted_) {
      const bool counted = IsSet(spread.counted, kind);
      bound.filling.push_back(counted ? 1 : 0);
      bound.capped.push_back(counted && IsSet(spread.bound, kind) ? 1 : 0);
      if (bound.capped.back()) capped_demand += problem_.kinds[static_cast<size_t>(kind)].demand;
    }
    bound.group = groups.of_node;
    bound.groups = static_cast<int>(groups.base.size());
    std::vector<int> usable(groups.base.size(), 0);
    for (int n = 0; n < nodes_; ++n) {
      int& group = bound.group[static_cast<size_t>(n)];
      if (group < 0) continue;
      const int64_t cap = least + spread.max_skew - groups.base[static_cast<size_t>(group)];
      BlockAt(n, spread, cap);
      if (!IsSet(spread.eligible, n)) {
        group = -1;
      } else if (TakesCapped(n, bound)) {
        ++usable[static_cast<size_t>(group)];
      }
    }
    SpreadResource resource;
    for (size_t g = 0; g < groups.base.size(); ++g) {
      const int64_t cap = least + spread.max_skew - groups.base[g];
      const bool caps = usable[g] > 0 && cap < capped_demand;
      bound.most.push_back(caps ? static_cast<int>(std::max<int64_t>(0, cap))
                                : SpreadBound::kUncapped);
      const int64_t fill = groups.takes_part[g] && !spread.least_is_zero
                               ? std::max<int64_t>(0, least - groups.base[g])
                               : 0;
      bound.least.push_back(static_cast<int>(fill));
      if (caps && usable[g] == 1)
        TakeAsResource(g, static_cast<int>(capped_demand), &bound, &resource);
    }
    if (!resource.free.empty()) reduction_.resources.push_back(std::move(resource));
    Keep(std::move(bound));
  }

  SpreadReduction Result() { return std::move(reduction_); }

 private:
  void BlockAt(int node, const PackingSpread& spread, int64_t cap) {
    for (size_t w = 0; w < wanted_.size(); ++w) {
      if (!IsSet(spread.bound, wanted_[w])) continue;
      if (cap >= (IsSet(spread.counted, wanted_[w]) ? 1 : 0)) continue;
      const size_t columns = wanted_.size();
      if (reduction_.blocked.empty()) {
        reduction_.blocked.resize(static_cast<size_t>(nodes_) * columns, 0);
      }
      reduction_.blocked[static_cast<size_t>(node) * columns + w] = 1;
    }
  }

  // True if a member that counts toward the cap could go there.
  bool TakesCapped(int node, const SpreadBound& bound) const {
    for (size_t w = 0; w < wanted_.size(); ++w) {
      const size_t kind = static_cast<size_t>(wanted_[w]);
      if (bound.capped[w] && problem_.nodes[static_cast<size_t>(node)].feasible[kind]) return true;
    }
    return false;
  }

  void TakeAsResource(size_t group, int plenty, SpreadBound* bound, SpreadResource* resource) {
    if (resource->free.empty()) {
      resource->taken_by = bound->capped;
      resource->free.assign(static_cast<size_t>(nodes_), plenty);
    }
    for (int n = 0; n < nodes_; ++n) {
      if (bound->group[static_cast<size_t>(n)] != static_cast<int>(group)) continue;
      resource->free[static_cast<size_t>(n)] = bound->most[group];
    }
    bound->most[group] = SpreadBound::kUncapped;
  }

  void Keep(SpreadBound bound) {
    const bool caps = std::any_of(bound.most.begin(), bound.most.end(),
                                  [](int most) { return most != SpreadBound::kUncapped; });
    const bool fills =
        std::any_of(bound.least.begin(), bound.least.end(), [](int least) { return least > 0; });
    if (caps || fills) reduction_.bounds.push_back(std::move(bound));
  }

  const PackingProblem& problem_;
  const std::vector<int>& wanted_;
  const int nodes_;
  SpreadReduction reduction_;
};

}  // namespace

std::vector<int> BindingSpread(const PackingProblem& problem) {
  std::vector<int> binding;
  for (size_t s = 0; s < problem.spread.size(); ++s) {
    for (size_t k = 0; k < problem.kinds.size(); ++k) {
      if (problem.kinds[k].demand <= 0 || !IsSet(problem.spread[s].bound, static_cast<int>(k))) {
        continue;
      }
      binding.push_back(static_cast<int>(s));
      break;
    }
  }
  return binding;
}

SpreadFrames ListSpreadFrames(const PackingProblem& problem, int frames_max) {
  const std::vector<int> binding = BindingSpread(problem);
  std::vector<std::vector<Candidate>> candidates;
  for (int s : binding) {
    candidates.push_back(LeastCandidates(problem, problem.spread[static_cast<size_t>(s)]).Run());
  }
  // An odometer with one wheel per constraint; then by how far the wheels have turned.
  struct Ranked {
    size_t rank = 0;
    SpreadFrame frame;
    int most = std::numeric_limits<int>::max();
  };
  std::vector<Ranked> ranked;
  SpreadFrames result;
  std::vector<size_t> wheel(binding.size(), 0);
  for (;;) {
    if (static_cast<int>(ranked.size()) == frames_max) {
      result.complete = false;
      break;
    }
    Ranked& next = ranked.emplace_back();
    next.rank = std::accumulate(wheel.begin(), wheel.end(), size_t{0});
    next.frame.resize(problem.spread.size(), 0);
    for (size_t i = 0; i < binding.size(); ++i) {
      const Candidate& candidate = candidates[i][wheel[i]];
      next.frame[static_cast<size_t>(binding[i])] = candidate.least;
      next.most = std::min(next.most, candidate.most);
    }
    size_t turning = 0;
    while (turning < wheel.size() && ++wheel[turning] == candidates[turning].size()) {
      wheel[turning++] = 0;
    }
    if (turning == wheel.size()) break;
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const Ranked& a, const Ranked& b) { return a.rank < b.rank; });
  for (Ranked& next : ranked) {
    result.frames.push_back(std::move(next.frame));
    result.most.push_back(next.most);
  }
  return result;
}

SpreadReduction ReduceSpread(const PackingProblem& problem, const std::vector<int>& wanted,
                             const SpreadFrame& frame) {
  if (frame.empty()) return {};
  SpreadReducing reducing(problem, wanted);
  for (int s : BindingSpread(problem)) {
    reducing.Add(problem.spread[static_cast<size_t>(s)], frame[static_cast<size_t>(s)]);
  }
  return reducing.Result();
}

}  // namespace gangpack
