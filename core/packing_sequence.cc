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

// Per node: rank of its group, least room first, ties by the group's first node; nodes without the
// label last.
std::vector<int> RankByGroup(const PackingModel& model, const PackingLevel& level) {
  const size_t group_count = static_cast<size_t>(level.groups);
  std::vector<int64_t> room(group_count, 0);
  std::vector<int> groups;
  std::vector<uint8_t> seen(group_count, 0);
  for (int node : model.order) {
    const int group = level.group[static_cast<size_t>(node)];
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
  for (int group : level.group) {
    rank_of_node.push_back(group < 0 ? level.groups : rank[static_cast<size_t>(group)]);
  }
  return rank_of_node;
}

void OrderNodes(const PackingModel& model, PackingSequence* sequence) {
  sequence->nodes = model.order;
  std::vector<int> levels;
  for (size_t level = 1; level < sequence->tracked.size(); ++level) {
    if (sequence->tracked[level].width() > 0) levels.push_back(static_cast<int>(level));
  }
  std::stable_sort(levels.begin(), levels.end(), [&model](int a, int b) {
    return model.rules.levels[static_cast<size_t>(a)].groups <
           model.rules.levels[static_cast<size_t>(b)].groups;
  });
  // A stable sort by the innermost level first leaves the outermost one deciding.
  for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
    const std::vector<int> rank =
        RankByGroup(model, model.rules.levels[static_cast<size_t>(*level)]);
    std::stable_sort(sequence->nodes.begin(), sequence->nodes.end(), [&rank](int a, int b) {
      return rank[static_cast<size_t>(a)] < rank[static_cast<size_t>(b)];
    });
  }
}

// Slots of one level all have the same width, so a closed group's slot serves the next group of its
// level.
void AssignSlots(const PackingModel& model, size_t level, PackingSequence* sequence) {
  const std::vector<int>& group_of = model.rules.levels[level].group;
  const size_t groups = static_cast<size_t>(model.rules.levels[level].groups);
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
      sequence->slots_width += sequence->tracked[level].width();
    }
    const bool closes = last[static_cast<size_t>(group)] == i;
    sequence->touches[i].push_back({static_cast<int>(level), group, own, opens, closes});
    if (closes) unused.push_back(own);
  }
}

}  // namespace

PackingSequence SequenceNodes(const PackingModel& model) {
  PackingSequence sequence;
  sequence.tracked = TrackLevels(model);
  OrderNodes(model, &sequence);
  for (size_t level = 1; level < sequence.tracked.size(); ++level) {
    if (sequence.tracked[level].width() == 0) continue;
    sequence.touches.resize(sequence.nodes.size());
    AssignSlots(model, level, &sequence);
  }
  return sequence;
}

}  // namespace gangpack
