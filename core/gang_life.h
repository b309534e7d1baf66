// What happens in a gang's life, one function per step: hold, permit, completion, failure, wakes.
//
// Rules (semantics section 2): the hold ends the moment the last needed member has a node; a
// failure after a member had its node releases the hold, refuses all waiting members and lets
// everything unbound be retried; a caller that hangs up un-places that member only. After a failure
// the gang is dormant until one of its members asks again, so that others that wait for its domain
// go first. A refused pod is woken when what it was refused for has changed, once. Not here: when
// each step is due (gang_judge.h, member_calls.h, facts_intake.h).
#ifndef GANGPACK_CORE_GANG_LIFE_H_
#define GANGPACK_CORE_GANG_LIFE_H_

#include <string>

#include "absl/time/time.h"
#include "core/engine_state.h"

namespace gangpack {

// The gang has no plan and takes this one: the domain is held from now on, and refused members that
// may go are woken.
void TakeHold(EngineState* state, Gang* gang, Plan plan, GangTransitionKind kind, absl::Time now);

// The plan was remade in the held domain; who waits keeps waiting.
void KeepHold(EngineState* state, Gang* gang, Plan plan);

// Why the gang's plan, which must be there, is being remade; to be asked before it is.
ReplanCause WhyReplanned(const EngineState& state, const Gang& gang);

// Ends the hold and drops the plan; waiting members must have left. What it kept out is looked at
// again.
void EndHold(EngineState* state, Gang* gang);

// The member has a node and its bind call is held. The pod must be planned on `node` and not wait
// already.
void ArriveAtPermit(EngineState* state, Gang* gang, PodRecord* pod, Waiter waiter, absl::Time now);

// Takes a waiting member out without touching the hold; its call is answered with `error` unless
// that is empty.
void LeavePermit(EngineState* state, Gang* gang, const PodUid& pod, const std::string& error,
                 absl::Time now);

// Enough members have a node: binds all that wait and ends the hold.
void CompleteGang(EngineState* state, Gang* gang, absl::Time now);

// Counts the pod on the node and emits its binding; `call` is answered when it ends.
void StartBinding(EngineState* state, PodRecord* pod, NodeIndex node, CallId call);

// The plan cannot be kept: refuses all waiting members with Text(why), which makes them come again,
// and ends the hold. The gang counts as complete from now on. Nobody is woken: what comes next
// does.
void ReleaseHold(EngineState* state, Gang* gang, const Reason& why, absl::Time now);

// A member failed after it had a node, or the hold is due: as ReleaseHold if the gang has a plan;
// wakes everything that is refused, and the gang is dormant.
void UnwindGang(EngineState* state, Gang* gang, const Reason& why, absl::Time now);

// Sets state and reason; tells, by the name of the state, when that or the reason's text changed.
void SetGangState(EngineState* state, Gang* gang, GangState gang_state, Reason reason);

// Members that were refused as surplus ones are remembered like the others from now on.
void TakeBackSingles(EngineState* state, Gang* gang);

// Wakes refused members: all of them, or those that are planned and whose siblings are placed.
void WakeRefused(EngineState* state, Gang* gang);
void WakeReady(EngineState* state, Gang* gang);

// Wakes refused pods that are placed one by one and may use a node that a hold kept from them.
void WakeSingles(EngineState* state);
// Wakes one of them.
void WakeSingle(EngineState* state, PodRecord* pod);
// The pod is placed one by one and, but for holds and the rules between pods, may use the node.
bool SingleMayUse(const EngineState& state, const PodRecord& pod, NodeIndex node);

// When the gang's hold ends by itself: the earliest waiting member's timeout, or, if none waits,
// the timeout after the last call. The gang must have a plan.
absl::Time HoldEnds(const EngineState& state, const Gang& gang);

// Keeps EngineState::deadlines in step; call before and after anything that HoldEnds looks at.
void DropDeadline(EngineState* state, const Gang& gang);
void SetDeadline(EngineState* state, Gang* gang);

}  // namespace gangpack

#endif  // GANGPACK_CORE_GANG_LIFE_H_
