// The rules between a surplus member and its siblings, which nobody checks for kube-scheduler: what
// runs already decides where it may go.
//
// Not here: rules among members that are planned together (packing.h).
#ifndef GANGPACK_CORE_SURPLUS_RULES_H_
#define GANGPACK_CORE_SURPLUS_RULES_H_

#include <vector>

#include "core/engine_state.h"
#include "core/gang_shape.h"

namespace gangpack {

// The placed siblings as a packing problem of `shape` wants them; `shape` was made with them.
std::vector<FixedSibling> PlacedSiblings(const Gang& gang, const GangShape& shape);

// A sibling without a node that the member's required affinity waits for; nullptr if none.
const PodRecord* SurplusSibling(const EngineState& state, const Gang& gang, const PodRecord& pod);

// Those of `nodes` where required affinity and anti-affinity, its own and that of placed siblings,
// keep the member out; sorted. Cost: O(1) if nobody has such terms, else that of one packing
// problem over the gang's domain.
std::vector<NodeIndex> NodesAgainstSiblings(const EngineState& state, const Gang& gang,
                                            PodRecord* pod, const std::vector<NodeIndex>& nodes);

}  // namespace gangpack

#endif  // GANGPACK_CORE_SURPLUS_RULES_H_
