#include "core/packing_sequence.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>

#include "core/resources.h"

namespace gangpack {
namespace {

std::vector<TrackedLevel> TrackLevels(const PackingModel& model) {
  std::vector<TrackedLevel> tracked(model.rules.levels.size());
  for (size_t level = 1; level < tracked.size(); ++level) {
    const std::vector<uint8_t>& apart = model.rules.levels[level].apart;
    for (int k = 0; k < model.kinds && !apart.empty(); ++k) {
      const uint8_t* row = apart.data() + model.Cell(k, 0);
      if (std::any_of(row, row + model.kinds, [](uint8_t bit) { return bit != 0; })) {
        tracked[level].kinds.push_back(k);
      }
    }
  }
  for (size_t c = 0; c < model.rules.clauses.size(); ++c) {
    const int level = model.rules.clauses[c].level;
    if (level > 0) tracked[static_cast<size_t>(level)].clauses.push_back(static_cast<int>(c));
  }
  return tracked;
}

// Nodes in groups, of a level or of a SpreadBound.
struct Grouping {
  const std::vector<int>* group;  // per node
  int groups;
};

// Per node: rank of its group, least room first, ties by the group's first node; nodes without the
// label last.
std::vector<int> RankByGroup(const PackingModel& model, const Grouping& grouping) {
  const size_t group_count = static_cast<size_t>(grouping.groups);
  std::vector<int64_t> room(group_count, 0);
  std::vector<int> groups;
  std::vector<uint8_t> seen(group_count, 0);
  for (int node : model.order) {
    const int group = (*grouping.group)[static_cast<size_t>(node)];
    if (group < 0) continue;
    int64_t& sum = room[static_cast<size_t>(group)];
    sum = SaturatingAdd(sum, model.room[static_cast<size_t>(node)]);
    if (!std::exchange(seen[static_cast<size_t>(group)], 1)) groups.push_back(group);
  }
  std::stable_sort(groups.begin(), groups.end(), [&room](int a, int b) {
    return room[static_cast<size_t>(a)] < room[static_cast<size_t>(b)];
  });
  std::vector<int> rank(group_count, 0);
  for (size_t i = 0; i < groups.size(); ++i)
    rank[static_cast<size_t>(groups[i])] = static_cast<int>(i);
  std::vector<int> rank_of_node;
  for (int group : *grouping.group) {
    rank_of_node.push_back(group < 0 ? grouping.groups : rank[static_cast<size_t>(group)]);
  }
  return rank_of_node;
}

void OrderNodes(const PackingModel& model, PackingSequence* sequence) {
  sequence->nodes = model.order;
  std::vector<Grouping> groupings;
  for (size_t level = 1; level < sequence->tracked.size(); ++level) {
    const PackingLevel& rules = model.rules.levels[level];
    if (sequence->tracked[level].width() > 0) groupings.push_back({&rules.group, rules.groups});
  }
  for (const SpreadBound& bound : model.spread) groupings.push_back({&bound.group, bound.groups});
  std::stable_sort(groupings.begin(), groupings.end(),
                   [](const Grouping& a, const Grouping& b) { return a.groups < b.groups; });
  // A stable sort by the innermost level first leaves the outermost one deciding.
  for (auto grouping = groupings.rbegin(); grouping != groupings.rend(); ++grouping) {
    const std::vector<int> rank = RankByGroup(model, *grouping);
    std::stable_sort(sequence->nodes.begin(), sequence->nodes.end(), [&rank](int a, int b) {
      return rank[static_cast<size_t>(a)] < rank[static_cast<size_t>(b)];
    });
  }
}

// Slots of one level all have the same width, so a closed group's slot serves the next group of its
// level. `index` is that of the level or SpreadBound.
void AssignSlots(const Grouping& grouping, int index, int width, PackingSequence* sequence,
                 std::vector<std::vector<GroupTouch>>* touches) {
  const std::vector<int>& group_of = *grouping.group;
  const size_t groups = static_cast<size_t>(grouping.groups);
  touches->resize(sequence->nodes.size());
  std::vector<size_t> last(groups, 0);
  for (size_t i = 0; i < sequence->nodes.size(); ++i) {
    const int group = group_of[static_cast<size_t>(sequence->nodes[i])];
    if (group >= 0) last[static_cast<size_t>(group)] = i;
  }
  std::vector<int> slot(groups, -1);
  std::vector<int> unused;
  for (size_t i = 0; i < sequence->nodes.size(); ++i) {
    const int group = group_of[static_cast<size_t>(sequence->nodes[i])];
    if (group < 0) continue;
    int& own = slot[static_cast<size_t>(group)];
    const bool opens = own < 0;
    if (opens && !unused.empty()) {
      own = unused.back();
      unused.pop_back();
    } else if (opens) {
      own = sequence->slots_width;
      sequence->slots_width += width;
    }
    const bool closes = last[static_cast<size_t>(group)] == i;
    (*touches)[i].push_back({index, group, own, opens, closes});
    if (closes) unused.push_back(own);
  }
}

}  // namespace

PackingSequence SequenceNodes(const PackingModel& model) {
  PackingSequence sequence;
  sequence.tracked = TrackLevels(model);
  OrderNodes(model, &sequence);
  for (size_t level = 1; level < sequence.tracked.size(); ++level) {
    const PackingLevel& rules = model.rules.levels[level];
    const int width = sequence.tracked[level].width();
    if (width == 0) continue;
    AssignSlots({&rules.group, rules.groups}, static_cast<int>(level), width, &sequence,
                &sequence.touches);
  }
  for (size_t b = 0; b < model.spread.size(); ++b) {
    const SpreadBound& bound = model.spread[b];
    AssignSlots({&bound.group, bound.groups}, static_cast<int>(b), kSpreadSlotWidth, &sequence,
                &sequence.spread_touches);
  }
  return sequence;
}

}  // namespace gangpack
