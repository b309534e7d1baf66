// Which planned members wait for which siblings: a required affinity term that only an unplaced
// sibling can satisfy makes the member wait for that sibling. A member that may go anywhere because
// it is the first of its kind (PackingRule) goes before the siblings that it selects and that are
// planned elsewhere. Members that need each other do not wait, so there never is a dead-lock.
//
// Cost: per affinity rule O(kinds^2 + nodes x kinds + members x log groups).
// Not here: whether the rules can be satisfied at all (packing.h).
#ifndef GANGPACK_CORE_SIBLING_ORDER_H_
#define GANGPACK_CORE_SIBLING_ORDER_H_

#include <vector>

#include "absl/container/btree_map.h"
#include "core/gang_shape.h"

namespace gangpack {

// Per member that must wait: per affinity rule the sibling that satisfies it, or that must be
// first; of several the first by preference. `members` are aligned with shape.kind_of_member,
// node_of_member with `members` (index into problem.nodes, -1: not planned).
absl::btree_map<PodUid, std::vector<PodUid>> SiblingOrder(const GangShape& shape,
                                                          const PackingProblem& problem,
                                                          const std::vector<PodRecord*>& members,
                                                          const std::vector<int>& node_of_member);

}  // namespace gangpack

#endif  // GANGPACK_CORE_SIBLING_ORDER_H_
