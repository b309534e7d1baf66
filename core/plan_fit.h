// Whether members that are planned, or wait, still have room where they are, and the rules allow
// it.
//
// Cost: O(members + rules between pods that concern them).
// Not here: making plans (gang_plan.h).
#ifndef GANGPACK_CORE_PLAN_FIT_H_
#define GANGPACK_CORE_PLAN_FIT_H_

#include <string>
#include <vector>

#include "absl/container/btree_map.h"
#include "core/engine_state.h"

namespace gangpack {

using PodsByNode = absl::btree_map<NodeIndex, std::vector<const PodRecord*>>;

// What keeps these pods, which have no node yet, from the first node that does not take its own of
// them together; empty if all do.
std::string FirstMisfit(const EngineState& state, const PodsByNode& by_node);

// True if every planned member still belongs to the gang and its node, in the plan's domain, still
// has room for it, waiting ones included, and the rules between pods allow it there. The members
// must be expected where they are planned (expectations.h), the gang not marked.
bool PlanStillFits(EngineState* state, const Gang& gang);

}  // namespace gangpack

#endif  // GANGPACK_CORE_PLAN_FIT_H_
