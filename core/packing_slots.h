// Planning where only the number of members matters: nodes that take any mix of kinds up to a
// count.
//
// Terms. Counting node: every mix within the caps of its kinds and within a total, its slots, fits;
// so which kinds they are does not matter. Nodes of alike members, of whole-node members, and of
// kinds that differ only in labels are such nodes. Method: members are sent to slots one by one
// along augmenting paths (the placed may move to make way). The sets of members that can be placed
// at once form a matroid, so taking each member that still can be placed, in any order of
// preference, is exact both for the number and for the first set in that order.
// Determinism: nodes are tried in the order of PackingModel::order, kinds in their order.
// Not here: clauses and pairs of levels above the node. They are ignored; the caller checks them
// (SatisfiesRules).
#ifndef GANGPACK_CORE_PACKING_SLOTS_H_
#define GANGPACK_CORE_PACKING_SLOTS_H_

#include <cstdint>
#include <vector>

#include "core/packing_model.h"

namespace gangpack {

struct NodeSlots {
  std::vector<int>
      most;  // per node: no more members than this fit at once; its slots if it is a counting node
  bool all_counting = false;
  int most_in_total =
      0;  // an upper bound on the members that fit at once on all nodes, whatever the rules
};

// Cost: O(nodes x kinds x resources), plus O(nodes x kinds^2) where kinds stay apart.
NodeSlots CountSlots(const PackingModel& model);

class SlotPlanner {
 public:
  // All nodes must be counting nodes. Both arguments must outlive the planner.
  SlotPlanner(const PackingModel& model, const std::vector<int>& slots);

  // Places up to `members` more members of a kind (within its demand) and returns how many it
  // could. Cost: O(kinds x nodes) per member that others must make way for, else O(1) amortised.
  int Add(int kind, int members);

  const PackingPlacement& placement() const { return placement_; }

 private:
  struct Step {
    int kind = -1;  // who asked for a place
    int node = -1;  // the node it would take
  };

  int PlaceDirectly(int kind, int members);
  bool MakeWay(int kind);
  int SpareNode(int kind);
  void Reach(int kind, std::vector<int>* queue);
  void Shift(int last_kind, int first_kind);

  const PackingModel& model_;
  const std::vector<int>& slots_;
  PackingPlacement placement_;
  std::vector<int> load_;         // per node
  std::vector<size_t> next_;      // per kind: position in the order; nothing is spare for it before
  std::vector<uint8_t> stuck_;    // per kind: can never be placed again
  std::vector<Step> reached_by_;  // per kind, of the current search; kind -1 if not reached
};

}  // namespace gangpack

#endif  // GANGPACK_CORE_PACKING_SLOTS_H_
