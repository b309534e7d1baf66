// Checks that the state is consistent with itself. Called by tests and the simulator after every
// step.
//
// Checked: (1) a node's used resources, ports and pods are what its pods add up to; (2) a node is
// in the domains that its labels say, sorted by name; (3) each hold belongs to a gang with a plan
// for that domain, and each plan has its hold; (4) no node is planned by two gangs, even where it
// was relabelled into two held domains; (5) a plan counts its waiting members rightly, each of them
// waits where it is planned, and nobody else waits; (6) no member waits while its gang has enough;
// (7) marked and wanting gangs are listed, others are not; (8) deadlines are when holds end; (9) a
// gang is Placing if and only if it has a plan, unless it is marked; (10) nobody is remembered as
// refused who is placed or waits; (11) a pod is expected on a node if and only if it is planned
// there or was answered with it; (12) the rules between pods count every pod where it is placed or
// expected, and no other pod. Cost: O(cluster).
#ifndef GANGPACK_CORE_INVARIANTS_H_
#define GANGPACK_CORE_INVARIANTS_H_

#include "absl/status/status.h"
#include "core/engine_state.h"

namespace gangpack {

// INTERNAL naming the first invariant that does not hold.
absl::Status CheckInvariants(const EngineState& state);

}  // namespace gangpack

#endif  // GANGPACK_CORE_INVARIANTS_H_
