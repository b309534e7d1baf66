// Room: how many of a gang's members a domain's free resources count for. Used to rank domains and
// shown to users.
//
// Each node counts for as many members as its free resources fit, sized per resource by the largest
// request among those kinds that would individually fit this node now (feasible there, request at
// most free). A kind that fits nowhere on the node does not size it; a node that no kind fits
// counts for 0. There is no cap at the demand. Every node counts for 1 (or 0) when some member has
// a required anti-affinity term, of whatever level, that selects another member. Units: members.
// Determinism: a pure function of its arguments. Not here: whether the gang really fits
// (packing.h); room never decides that.
#ifndef GANGPACK_CORE_ROOM_H_
#define GANGPACK_CORE_ROOM_H_

#include <cstdint>
#include <vector>

#include "core/packing_problem.h"

namespace gangpack {

// Room of one node. Kinds with demand 0 do not count. Cost: O(kinds x resources + anti-affinity
// rules x kinds); once O(nodes) more if a lone member's term selects itself, to see whether a
// placed sibling is alike.
int64_t NodeRoom(const PackingProblem& problem, const PackingNode& node);

// NodeRoom of every node, in the order given. Cost: O(nodes x kinds x resources).
std::vector<int64_t> NodeRooms(const PackingProblem& problem);

// Sum of NodeRoom over the nodes, saturated. Cost: O(nodes x kinds x resources).
int64_t DomainRoom(const PackingProblem& problem);

}  // namespace gangpack

#endif  // GANGPACK_CORE_ROOM_H_
