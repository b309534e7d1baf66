// Who has to be looked at again when what the rules between pods count has changed: refused pods
// that are placed one by one, and plans.
//
// kube-scheduler wakes what it knows to have been refused when pods are bound or deleted; it knows
// nothing of answers, plans and waits, and before 1.32 nothing of bindings. A refused pod is woken
// once a node that changed in its eyes takes it. Cost: WakeByRules looks at no more than
// Policy::views_per_slice refused pods; each costs the changes since it was looked at last and the
// nodes that these name. Not here: wakes when a hold ends (gang_life.h).
#ifndef GANGPACK_CORE_RULE_WAKES_H_
#define GANGPACK_CORE_RULE_WAKES_H_

#include "core/engine_state.h"

namespace gangpack {

// The pod was refused nodes for a rule between pods.
void WatchRules(EngineState* state, const PodUid& pod);

// Wakes refused pods; true if there are more to be looked at.
bool WakeByRules(EngineState* state);

// Whether either of these has anything to look at.
bool RulesChanged(const EngineState& state);

// Marks gangs whose plan has members that such rules concern, if anything changed for these since
// the last call.
void MarkRuledPlans(EngineState* state);

}  // namespace gangpack

#endif  // GANGPACK_CORE_RULE_WAKES_H_
