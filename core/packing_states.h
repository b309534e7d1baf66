// The exact search: node after node, all partial plans that differ in what matters, each once.
//
// Terms. State: what the rest of the plan needs to know of the nodes decided so far: members placed
// per kind, which first-group exceptions are taken, and the slots of open groups
// (packing_sequence.h). Position: nodes decided. Method: the states at a position are extended by
// each pattern of the next node (packing_patterns.h). Of states equal but for the number of one
// kind that nobody depends on (not critical) the larger stays; of states that differ in several
// such kinds, those that no other exceeds, as far as a bounded comparison shows. States that cannot
// reach the target any more are dropped (packing_bounds.h). A group's clauses and its fill
// (packing_spread.h) are checked when its last node is decided. Determinism: states in the order
// found, the first of equals stays; patterns largest first. Limit: each (state, pattern) costs one
// unit of the budget. Beyond it only the kBeam fullest states go on, each with kBeamPatterns
// patterns, so that a plan may still be found, but nothing is proved. Cost: O(nodes x states x
// patterns x (kinds + rules)).
#ifndef GANGPACK_CORE_PACKING_STATES_H_
#define GANGPACK_CORE_PACKING_STATES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/packing_bounds.h"
#include "core/packing_model.h"
#include "core/packing_patterns.h"
#include "core/packing_sequence.h"

namespace gangpack {

class PackingStates {
 public:
  static constexpr int kBeam = 8;
  static constexpr int kBeamPatterns = 64;

  // `model` and `patterns` must outlive this. A state is compared with `comparisons_max` larger
  // ones before it stays.
  PackingStates(const PackingModel& model, const PatternTable& patterns, int comparisons_max);

  // Finds plans that place at least `target` members of `demand` (per kind, at most the model's).
  // Unless the budget is reached, every number of members per kind that can be placed is one found
  // here, less members of kinds that are not critical.
  void Search(const std::vector<int>& demand, int target, PackingBudget* budget);

  // The plans found by the last search: members per kind, and where they go.
  int found() const { return layers_.empty() ? 0 : layers_.back().size; }
  const int* FoundCounts(int plan) const { return layers_.back().Key(plan); }
  PackingPlacement Trace(int plan) const;

 private:
  // The states at one position. A key is: members per kind, clauses whose first group is taken,
  // slots.
  struct Layer {
    int width = 0;
    int size = 0;
    std::vector<int> key;     // states x width
    std::vector<int> parent;  // per state: index into the layer before
    const int* Key(int state) const { return key.data() + PackingModel::Offset(state, width); }
    int* Key(int state) { return key.data() + PackingModel::Offset(state, width); }
    void Add(const std::vector<int>& child, int from);
  };
  struct SameButFreeKind;

  void SortKeyParts();
  void Expand(int position, PackingBudget* budget, Layer* next);
  bool Extend(const int* state, const PatternClass& patterns, int pattern, int position);
  bool PlaceCounts(const int* pattern);
  bool EnterGroup(const GroupTouch& touch, const int* pattern);
  bool CloseGroup(const GroupTouch& touch);
  bool SpreadHolds(const GroupTouch& touch, const int* before);
  bool Exceeds(const int* larger, const int* smaller) const;
  void DropExceeded(Layer* layer) const;
  void KeepFullest(Layer* layer) const;
  void KeepOnly(const std::vector<int>& states, Layer* layer) const;

  const PackingModel& model_;
  const PatternTable& patterns_;
  const size_t comparisons_max_;
  const PackingSequence sequence_;
  PackingBounds bounds_;
  const int first_slot_;  // where the slots begin in a key
  const int width_;       // of a key
  int free_kind_ = -1;    // the not critical kind with the largest demand; -1 if there is none
  std::vector<int> comparable_;  // kinds that are not critical
  std::vector<int> fixed_;       // parts of a key in which states must be equal to be compared
  std::vector<int> demand_;
  std::vector<int> child_;     // the key under construction
  std::vector<Layer> layers_;  // per position
};

}  // namespace gangpack

#endif  // GANGPACK_CORE_PACKING_STATES_H_
