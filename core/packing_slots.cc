#include "core/packing_slots.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace gangpack {
namespace {

// Per resource, the kinds by ascending request.
std::vector<std::vector<int>> KindsByRequest(const PackingModel& model) {
  std::vector<std::vector<int>> by_request(static_cast<size_t>(model.resources));
  for (int r = 0; r < model.resources; ++r) {
    std::vector<int>& kinds = by_request[static_cast<size_t>(r)];
    kinds.resize(static_cast<size_t>(model.kinds));
    std::iota(kinds.begin(), kinds.end(), 0);
    std::stable_sort(kinds.begin(), kinds.end(), [&model, r](int a, int b) {
      return model.Request(a)[r] < model.Request(b)[r];
    });
  }
  return by_request;
}

// How many members fit into `free` of one resource if the smallest come first; `caps` bounds each
// kind.
int MostMembers(const PackingModel& model, const std::vector<int>& ascending, int r,
                const int* caps, int64_t free) {
  int64_t members = 0;
  for (int k : ascending) {
    const int64_t request = model.Request(k)[r];
    int64_t taken = caps[k];
    if (request > 0 && taken > 0) {
      if (static_cast<__int128>(request) * taken > free) taken = free / request;
      free -= request * taken;
    }
    members += taken;
  }
  return static_cast<int>(members);
}

// True if even the largest `slots` members fit into `free`.
bool LargestFit(const PackingModel& model, const std::vector<int>& ascending, int r,
                const int* caps, int slots, int64_t free) {
  __int128 used = 0;
  for (auto it = ascending.rbegin(); it != ascending.rend() && slots > 0; ++it) {
    const int taken = std::min(slots, caps[*it]);
    used += static_cast<__int128>(model.Request(*it)[r]) * taken;
    slots -= taken;
  }
  return used <= free;
}

enum class Mixing { kFree, kOneKindOnly, kIrregular };

// What the pairs of level 0 leave of mixes on a node: all, single members only, or something in
// between.
Mixing MixingOn(const PackingModel& model, const int* caps) {
  if (model.rules.levels.empty() || model.rules.levels[0].apart.empty()) return Mixing::kFree;
  const std::vector<uint8_t>& apart = model.rules.levels[0].apart;
  int together = 0;
  int separate = 0;
  bool single = true;  // a kind alone has one member at most
  for (int a = 0; a < model.kinds; ++a) {
    if (caps[a] == 0) continue;
    single = single && caps[a] == 1;
    for (int b = a + 1; b < model.kinds; ++b) {
      if (caps[b] == 0) continue;
      ++(apart[model.Cell(a, b)] ? separate : together);
    }
  }
  if (separate == 0) return Mixing::kFree;
  return together == 0 && single ? Mixing::kOneKindOnly : Mixing::kIrregular;
}

// Over the whole domain: the sum of the caps per kind, and each resource as if it lay on one node.
int MostInTotal(const PackingModel& model, const std::vector<std::vector<int>>& by_request,
                int64_t sum_of_most) {
  std::vector<int> reachable(static_cast<size_t>(model.kinds), 0);
  for (int n = 0; n < model.nodes; ++n) {
    for (int k = 0; k < model.kinds; ++k) {
      int& total = reachable[static_cast<size_t>(k)];
      const int missing = model.demand[static_cast<size_t>(k)] - total;
      total += std::min(missing, model.Cap(n, k));
    }
  }
  int64_t most = std::accumulate(reachable.begin(), reachable.end(), int64_t{0});
  most = std::min(most, sum_of_most);
  for (int r = 0; r < model.resources; ++r) {
    int64_t free = 0;
    for (int n = 0; n < model.nodes; ++n) free = SaturatingAdd(free, model.Free(n)[r]);
    most = std::min<int64_t>(
        most, MostMembers(model, by_request[static_cast<size_t>(r)], r, reachable.data(), free));
  }
  return static_cast<int>(most);
}

// What caps let groups take, and none if some group cannot get its fill.
int MostUnderSpread(const PackingModel& model, const std::vector<int>& slots, int most) {
  for (const SpreadBound& bound : model.spread) {
    // Per group, and last the nodes in none.
    std::vector<int64_t> capped(static_cast<size_t>(bound.groups) + 1, 0);
    std::vector<int64_t> filling(static_cast<size_t>(bound.groups) + 1, 0);
    for (int n = 0; n < model.nodes; ++n) {
      const int group = bound.group[static_cast<size_t>(n)];
      const size_t at = group < 0 ? capped.size() - 1 : static_cast<size_t>(group);
      int64_t sum_capped = 0;
      int64_t sum_filling = 0;
      for (int k = 0; k < model.kinds; ++k) {
        if (bound.capped[static_cast<size_t>(k)]) sum_capped += model.Cap(n, k);
        if (bound.filling[static_cast<size_t>(k)]) sum_filling += model.Cap(n, k);
      }
      capped[at] += std::min<int64_t>(sum_capped, slots[static_cast<size_t>(n)]);
      filling[at] += std::min<int64_t>(sum_filling, slots[static_cast<size_t>(n)]);
    }
    int64_t capped_most = capped.back();
    int64_t fills = 0;
    for (size_t g = 0; g < bound.most.size(); ++g) {
      if (filling[g] < bound.least[g]) return 0;
      fills += bound.least[g];
      capped_most += std::min<int64_t>(capped[g], bound.most[g]);
    }
    int64_t capped_demand = 0;
    int64_t filling_demand = 0;
    int64_t other_demand = 0;
    for (size_t k = 0; k < bound.capped.size(); ++k) {
      (bound.capped[k] ? capped_demand : other_demand) += model.demand[k];
      if (bound.filling[k]) filling_demand += model.demand[k];
    }
    if (fills > filling_demand) return 0;
    most = static_cast<int>(
        std::min<int64_t>(most, std::min(capped_most, capped_demand) + other_demand));
  }
  return most;
}

}  // namespace

const SpreadBound* UniformBound(const PackingModel& model) {
  if (model.spread.size() != 1) return nullptr;
  const SpreadBound& bound = model.spread.front();
  const auto all = [](const std::vector<uint8_t>& kinds) {
    return std::count(kinds.begin(), kinds.end(), 0) == 0;
  };
  return all(bound.capped) && all(bound.filling) ? &bound : nullptr;
}

NodeSlots CountSlots(const PackingModel& model) {
  NodeSlots slots;
  slots.all_counting = true;
  slots.most.reserve(static_cast<size_t>(model.nodes));
  const std::vector<std::vector<int>> by_request = KindsByRequest(model);
  int64_t sum = 0;
  for (int n = 0; n < model.nodes; ++n) {
    const int* caps = model.cap.data() + model.Cell(n, 0);
    int64_t most = std::accumulate(caps, caps + model.kinds, int64_t{0});
    most = std::min<int64_t>(most, model.TotalDemand());
    for (int r = 0; r < model.resources && most > 1; ++r) {
      most = std::min<int64_t>(
          most, MostMembers(model, by_request[static_cast<size_t>(r)], r, caps, model.Free(n)[r]));
    }
    const Mixing mixing = most > 1 ? MixingOn(model, caps) : Mixing::kFree;
    if (mixing == Mixing::kOneKindOnly) most = std::min<int64_t>(most, 1);
    if (mixing == Mixing::kIrregular) slots.all_counting = false;
    for (int r = 0; r < model.resources && most > 1 && slots.all_counting; ++r) {
      slots.all_counting = LargestFit(model, by_request[static_cast<size_t>(r)], r, caps,
                                      static_cast<int>(most), model.Free(n)[r]);
    }
    slots.most.push_back(static_cast<int>(most));
    sum += most;
  }
  slots.most_in_total = MostUnderSpread(model, slots.most, MostInTotal(model, by_request, sum));
  return slots;
}

SlotPlanner::SlotPlanner(const PackingModel& model, const std::vector<int>& slots)
    : model_(model), slots_(slots) {
  placement_.count.resize(PackingModel::Offset(model.nodes, model.kinds), 0);
  load_.resize(static_cast<size_t>(model.nodes), 0);
  next_.resize(static_cast<size_t>(model.kinds), 0);
  stuck_.resize(static_cast<size_t>(model.kinds), 0);
}

void SlotPlanner::LimitGroups(const SpreadBound& bound, const std::vector<int>& limits,
                              bool others_open) {
  bound_ = &bound;
  limits_ = limits;
  others_open_ = others_open;
  group_load_.assign(limits.size(), 0);
  for (size_t n = 0; n < load_.size(); ++n) {
    if (bound.group[n] >= 0) group_load_[static_cast<size_t>(bound.group[n])] += load_[n];
  }
  std::fill(next_.begin(), next_.end(), 0);
  std::fill(stuck_.begin(), stuck_.end(), 0);
}

int SlotPlanner::LeftInGroup(int node) const {
  if (bound_ == nullptr) return SpreadBound::kUncapped;
  const int group = bound_->group[static_cast<size_t>(node)];
  if (group < 0) return others_open_ ? SpreadBound::kUncapped : 0;
  return limits_[static_cast<size_t>(group)] - group_load_[static_cast<size_t>(group)];
}

void SlotPlanner::Move(int node, int kind, int members) {
  placement_.count[model_.Cell(node, kind)] += members;
  load_[static_cast<size_t>(node)] += members;
  if (bound_ == nullptr || bound_->group[static_cast<size_t>(node)] < 0) return;
  group_load_[static_cast<size_t>(bound_->group[static_cast<size_t>(node)])] += members;
}

int SlotPlanner::Add(int kind, int members) {
  int added = PlaceDirectly(kind, members);
  while (added < members && !stuck_[static_cast<size_t>(kind)] && MakeWay(kind)) ++added;
  placement_.total += added;
  return added;
}

int SlotPlanner::PlaceDirectly(int kind, int members) {
  int added = 0;
  while (added < members) {
    const int node = SpareNode(kind);
    if (node < 0) break;
    const int taken = std::min(
        {members - added, model_.Cap(node, kind) - placement_.count[model_.Cell(node, kind)],
         slots_[static_cast<size_t>(node)] - load_[static_cast<size_t>(node)], LeftInGroup(node)});
    Move(node, kind, taken);
    added += taken;
  }
  return added;
}

// A node that is full stays full, and one that is not full loses nobody, unless its group is full
// and stays so: a node once passed need not be seen again.
int SlotPlanner::SpareNode(int kind) {
  size_t& next = next_[static_cast<size_t>(kind)];
  for (; next < model_.order.size(); ++next) {
    const int node = model_.order[next];
    if (load_[static_cast<size_t>(node)] < slots_[static_cast<size_t>(node)] &&
        placement_.count[model_.Cell(node, kind)] < model_.Cap(node, kind) &&
        LeftInGroup(node) > 0) {
      return node;
    }
  }
  return -1;
}

bool SlotPlanner::MakeWay(int kind) {
  reached_by_.assign(static_cast<size_t>(model_.kinds), Step{});
  reached_by_[static_cast<size_t>(kind)] = Step{kind, -1, -1};
  group_reached_.assign(limits_.size(), 0);
  std::vector<int> queue = {kind};
  for (size_t head = 0; head < queue.size(); ++head) {
    const int asking = queue[head];
    if (head > 0 && PlaceDirectly(asking, 1) == 1) {
      Shift(asking, kind);
      return true;
    }
    Reach(asking, &queue);
  }
  // Whoever was reached can never be placed again: later members only take more.
  for (int k : queue) stuck_[static_cast<size_t>(k)] = 1;
  return false;
}

// Adds the kinds that could give `kind` a place if they had another one.
void SlotPlanner::Reach(int kind, std::vector<int>* queue) {
  for (int node : model_.order) {
    if (placement_.count[model_.Cell(node, kind)] >= model_.Cap(node, kind)) continue;
    if (load_[static_cast<size_t>(node)] < slots_[static_cast<size_t>(node)]) {
      ReachInGroup(kind, node, queue);
      continue;
    }
    for (int other = 0; other < model_.kinds; ++other) Ask(other, Step{kind, node, node}, queue);
  }
}

// The node has a slot left, but its group is full: anybody in the group could make way.
void SlotPlanner::ReachInGroup(int kind, int node, std::vector<int>* queue) {
  const int group = bound_ == nullptr ? -1 : bound_->group[static_cast<size_t>(node)];
  if (group < 0 || std::exchange(group_reached_[static_cast<size_t>(group)], 1) != 0) return;
  for (int from : model_.order) {
    if (bound_->group[static_cast<size_t>(from)] != group) continue;
    for (int other = 0; other < model_.kinds; ++other) Ask(other, Step{kind, node, from}, queue);
  }
}

void SlotPlanner::Ask(int other, const Step& step, std::vector<int>* queue) {
  if (placement_.count[model_.Cell(step.from, other)] == 0) return;
  Step& reached = reached_by_[static_cast<size_t>(other)];
  if (reached.kind >= 0) return;
  reached = step;
  queue->push_back(other);
}

void SlotPlanner::Shift(int last_kind, int first_kind) {
  for (int giving = last_kind; giving != first_kind;) {
    const Step step = reached_by_[static_cast<size_t>(giving)];
    Move(step.from, giving, -1);
    Move(step.node, step.kind, 1);
    giving = step.kind;
  }
}

}  // namespace gangpack
