// Builds the read-only views from the state, page by page (views.h).
//
// Cost of a page: at most Policy::views_per_slice objects are looked at (of reservations, members),
// and at most Policy::judged_gangs_per_slice reasons worked out afresh, each of which costs one try
// to plan. O(gangs) more for domains, O(holds log holds) for reservations.
#ifndef GANGPACK_CORE_ENGINE_VIEWS_H_
#define GANGPACK_CORE_ENGINE_VIEWS_H_

#include "core/engine_state.h"
#include "core/views.h"

namespace gangpack {

// Both bring the reasons that they show up to date.
PodPage ViewPods(EngineState* state, const PodPosition& after);
GangPage ViewGangs(EngineState* state, const NamespacedName& after);

DomainPage ViewDomains(const EngineState& state, const DomainPosition& after);
ReservationPage ViewReservations(const EngineState& state, const DomainPosition& after);

}  // namespace gangpack

#endif  // GANGPACK_CORE_ENGINE_VIEWS_H_
