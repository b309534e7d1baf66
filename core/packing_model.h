// A packing problem in the form the planners work on: dense arrays, only the kinds that still have
// members to place.
//
// Terms. Kind, level, group: those of packing.h; here a kind's index counts only kinds with demand
// > 0 ("wanted"). Cap: how many members of one kind fit on one node when nothing else of the gang
// goes there. Placement: members per node and kind. Clause: what an affinity rule still asks for
// (packing_rules.h). Frame: packing_spread.h. Units: those of resources.h; counts are members. Not
// here: the search itself (packing.h says which files), room (room.h).
#ifndef GANGPACK_CORE_PACKING_MODEL_H_
#define GANGPACK_CORE_PACKING_MODEL_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/packing_problem.h"
#include "core/packing_rules.h"
#include "core/packing_spread.h"

namespace gangpack {

struct PackingModel {
  int kinds = 0;
  int nodes = 0;
  int resources = 0;  // those that some wanted kind requests, then those of spread

  std::vector<int> problem_kind;  // per kind: index into PackingProblem::kinds
  std::vector<int> demand;        // per kind, > 0
  std::vector<int64_t> request;   // kinds x resources
  std::vector<int64_t> free;      // nodes x resources, never negative
  std::vector<int> cap;           // nodes x kinds, at most the demand
  std::vector<int64_t> room;      // per node: NodeRoom
  std::vector<int>
      order;  // nodes, least room first, ties as given: the order in which plans fill them

  PackingRules rules;
  std::vector<SpreadBound> spread;  // of the frame
  std::vector<uint8_t>
      critical;  // per kind: another kind or a fill may need it, so a plan cannot just drop one
  std::vector<uint8_t> marked;  // per kind: its presence on a node costs something beyond resources

  int Cap(int node, int kind) const { return cap[Cell(node, kind)]; }
  const int64_t* Request(int kind) const { return request.data() + Offset(kind, resources); }
  const int64_t* Free(int node) const { return free.data() + Offset(node, resources); }
  size_t Cell(int node, int kind) const { return Offset(node, kinds) + static_cast<size_t>(kind); }
  int TotalDemand() const;

  static size_t Offset(int row, int columns) {
    return static_cast<size_t>(row) * static_cast<size_t>(columns);
  }
};

// Cost: O(nodes x kinds x (resources + levels)), plus O(nodes x kinds^2) where siblings are already
// placed.
PackingModel BuildPackingModel(const PackingProblem& problem, const SpreadFrame& frame = {});

struct PackingPlacement {
  std::vector<int> count;  // nodes x kinds
  int total = 0;
};

// What is left of PackingLimits::states_max.
struct PackingBudget {
  int64_t left = 0;
  bool reached = false;

  // False, and `reached` from then on, once nothing is left.
  bool Spend() {
    if (left <= 0) {
      reached = true;
      return false;
    }
    --left;
    return true;
  }
};

// True if the placement satisfies every rule between siblings and every SpreadBound; resources are
// not looked at. Cost: O(levels x nodes x kinds + groups x kinds^2).
bool SatisfiesRules(const PackingModel& model, const PackingPlacement& placement);

// Only the SpreadBounds. Cost: O(bounds x nodes x kinds).
bool KeepsSpread(const PackingModel& model, const PackingPlacement& placement);

}  // namespace gangpack

#endif  // GANGPACK_CORE_PACKING_MODEL_H_
