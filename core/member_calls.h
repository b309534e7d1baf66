// Answers kube-scheduler's calls for gang members: which node, and the permit wait.
//
// A member of a placing gang gets exactly the node that its gang's plan gives it. If that node is
// not offered, the gang is replanned in its domain with what is offered. Members beyond minMember
// are in single_pods.h. Not here: pods without a gang (single_pods.h), planning (gang_plan.h).
#ifndef GANGPACK_CORE_MEMBER_CALLS_H_
#define GANGPACK_CORE_MEMBER_CALLS_H_

#include "absl/time/time.h"
#include "core/calls.h"
#include "core/engine_state.h"

namespace gangpack {

// `pod` is unplaced and carries `gang`'s label.
FilterDecision FilterMember(EngineState* state, Gang* gang, PodRecord* pod,
                            const FilterRequest& request, absl::Time now);

// As above; `node` exists. The answer is an AnswerCall effect, at once or when the gang completes
// or fails.
void BindMember(EngineState* state, Gang* gang, PodRecord* pod, NodeIndex node, CallId call,
                absl::Time now);

}  // namespace gangpack

#endif  // GANGPACK_CORE_MEMBER_CALLS_H_
