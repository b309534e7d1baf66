// Hard topology spread in a packing: what a plan must keep once the least count is settled.
//
// Terms. Bound, counted, base, least: PackingSpread. Frame: per constraint a number m that no group
// with an eligible node falls short of after the plan. Cap: how many members that are bound and
// counted a group may get: m + max_skew - base. Fill: how many counted members an eligible group
// must get: m - base where that is positive.
//
// Why this is exact for one constraint. Members are placed lowest group first until nobody can
// raise the lowest one any more; each such step is allowed, since max_skew is at least 1, and the
// least then is what it is after the plan. The bound and counted ones that are left exceed it by no
// more than max_skew if and only if the cap holds; bound ones that are not counted are allowed
// before these come if and only if the base exceeds m by no more than max_skew; counted ones that
// are not bound come last. No order does better, as counts and the least only grow. So a plan has
// an order if and only if it keeps caps and fills for some m, and every m is one packing without
// order. For several constraints this is only necessary: their orders may contradict each other
// (packing_spread_order.h).
//
// Reduction. A cap that no plan can reach is dropped; of 0 it blocks cells; in a group with one
// node that can be used it is a resource, of which each bound and counted member takes one unit;
// what is left, and fills, are SpreadBounds. Kinds here are wanted kinds (packing_model.h).
// Not here: the packing of a frame (packing_planner.h), which frames are tried (packing.h).
#ifndef GANGPACK_CORE_PACKING_SPREAD_H_
#define GANGPACK_CORE_PACKING_SPREAD_H_

#include <cstdint>
#include <limits>
#include <vector>

#include "core/packing_problem.h"

namespace gangpack {

// Per constraint of the problem: m. Empty: spread is left out.
using SpreadFrame = std::vector<int>;

// The caps and fills of one constraint that are left after reduction.
struct SpreadBound {
  static constexpr int kUncapped = std::numeric_limits<int>::max();

  std::vector<int> group;  // per node: dense from 0, -1 where nothing is counted
  int groups = 0;
  std::vector<uint8_t> capped;   // per kind: counts toward `most`
  std::vector<uint8_t> filling;  // per kind: counts toward `least`
  std::vector<int> most;         // per group
  std::vector<int> least;        // per group
};

// One unit per member of the kinds that take it.
struct SpreadResource {
  std::vector<uint8_t> taken_by;  // per kind
  std::vector<int> free;          // per node
};

struct SpreadReduction {
  std::vector<uint8_t> blocked;  // nodes x kinds; empty if none
  std::vector<SpreadResource> resources;
  std::vector<SpreadBound> bounds;
};

// The constraints that bind a kind with demand, as indexes into problem.spread.
std::vector<int> BindingSpread(const PackingProblem& problem);

struct SpreadFrames {
  std::vector<SpreadFrame> frames;  // first those that have caps for all, the lowest first
  std::vector<int> most;            // per frame: no more members than this can be placed in it
  bool complete = true;             // false: there are more than `frames_max`
};

// The frames in which members can be placed, as far as caps, fills and resources group by group
// show. Cost: O(constraints x (nodes x kinds x resources + numbers m x groups) + frames).
SpreadFrames ListSpreadFrames(const PackingProblem& problem, int frames_max);

// `wanted` lists the kinds with demand > 0. Cost: O(constraints x nodes x kinds).
SpreadReduction ReduceSpread(const PackingProblem& problem, const std::vector<int>& wanted,
                             const SpreadFrame& frame);

}  // namespace gangpack

#endif  // GANGPACK_CORE_PACKING_SPREAD_H_
