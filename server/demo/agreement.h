// Whether a real server has come to what the simulation came to.
//
// Compared: which pods there are and their states; of gangs all but the counts that follow from
// those. Not compared: the nodes, which may differ where several pods fit the same ones, because
// calls that are under way at the same time arrive in any order.
#ifndef GANGPACK_SERVER_DEMO_AGREEMENT_H_
#define GANGPACK_SERVER_DEMO_AGREEMENT_H_

#include <string>
#include <vector>

#include "core/views.h"
#include "server/simulate/simulation_result.h"

namespace gangpack::server {

// Both sorted, as the engine gives them.
struct ServerViews {
  std::vector<PodView> pods;
  std::vector<GangView> gangs;
};

// The first thing that is not as expected, and what was expected; empty if all is.
std::string DifferenceOf(const ServerViews& views, const SimulationResult& expected);

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_DEMO_AGREEMENT_H_
