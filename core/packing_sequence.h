// The order in which the exact search decides nodes, and which groups are half decided on the way.
//
// Terms. Tracked: a level above the node that has clauses or kinds that stay apart, and each
// SpreadBound. Slot: where a
// search state keeps what it knows of one group while some of the group's nodes are decided and
// others are not; reused once the group closes. Order: groups with the least room first, level by
// level, the level with the fewest groups outermost; within them PackingModel::order; nodes without
// a label after those that have it. Nested groups are thus each in one piece; groups that cross
// others only stay open longer. Not here: the search (packing_states.h).
#ifndef GANGPACK_CORE_PACKING_SEQUENCE_H_
#define GANGPACK_CORE_PACKING_SEQUENCE_H_

#include <cstddef>
#include <vector>

#include "core/packing_model.h"

namespace gangpack {

// What is tracked of each open group of a level; a slot holds one number for each, in this order.
struct TrackedLevel {
  std::vector<int> kinds;    // that stay apart from some kind: 1 if one is in the group
  std::vector<int> clauses;  // indices into PackingRules::clauses
  int width() const { return static_cast<int>(kinds.size() + clauses.size()); }
};

// Of a SpreadBound, members that count toward the cap and toward the fill of the open group.
constexpr int kSpreadSlotWidth = 2;

// A group as seen from one of its nodes.
struct GroupTouch {
  int level = 0;  // or the index of a SpreadBound
  int group = 0;
  int slot = 0;         // begin of its slot among all slots
  bool opens = false;   // this node is the first of its group
  bool closes = false;  // this node is the last of its group
};

struct PackingSequence {
  std::vector<int> nodes;
  std::vector<std::vector<GroupTouch>>
      touches;  // per position in `nodes`; empty if no level is tracked
  std::vector<std::vector<GroupTouch>> spread_touches;  // the same, of SpreadBounds
  std::vector<TrackedLevel> tracked;                    // per level; [0] is empty
  int slots_width = 0;
};

// Cost: O(levels x (nodes log nodes + kinds^2)).
PackingSequence SequenceNodes(const PackingModel& model);

}  // namespace gangpack

#endif  // GANGPACK_CORE_PACKING_SEQUENCE_H_
