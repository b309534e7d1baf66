// Pods that are placed one by one: standalone pods, and surplus members of complete gangs.
//
// A standalone pod may use every offered node that no forming gang holds and that the rules between
// pods allow; kube-scheduler's own filters have judged the rest. A surplus member may use such
// nodes of its gang's domain only. A pod that such a rule concerns gets one node as the answer, and
// is checked again at its bind. Both bind at once. A hold that was taken between the filter answer
// and the bind is respected: the bind is accepted if the holder's plan still fits without that
// room. Cost: Filter O(offered names x rules of the pod). Not here: scores (standalone_scores.h),
// members that a gang still needs (member_calls.h).
#ifndef GANGPACK_CORE_SINGLE_PODS_H_
#define GANGPACK_CORE_SINGLE_PODS_H_

#include <vector>

#include "absl/time/time.h"
#include "core/calls.h"
#include "core/engine_state.h"

namespace gangpack {

FilterDecision FilterStandalone(EngineState* state, PodRecord* pod, const FilterRequest& request,
                                absl::Time now);
// It waits for an unplaced sibling that its affinity needs (awaited_siblings.h).
FilterDecision FilterSurplus(EngineState* state, Gang* gang, PodRecord* pod,
                             const FilterRequest& request, absl::Time now);

// What FilterSurplus refused a surplus member for may be that its domain has no room for it. The
// numbers of that matter to nobody but who reads them, so they are worked out when they are shown.
// True if there may be such numbers for `refused`, the member's last refusal.
bool MayLackRoom(const Gang& gang, const Reason& refused);
// `refused` with them, if it is the room that lacks. MayLackRoom must be true. Cost: one packing of
// one member.
Reason WithRoom(const EngineState& state, const Gang& gang, PodRecord* pod, const Reason& refused);

void BindStandalone(EngineState* state, PodRecord* pod, NodeIndex node, CallId call,
                    absl::Time now);
void BindSurplus(EngineState* state, const Gang& gang, PodRecord* pod, NodeIndex node, CallId call,
                 absl::Time now);

}  // namespace gangpack

#endif  // GANGPACK_CORE_SINGLE_PODS_H_
