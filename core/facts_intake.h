// Takes facts into the state and marks what depends on them. Nothing is planned here.
//
// What is done at once is only what must not wait: a waiting member whose pod goes away or is being
// deleted fails its gang, a re-created PodGroup drops what belonged to the old one, a finished
// binding answers its calls. Cost: O(log cluster + members of the gang), whatever the cluster's
// size. Not here: what follows from a change (gang_judge.h).
#ifndef GANGPACK_CORE_FACTS_INTAKE_H_
#define GANGPACK_CORE_FACTS_INTAKE_H_

#include "absl/time/time.h"
#include "core/engine_state.h"
#include "core/facts.h"

namespace gangpack {

void TakeIn(EngineState* state, const Fact& fact, absl::Time now);

}  // namespace gangpack

#endif  // GANGPACK_CORE_FACTS_INTAKE_H_
