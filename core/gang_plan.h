// Chooses the domain for a gang and plans every member, or says why there is none.
//
// A gang with members that run is planned in their domain only. A fresh gang takes the domain with
// the least room that can hold all its unplaced members, else the one with the least room that can
// hold need of them; ties by name; domains that are held, or share a node with a held one, are
// passed over. Cost: fresh: DomainRanking::CatchUp, then one packing; adopted and replanned: one or
// two packings of one domain. Not here: the order between gangs and when to plan (gang_judge.h),
// what a hold does (gang_life.h).
#ifndef GANGPACK_CORE_GANG_PLAN_H_
#define GANGPACK_CORE_GANG_PLAN_H_

#include <optional>
#include <vector>

#include "core/engine_state.h"

namespace gangpack {

// A plan without number and times, or the reason why there is none.
struct PlanChoice {
  std::optional<Plan> plan;
  Reason reason;
};

// gang->summary must be fresh, with need > 0 and enough eligible members. No member waits at
// Permit.
PlanChoice ChoosePlan(EngineState* state, Gang* gang);

// Fills in the rest of a plan of which number, domain and nodes are known, for a gang that has
// none; nullopt if it does not fit.
std::optional<Plan> CompletePlan(EngineState* state, Gang* gang, Plan plan);

// Only these nodes may be used for that member.
struct MemberRestriction {
  PodRecord* member = nullptr;
  std::vector<NodeIndex> nodes;  // sorted
};

// Plans the gang again in the domain it holds; waiting members keep their nodes, and no node that
// another gang plans is used. nullopt if that is impossible. The gang must not be marked.
std::optional<Plan> ReplanInHeldDomain(EngineState* state, const Gang& gang,
                                       const MemberRestriction* restriction);

// Why ReplanInHeldDomain, without a restriction, found nothing.
Reason WhyNotKept(EngineState* state, const Gang& gang);

// The sibling that must be placed before this planned member; nullptr if there is none.
const PodRecord* SiblingToWaitFor(const EngineState& state, const Plan& plan, const PodUid& member);

}  // namespace gangpack

#endif  // GANGPACK_CORE_GANG_PLAN_H_
