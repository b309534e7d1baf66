#include "core/packing_states.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "absl/container/flat_hash_set.h"

namespace gangpack {
namespace {

// What a slot holds for a clause.
constexpr int kNobody = 0;
constexpr int kOwnerAlone = 1;
constexpr int kSupported = 2;

bool AnyOf(const std::vector<uint8_t>& kinds, const int* counts) {
  for (size_t k = 0; k < kinds.size(); ++k) {
    if (kinds[k] && counts[k] > 0) return true;
  }
  return false;
}

}  // namespace

// Hash and equality of states of one layer, by index, blind to the free kind.
struct PackingStates::SameButFreeKind {
  const Layer* layer;
  int free_kind;

  size_t operator()(int state) const {
    const int* key = layer->Key(state);
    uint64_t hash = 1469598103934665603u;
    for (int i = 0; i < layer->width; ++i) {
      if (i != free_kind) hash = (hash ^ static_cast<uint64_t>(key[i])) * 1099511628211u;
    }
    return static_cast<size_t>(hash ^ (hash >> 32));
  }
  bool operator()(int a, int b) const {
    const int* key_a = layer->Key(a);
    const int* key_b = layer->Key(b);
    for (int i = 0; i < layer->width; ++i) {
      if (i != free_kind && key_a[i] != key_b[i]) return false;
    }
    return true;
  }
};

PackingStates::PackingStates(const PackingModel& model, const PatternTable& patterns,
                             int comparisons_max)
    : model_(model),
      patterns_(patterns),
      comparisons_max_(static_cast<size_t>(comparisons_max)),
      sequence_(SequenceNodes(model)),
      bounds_(model, patterns, sequence_.nodes),
      first_slot_(model.kinds + static_cast<int>(model.rules.clauses.size())),
      width_(first_slot_ + sequence_.slots_width) {
  SortKeyParts();
}

void PackingStates::SortKeyParts() {
  for (int k = 0; k < model_.kinds; ++k) {
    if (model_.critical[static_cast<size_t>(k)]) {
      fixed_.push_back(k);
      continue;
    }
    comparable_.push_back(k);
    if (free_kind_ < 0 ||
        model_.demand[static_cast<size_t>(k)] > model_.demand[static_cast<size_t>(free_kind_)]) {
      free_kind_ = k;
    }
  }
  for (int i = model_.kinds; i < width_; ++i) fixed_.push_back(i);
}

void PackingStates::Layer::Add(const std::vector<int>& child, int from) {
  key.insert(key.end(), child.begin(), child.end());
  parent.push_back(from);
  ++size;
}

void PackingStates::Search(const std::vector<int>& demand, int target, PackingBudget* budget) {
  demand_ = demand;
  bounds_.Aim(demand, target);
  layers_.clear();
  Layer root;
  root.width = width_;
  child_.assign(static_cast<size_t>(width_), 0);
  if (bounds_.MayReach(0, child_.data())) root.Add(child_, -1);
  layers_.push_back(std::move(root));
  for (int position = 0; position < model_.nodes && found() > 0; ++position) {
    Layer next;
    next.width = width_;
    Expand(position, budget, &next);
    if (comparable_.size() > 1) DropExceeded(&next);
    if (budget->reached) KeepFullest(&next);
    layers_.push_back(std::move(next));
  }
}

void PackingStates::Expand(int position, PackingBudget* budget, Layer* next) {
  const Layer& layer = layers_.back();
  const int node = sequence_.nodes[static_cast<size_t>(position)];
  const PatternClass& patterns =
      patterns_.classes[static_cast<size_t>(patterns_.class_of_node[static_cast<size_t>(node)])];
  const SameButFreeKind same{next, free_kind_};
  absl::flat_hash_set<int, SameButFreeKind, SameButFreeKind> seen(static_cast<size_t>(layer.size),
                                                                  same, same);
  for (int s = 0; s < layer.size; ++s) {
    for (int p = 0; p < patterns.size; ++p) {
      if (!budget->Spend() && (s >= kBeam || p >= kBeamPatterns)) break;
      if (!Extend(layer.Key(s), patterns, p, position)) continue;
      // The newcomer joins the layer to be compared by index, and leaves it if its like is there.
      next->Add(child_, s);
      const auto [it, is_new] = seen.insert(next->size - 1);
      if (is_new) continue;
      if (free_kind_ >= 0 && next->Key(*it)[free_kind_] < child_[static_cast<size_t>(free_kind_)]) {
        next->Key(*it)[free_kind_] = child_[static_cast<size_t>(free_kind_)];
        next->parent[static_cast<size_t>(*it)] = s;
      }
      next->key.resize(next->key.size() - static_cast<size_t>(width_));
      next->parent.pop_back();
      --next->size;
    }
  }
}

// Builds `child_`: the state after the node takes the pattern. False if it breaks a rule or is
// hopeless.
bool PackingStates::Extend(const int* state, const PatternClass& patterns, int pattern,
                           int position) {
  child_.assign(state, state + width_);
  const int* counts = patterns.count.data() + model_.Cell(pattern, 0);
  if (!PlaceCounts(counts)) return false;
  const int clauses = static_cast<int>(model_.rules.clauses.size());
  for (int c = 0; c < clauses; ++c) {
    if (!patterns.first_group[PackingModel::Offset(pattern, clauses) + static_cast<size_t>(c)])
      continue;
    if (std::exchange(child_[static_cast<size_t>(model_.kinds + c)], 1) != 0) return false;
  }
  if (!sequence_.touches.empty()) {
    for (const GroupTouch& touch : sequence_.touches[static_cast<size_t>(position)]) {
      if (!EnterGroup(touch, counts)) return false;
      if (touch.closes && !CloseGroup(touch)) return false;
    }
  }
  if (!sequence_.spread_touches.empty()) {
    for (const GroupTouch& touch : sequence_.spread_touches[static_cast<size_t>(position)]) {
      if (!SpreadHolds(touch, state)) return false;
    }
  }
  return bounds_.MayReach(position + 1, child_.data());
}

// Counts what the node got: the kinds that matter are critical, so nothing of a pattern is cut off.
// Beyond the fill the number makes no difference, and without a cap neither.
bool PackingStates::SpreadHolds(const GroupTouch& touch, const int* before) {
  const SpreadBound& bound = model_.spread[static_cast<size_t>(touch.level)];
  const size_t group = static_cast<size_t>(touch.group);
  int* slot = child_.data() + first_slot_ + touch.slot;
  for (int k = 0; k < model_.kinds; ++k) {
    const size_t i = static_cast<size_t>(k);
    const int added = child_[i] - before[i];
    if (bound.capped[i] && bound.most[group] != SpreadBound::kUncapped) slot[0] += added;
    if (bound.filling[i]) slot[1] = std::min(slot[1] + added, bound.least[group]);
  }
  if (slot[0] > bound.most[group]) return false;
  if (!touch.closes) return true;
  if (slot[1] < bound.least[group]) return false;
  std::fill(slot, slot + kSpreadSlotWidth, 0);
  return true;
}

// A pattern may offer more of a kind than is wanted; the surplus is not placed. Where that would
// change what is present of a kind that matters to a rule, another pattern says so.
bool PackingStates::PlaceCounts(const int* pattern) {
  for (int k = 0; k < model_.kinds; ++k) {
    const size_t i = static_cast<size_t>(k);
    const int missing = demand_[i] - child_[i];
    if (pattern[k] > missing) {
      if (model_.critical[i] || (model_.marked[i] && missing == 0)) return false;
      child_[i] = demand_[i];
    } else {
      child_[i] += pattern[k];
    }
  }
  return true;
}

bool PackingStates::EnterGroup(const GroupTouch& touch, const int* pattern) {
  const TrackedLevel& tracked = sequence_.tracked[static_cast<size_t>(touch.level)];
  const std::vector<uint8_t>& apart = model_.rules.levels[static_cast<size_t>(touch.level)].apart;
  int* slot = child_.data() + first_slot_ + touch.slot;
  for (size_t i = 0; i < tracked.kinds.size(); ++i) {
    const int kind = tracked.kinds[i];
    if (pattern[kind] == 0) continue;
    for (size_t j = 0; j < tracked.kinds.size(); ++j) {
      if (slot[j] == 1 && apart[model_.Cell(kind, tracked.kinds[j])]) return false;
    }
  }
  for (size_t i = 0; i < tracked.kinds.size(); ++i) {
    if (pattern[tracked.kinds[i]] > 0) slot[i] = 1;
  }
  int* clause_slot = slot + tracked.kinds.size();
  for (int c : tracked.clauses) {
    const PackingClause& clause = model_.rules.clauses[static_cast<size_t>(c)];
    int& seen = *clause_slot++;
    if (clause.satisfied[static_cast<size_t>(touch.group)] || AnyOf(clause.supporter, pattern)) {
      seen = kSupported;
    } else if (seen == kNobody && AnyOf(clause.owner, pattern)) {
      seen = kOwnerAlone;
    }
  }
  return true;
}

bool PackingStates::CloseGroup(const GroupTouch& touch) {
  const TrackedLevel& tracked = sequence_.tracked[static_cast<size_t>(touch.level)];
  int* slot = child_.data() + first_slot_ + touch.slot;
  const int* clause_slot = slot + tracked.kinds.size();
  for (int c : tracked.clauses) {
    if (*clause_slot++ != kOwnerAlone) continue;
    if (!model_.rules.clauses[static_cast<size_t>(c)].first_group) return false;
    if (std::exchange(child_[static_cast<size_t>(model_.kinds + c)], 1) != 0) return false;
  }
  std::fill(slot, slot + tracked.width(), 0);
  return true;
}

bool PackingStates::Exceeds(const int* larger, const int* smaller) const {
  for (int k : comparable_) {
    if (larger[k] < smaller[k]) return false;
  }
  return true;
}

// Sorted so that whatever exceeds a state comes before it. With two comparable kinds the last one
// kept decides alone; with more a state may stay although another exceeds it, which costs time and
// no more.
void PackingStates::DropExceeded(Layer* layer) const {
  if (layer->size < 2) return;
  std::vector<int> states(static_cast<size_t>(layer->size));
  std::iota(states.begin(), states.end(), 0);
  const auto compare_fixed = [this, layer](int a, int b) {
    const int* key_a = layer->Key(a);
    const int* key_b = layer->Key(b);
    for (int i : fixed_) {
      if (key_a[i] != key_b[i]) return key_a[i] - key_b[i];
    }
    return 0;
  };
  std::sort(states.begin(), states.end(), [&](int a, int b) {
    if (const int order = compare_fixed(a, b); order != 0) return order < 0;
    for (int k : comparable_) {
      if (layer->Key(a)[k] != layer->Key(b)[k]) return layer->Key(a)[k] > layer->Key(b)[k];
    }
    return a < b;
  });
  std::vector<int> kept;
  size_t run = 0;  // where the states that are comparable with the current one begin in `kept`
  for (int state : states) {
    if (run < kept.size() && compare_fixed(kept[run], state) != 0) run = kept.size();
    const size_t oldest = std::max(run, kept.size() - std::min(kept.size(), comparisons_max_));
    bool exceeded = false;
    for (size_t i = kept.size(); i > oldest && !exceeded; --i) {
      exceeded = Exceeds(layer->Key(kept[i - 1]), layer->Key(state));
    }
    if (!exceeded) kept.push_back(state);
  }
  std::sort(kept.begin(), kept.end());
  KeepOnly(kept, layer);
}

void PackingStates::KeepFullest(Layer* layer) const {
  if (layer->size <= kBeam) return;
  std::vector<std::pair<int, int>> states;  // members, negated, and the state
  for (int s = 0; s < layer->size; ++s) {
    states.emplace_back(-std::accumulate(layer->Key(s), layer->Key(s) + model_.kinds, 0), s);
  }
  std::sort(states.begin(), states.end());
  std::vector<int> kept;
  for (size_t i = 0; i < kBeam; ++i) kept.push_back(states[i].second);
  KeepOnly(kept, layer);
}

void PackingStates::KeepOnly(const std::vector<int>& states, Layer* layer) const {
  if (static_cast<int>(states.size()) == layer->size) return;
  Layer thinned;
  thinned.width = layer->width;
  for (int s : states) {
    thinned.key.insert(thinned.key.end(), layer->Key(s), layer->Key(s) + width_);
    thinned.parent.push_back(layer->parent[static_cast<size_t>(s)]);
    ++thinned.size;
  }
  *layer = std::move(thinned);
}

PackingPlacement PackingStates::Trace(int plan) const {
  PackingPlacement placement;
  placement.count.resize(PackingModel::Offset(model_.nodes, model_.kinds), 0);
  int state = plan;
  for (size_t position = layers_.size() - 1; position > 0; --position) {
    const int node = sequence_.nodes[position - 1];
    const int* after = layers_[position].Key(state);
    state = layers_[position].parent[static_cast<size_t>(state)];
    const int* before = layers_[position - 1].Key(state);
    for (int k = 0; k < model_.kinds; ++k) {
      placement.count[model_.Cell(node, k)] = after[k] - before[k];
      placement.total += after[k] - before[k];
    }
  }
  return placement;
}

}  // namespace gangpack
