// Builds the reasons that carry numbers: why no domain can be had, or why this one is too small.
//
// Not here: the words (explain.h).
#ifndef GANGPACK_CORE_SHORTAGE_H_
#define GANGPACK_CORE_SHORTAGE_H_

#include <utility>
#include <vector>

#include "core/engine_state.h"

namespace gangpack {

// `code` for a member of the gang, with the domain that the gang holds, or else where its members
// run.
Reason WhyMember(const EngineState& state, ReasonCode code, const Gang& gang, const PodRecord& pod);

// For a fresh gang whose ranking is up to date and gave no domain.
Reason WhyNoDomain(const EngineState& state, const Gang& gang, const DomainRanking& ranking);

// Domains that would do are held; names the holders. Lists at most Policy::detail_domains_max.
Reason WhyReserved(const EngineState& state, const Gang& gang,
                   const std::vector<std::pair<DomainIndex, const Gang*>>& held);

// A sibling of the member has no node, and its required affinity needs it: says what keeps it.
Reason WhyAwaiting(const EngineState& state, const Gang& gang, const PodRecord& sibling);

// `code` with the room in `domain` for `need` members, from a problem of that domain.
Reason WhyDomainTooSmall(const EngineState& state, const Gang& gang, ReasonCode code,
                         DomainIndex domain, int need, const GangShape& shape,
                         const PackingProblem& problem);

}  // namespace gangpack

#endif  // GANGPACK_CORE_SHORTAGE_H_
