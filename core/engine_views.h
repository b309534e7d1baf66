// Builds the read-only views from the state.
#ifndef GANGPACK_CORE_ENGINE_VIEWS_H_
#define GANGPACK_CORE_ENGINE_VIEWS_H_

#include <vector>

#include "core/engine_state.h"
#include "core/views.h"

namespace gangpack {

std::vector<PodView> ViewPods(const EngineState& state);
std::vector<GangView> ViewGangs(const EngineState& state);
std::vector<DomainView> ViewDomains(const EngineState& state);
std::vector<ReservationView> ViewReservations(const EngineState& state);

}  // namespace gangpack

#endif  // GANGPACK_CORE_ENGINE_VIEWS_H_
