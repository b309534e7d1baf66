// After a restart: nominations that an earlier run of ours left are adopted as plans, or cleared.
//
// A set is adopted if it names this PodGroup's UID and one plan number, covers at least need of the
// gang's unplaced members, lies in one domain that nobody holds, and still fits. All else that
// carries our annotation is cleared; nominations of other components are left alone. Not here:
// members that are bound already (gang.h adopts their domain by itself).
#ifndef GANGPACK_CORE_ADOPTION_H_
#define GANGPACK_CORE_ADOPTION_H_

#include "absl/time/time.h"
#include "core/engine_state.h"

namespace gangpack {

// Called once, when the first lists are complete. Cost: O(pods + members of gangs).
void AdoptNominations(EngineState* state, absl::Time now);

}  // namespace gangpack

#endif  // GANGPACK_CORE_ADOPTION_H_
