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
// A SpreadBound that counts every member limits groups of nodes the same way (LimitGroups). Such
// limits are capacities along the way too, so all that is said here still holds: first with the
// fills as limits, whose best set is part of the best set of any size, then with the caps.
// Not here: clauses, pairs of levels above the node and other SpreadBounds. They are ignored; the
// caller checks them (SatisfiesRules).
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

// Cost: O(nodes x kinds x (resources + bounds)), plus O(nodes x kinds^2) where kinds stay apart.
NodeSlots CountSlots(const PackingModel& model);

// The model's only SpreadBound if it counts all kinds toward caps and fills; else null.
const SpreadBound* UniformBound(const PackingModel& model);

class SlotPlanner {
 public:
  // All nodes must be counting nodes. Both arguments must outlive the planner.
  SlotPlanner(const PackingModel& model, const std::vector<int>& slots);

  // From now on no group of `bound` takes more than `limits`, no less than it has. Nodes in no
  // group take members only if `others_open`. Cost: O(nodes + kinds).
  void LimitGroups(const SpreadBound& bound, const std::vector<int>& limits, bool others_open);

  // Places up to `members` more members of a kind (within its demand) and returns how many it
  // could. Cost: O(kinds x nodes) per member that others must make way for, else O(1) amortised.
  int Add(int kind, int members);

  const PackingPlacement& placement() const { return placement_; }

 private:
  struct Step {
    int kind = -1;  // who asked for a place
    int node = -1;  // the node it would take
    int from = -1;  // the node that is left for it: the same, or one of its group
  };

  int PlaceDirectly(int kind, int members);
  bool MakeWay(int kind);
  int SpareNode(int kind);
  int LeftInGroup(int node) const;
  void Reach(int kind, std::vector<int>* queue);
  void ReachInGroup(int kind, int node, std::vector<int>* queue);
  void Ask(int other, const Step& step, std::vector<int>* queue);
  void Move(int node, int kind, int members);
  void Shift(int last_kind, int first_kind);

  const PackingModel& model_;
  const std::vector<int>& slots_;
  PackingPlacement placement_;
  std::vector<int> load_;  // per node
  const SpreadBound* bound_ = nullptr;
  std::vector<int> limits_;      // per group of `bound_`
  std::vector<int> group_load_;  // per group
  bool others_open_ = true;
  std::vector<size_t> next_;      // per kind: position in the order; nothing is spare for it before
  std::vector<uint8_t> stuck_;    // per kind: can never be placed again
  std::vector<Step> reached_by_;  // per kind, of the current search; kind -1 if not reached
  std::vector<uint8_t> group_reached_;  // per group: whether all there were reached
};

}  // namespace gangpack

#endif  // GANGPACK_CORE_PACKING_SLOTS_H_
