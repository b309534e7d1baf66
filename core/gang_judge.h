// Re-judges gangs whose facts changed, and plans those that want a domain, in the order between
// gangs.
//
// A gang is judged once per change, not once per call. Complete gangs without a plan are tried in
// GangOrder whenever anything improved since they were last refused; one that does not fit never
// keeps back one that does. Cost: JudgeGang O(members log members) and, with a plan, one check of
// its nodes; a try as in gang_plan.h. Not here: what counts as complete or broken (gang.h), the
// steps themselves (gang_life.h).
#ifndef GANGPACK_CORE_GANG_JUDGE_H_
#define GANGPACK_CORE_GANG_JUDGE_H_

#include "absl/time/time.h"
#include "core/engine_state.h"

namespace gangpack {

// Judges marked gangs and tries wanting ones, at most Policy::judged_gangs_per_slice in all; true
// if more are left.
bool JudgeSlice(EngineState* state, absl::Time now);

// Summarises one gang afresh and draws what follows. It may end up in `wanting`, not yet planned.
void JudgeGang(EngineState* state, Gang* gang, absl::Time now);

// Judges the gang at once if it is marked, whatever the slice. Until then its summary may point to
// pods that are gone: nothing but numbers may be read from it.
void JudgeIfMarked(EngineState* state, Gang* gang, absl::Time now);

// Tries to plan a wanting gang, unless nothing improved since it was last refused.
void TryToPlan(EngineState* state, Gang* gang, absl::Time now);

// A gang is tried again only when something improved, but what it lacks may meanwhile have become
// more. True if the numbers in the reason may be out of date: what they depend on has changed
// since. A marked gang is about to be judged, so it is left alone.
bool ReasonIsOld(const EngineState& state, const Gang& gang);

// Works out afresh why the gang, whose reason must be old, is not planned. For views. Cost: one
// try.
void RefreshReason(EngineState* state, Gang* gang);

}  // namespace gangpack

#endif  // GANGPACK_CORE_GANG_JUDGE_H_
