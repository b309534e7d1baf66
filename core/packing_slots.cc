#include "core/packing_slots.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

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

}  // namespace

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
  slots.most_in_total = MostInTotal(model, by_request, sum);
  return slots;
}

SlotPlanner::SlotPlanner(const PackingModel& model, const std::vector<int>& slots)
    : model_(model), slots_(slots) {
  placement_.count.resize(PackingModel::Offset(model.nodes, model.kinds), 0);
  load_.resize(static_cast<size_t>(model.nodes), 0);
  next_.resize(static_cast<size_t>(model.kinds), 0);
  stuck_.resize(static_cast<size_t>(model.kinds), 0);
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
    int& count = placement_.count[model_.Cell(node, kind)];
    int& load = load_[static_cast<size_t>(node)];
    const int taken = std::min({members - added, model_.Cap(node, kind) - count,
                                slots_[static_cast<size_t>(node)] - load});
    count += taken;
    load += taken;
    added += taken;
  }
  return added;
}

// A node that is full stays full, and one that is not full loses nobody: so a node once passed need
// not be seen again.
int SlotPlanner::SpareNode(int kind) {
  size_t& next = next_[static_cast<size_t>(kind)];
  for (; next < model_.order.size(); ++next) {
    const int node = model_.order[next];
    if (load_[static_cast<size_t>(node)] < slots_[static_cast<size_t>(node)] &&
        placement_.count[model_.Cell(node, kind)] < model_.Cap(node, kind)) {
      return node;
    }
  }
  return -1;
}

bool SlotPlanner::MakeWay(int kind) {
  reached_by_.assign(static_cast<size_t>(model_.kinds), Step{});
  reached_by_[static_cast<size_t>(kind)] = Step{kind, -1};
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
    for (int other = 0; other < model_.kinds; ++other) {
      if (placement_.count[model_.Cell(node, other)] == 0) continue;
      Step& step = reached_by_[static_cast<size_t>(other)];
      if (step.kind >= 0) continue;
      step = Step{kind, node};
      queue->push_back(other);
    }
  }
}

void SlotPlanner::Shift(int last_kind, int first_kind) {
  for (int giving = last_kind; giving != first_kind;) {
    const Step step = reached_by_[static_cast<size_t>(giving)];
    --placement_.count[model_.Cell(step.node, giving)];
    ++placement_.count[model_.Cell(step.node, step.kind)];
    giving = step.kind;
  }
}

}  // namespace gangpack
