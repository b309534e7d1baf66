// Members that cannot be planned yet because of a sibling that cannot: the only siblings that their
// required affinity selects have scheduling gates or name another scheduler.
//
// A member that its own terms select needs nobody: it may be the first of its kind. A sibling
// counts only if every required affinity term selects it, as in kube-scheduler. Determinism: a
// member awaits the first such sibling in the order given. Cost: O(1) if no sibling is pending,
// else O(members x siblings) selector matches at most. Not here: the order among members that are
// planned (sibling_order.h).
#ifndef GANGPACK_CORE_AWAITED_SIBLINGS_H_
#define GANGPACK_CORE_AWAITED_SIBLINGS_H_

#include <vector>

#include "core/cluster_state.h"

namespace gangpack {

struct AwaitedSibling {
  const PodRecord* member = nullptr;
  const PodRecord* sibling = nullptr;
};

// The first of `unplaced` that the pod must wait for; nullptr if it needs none, or one of `others`
// is selected. Neither list needs to be free of the pod itself.
const PodRecord* SiblingNeeded(const PodRecord& pod, const std::vector<const PodRecord*>& others,
                               const std::vector<const PodRecord*>& unplaced,
                               const ClusterState& cluster);

// Takes such members out of `eligible`, and with them those that need them. `placed` have a node,
// `pending` cannot be planned.
std::vector<AwaitedSibling> TakeOutAwaiting(const std::vector<const PodRecord*>& placed,
                                            std::vector<const PodRecord*> pending,
                                            const ClusterState& cluster,
                                            std::vector<PodRecord*>* eligible);

}  // namespace gangpack

#endif  // GANGPACK_CORE_AWAITED_SIBLINGS_H_
