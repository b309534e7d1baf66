#include "core/packing_bounds.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>

namespace gangpack {
namespace {

// The most that one node of a class can add, by each measure.
struct Heaviest {
  std::vector<int> kind;
  int members = 0;
  std::vector<__int128> resource;
};

Heaviest HeaviestOf(const PackingModel& model, const PatternClass& patterns) {
  Heaviest most;
  most.kind.resize(static_cast<size_t>(model.kinds), 0);
  most.resource.resize(static_cast<size_t>(model.resources), 0);
  for (int p = 0; p < patterns.size; ++p) {
    const int* counts = patterns.count.data() + model.Cell(p, 0);
    int members = 0;
    for (int k = 0; k < model.kinds; ++k) {
      members += counts[k];
      int& best = most.kind[static_cast<size_t>(k)];
      best = std::max(best, counts[k]);
    }
    most.members = std::max(most.members, members);
    for (int r = 0; r < model.resources; ++r) {
      __int128 used = 0;
      for (int k = 0; k < model.kinds; ++k) {
        used += static_cast<__int128>(model.Request(k)[r]) * counts[k];
      }
      __int128& best = most.resource[static_cast<size_t>(r)];
      best = std::max(best, used);
    }
  }
  return most;
}

// For a class whose patterns are not all known.
Heaviest LooseOf(const PackingModel& model, int node) {
  Heaviest most;
  for (int k = 0; k < model.kinds; ++k) {
    most.kind.push_back(model.Cap(node, k));
    most.members += model.Cap(node, k);
  }
  for (int r = 0; r < model.resources; ++r) most.resource.push_back(model.Free(node)[r]);
  return most;
}

int CappedSum(int a, int b, int cap) { return a >= cap - b ? cap : a + b; }

}  // namespace

PackingBounds::PackingBounds(const PackingModel& model, const PatternTable& patterns,
                             const std::vector<int>& sequence)
    : model_(model) {
  std::vector<Heaviest> heaviest;
  for (const PatternClass& c : patterns.classes) heaviest.push_back(HeaviestOf(model, c));
  const int total = model.TotalDemand();
  kind_left_.resize(PackingModel::Offset(model.nodes + 1, model.kinds), 0);
  members_left_.resize(static_cast<size_t>(model.nodes) + 1, 0);
  resources_left_.resize(PackingModel::Offset(model.nodes + 1, model.resources), 0);
  for (int position = model.nodes - 1; position >= 0; --position) {
    const int node = sequence[static_cast<size_t>(position)];
    const size_t c = static_cast<size_t>(patterns.class_of_node[static_cast<size_t>(node)]);
    const bool known = !patterns.classes[c].truncated;
    const Heaviest& most = known ? heaviest[c] : LooseOf(model, node);
    for (int k = 0; k < model.kinds; ++k) {
      kind_left_[model.Cell(position, k)] =
          CappedSum(kind_left_[model.Cell(position + 1, k)], most.kind[static_cast<size_t>(k)],
                    model.demand[static_cast<size_t>(k)]);
    }
    members_left_[static_cast<size_t>(position)] =
        CappedSum(members_left_[static_cast<size_t>(position) + 1], most.members, total);
    for (int r = 0; r < model.resources; ++r) {
      const size_t cell = PackingModel::Offset(position, model.resources) + static_cast<size_t>(r);
      resources_left_[cell] = resources_left_[cell + static_cast<size_t>(model.resources)] +
                              most.resource[static_cast<size_t>(r)];
    }
  }
}

void PackingBounds::Aim(const std::vector<int>& demand, int members) {
  demand_ = demand;
  target_ = members;
  lightest_.assign(static_cast<size_t>(model_.resources), 0);
  std::vector<int> kinds(static_cast<size_t>(model_.kinds));
  for (int r = 0; r < model_.resources; ++r) {
    std::iota(kinds.begin(), kinds.end(), 0);
    std::stable_sort(kinds.begin(), kinds.end(), [this, r](int a, int b) {
      return model_.Request(a)[r] < model_.Request(b)[r];
    });
    int missing = members;
    for (int k : kinds) {
      const int taken = std::min(missing, demand[static_cast<size_t>(k)]);
      lightest_[static_cast<size_t>(r)] += static_cast<__int128>(model_.Request(k)[r]) * taken;
      missing -= taken;
    }
  }
}

bool PackingBounds::MayReach(int position, const int* counts) const {
  const int* kind_left = kind_left_.data() + model_.Cell(position, 0);
  int members = 0;
  int reachable = 0;
  for (int k = 0; k < model_.kinds; ++k) {
    members += counts[k];
    reachable += counts[k] + std::min(kind_left[k], demand_[static_cast<size_t>(k)] - counts[k]);
  }
  if (reachable < target_) return false;
  if (members + members_left_[static_cast<size_t>(position)] < target_) return false;
  for (int r = 0; r < model_.resources; ++r) {
    const size_t cell = PackingModel::Offset(position, model_.resources) + static_cast<size_t>(r);
    __int128 weight = resources_left_[cell];
    for (int k = 0; k < model_.kinds; ++k) {
      weight += static_cast<__int128>(model_.Request(k)[r]) * counts[k];
    }
    if (weight < lightest_[static_cast<size_t>(r)]) return false;
  }
  return true;
}

}  // namespace gangpack
