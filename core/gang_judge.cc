#include "core/gang_judge.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "core/gang_life.h"
#include "core/gang_plan.h"
#include "core/plan_fit.h"
#include "core/rule_wakes.h"
#include "core/shortage.h"

namespace gangpack {
namespace {

// Why the gang cannot be planned at all as its objects are; kNone if it can.
Reason StandingReason(const EngineState& state, const Gang& gang) {
  Reason reason;
  reason.gang = gang.name;
  const GangSummary& summary = gang.summary;
  if (!gang.group.has_value()) {
    reason.code = ReasonCode::kPodGroupNotResolvable;
    reason.have = static_cast<int64_t>(gang.members.size());
  } else if (summary.placement_group) {
    reason.code = ReasonCode::kPlacementGroup;
    reason.note = summary.placement_group_on;
  } else if (gang.min_member() < 1) {
    reason.code = ReasonCode::kMinMemberNotPositive;
    reason.have = gang.min_member();
    reason.min_member_absent = !gang.group->min_member.has_value();
  } else if (summary.key < 0) {
    reason.code = ReasonCode::kNoTopologyKey;
    reason.topology_key = state.policy.topology_key_annotation;
  } else if (summary.broken) {
    reason.code = ReasonCode::kMultipleDomains;
    reason.note = summary.broken_detail;
  }
  return reason;
}

Reason MembersMissing(const EngineState& state, const Gang& gang) {
  const int64_t have = gang.summary.placed + static_cast<int64_t>(gang.summary.eligible.size() +
                                                                  gang.summary.awaiting.size());
  if (have >= gang.min_member()) {
    return WhyAwaiting(state, gang, *gang.summary.awaiting.front().sibling);
  }
  Reason reason;
  reason.code = ReasonCode::kMembersMissing;
  reason.gang = gang.name;
  reason.have = have;
  reason.want = gang.min_member();
  reason.gated = gang.summary.gated;
  for (const auto& [scheduler, members] : gang.summary.other_schedulers) {
    reason.other_schedulers.push_back({scheduler, members});
  }
  return reason;
}

ReasonBasis BasisOf(const EngineState& state, const Gang& gang) {
  const TopologyIndex& topology = state.cluster.topology();
  ReasonBasis basis;
  basis.domains = gang.summary.domain != kNoDomain ? topology.domain(gang.summary.domain).changes
                                                   : topology.Changes(gang.summary.key).end();
  basis.holds = state.ledger.changes();
  basis.nodes = state.cluster.node_changes();
  basis.rules = state.cluster.rules().changes();
  return basis;
}

// Every try to plan comes through here, so that it is known what its reason was worked out from.
PlanChoice Choose(EngineState* state, Gang* gang) {
  gang->reason_basis = BasisOf(*state, *gang);
  return ChoosePlan(state, gang);
}

// Sets complete_since and complete_sequence: when the PodGroup or the last needed member came, or
// the gang failed.
void SetCompleteSince(int64_t need, Gang* gang) {
  using Since = std::pair<absl::Time, int64_t>;
  std::vector<Since> members;
  for (const PodRecord* member : gang->summary.eligible) {
    members.emplace_back(member->eligible_since, member->eligible_sequence);
  }
  const auto last_needed = members.begin() + (need - 1);
  std::nth_element(members.begin(), last_needed, members.end());
  const Since since = std::max({Since(gang->group_since, gang->group_sequence), *last_needed,
                                Since(gang->failed_since, gang->failed_sequence)});
  gang->complete_since = since.first;
  gang->complete_sequence = since.second;
}

// True if the plan fits as it is, or was remade so that it does, in the held domain.
bool KeepPlan(EngineState* state, Gang* gang, int64_t need) {
  const bool enough = static_cast<int64_t>(gang->plan->nodes.size()) >= need;
  if (enough && PlanStillFits(state, *gang)) return true;
  std::optional<Plan> same = ReplanInHeldDomain(state, *gang, nullptr);
  if (!same.has_value()) return false;
  KeepHold(state, gang, *std::move(same));
  return true;
}

// The plan cannot be kept in its domain: the gang moves elsewhere at once, or waits until it can.
void Move(EngineState* state, Gang* gang, int64_t need, absl::Time now) {
  const ReplanCause cause = WhyReplanned(*state, *gang);
  ReleaseHold(state, gang, WhyNotKept(state, *gang), now);
  SetCompleteSince(need, gang);
  gang->judged_improvements = state->Improvements();
  PlanChoice choice = Choose(state, gang);
  if (choice.plan.has_value()) {
    const DomainIndex domain = choice.plan->domain;
    state->Emit(PlanRemade{gang->name, state->cluster.topology().domain(domain).name, cause});
    TakeHold(state, gang, *std::move(choice.plan), GangTransitionKind::kMoved, now);
    return;
  }
  SetGangState(state, gang, GangState::kBlocked, std::move(choice.reason));
  state->Want(gang);
}

// Enough members are placed without those that are planned: what waits is bound if it still fits.
void FinishPlan(EngineState* state, Gang* gang, absl::Time now) {
  if (KeepPlan(state, gang, 0)) {
    CompleteGang(state, gang, now);
  } else {
    ReleaseHold(state, gang, WhyNotKept(state, *gang), now);
  }
}

// Nothing of the gang is left: no PodGroup, no pod.
void Forget(EngineState* state, Gang* gang, absl::Time now) {
  state->Unwant(gang);
  if (gang->plan.has_value()) ReleaseHold(state, gang, StandingReason(*state, *gang), now);
  state->gangs.erase(NamespacedName(gang->name));
}

}  // namespace

void JudgeGang(EngineState* state, Gang* gang, absl::Time now) {
  gang->marked = false;
  state->Unwant(gang);
  const DomainIndex domain_before = gang->summary.domain;
  gang->summary = Summarize(*gang, state->cluster, state->policy);
  gang->judged_improvements = -1;
  gang->reason_basis = ReasonBasis();
  Reason standing = StandingReason(*state, *gang);
  if (standing.code != ReasonCode::kNone) {
    if (gang->plan.has_value()) ReleaseHold(state, gang, standing, now);
    gang->dormant = false;
    const bool broken = standing.code == ReasonCode::kMultipleDomains;
    SetGangState(state, gang, broken ? GangState::kBroken : GangState::kBlocked,
                 std::move(standing));
    return;
  }
  const int64_t need = gang->min_member() - gang->summary.placed;
  if (need <= 0) {
    if (gang->plan.has_value()) FinishPlan(state, gang, now);
    gang->dormant = false;
    SetGangState(state, gang, GangState::kComplete, Reason{});
    // Surplus members that found no node may use others now.
    if (gang->summary.domain != domain_before) TakeBackSingles(state, gang);
    WakeRefused(state, gang);
    return;
  }
  if (static_cast<int64_t>(gang->summary.eligible.size()) < need) {
    Reason missing = MembersMissing(*state, *gang);
    if (gang->plan.has_value()) ReleaseHold(state, gang, missing, now);
    gang->dormant = false;
    SetGangState(state, gang, GangState::kForming, std::move(missing));
    return;
  }
  SetCompleteSince(need, gang);
  if (gang->plan.has_value()) {
    if (!KeepPlan(state, gang, need)) {
      Move(state, gang, need, now);
    } else if (gang->plan->waiting >= need) {
      CompleteGang(state, gang, now);
    }
  } else if (!gang->dormant) {
    state->Want(gang);
  }
}

void JudgeIfMarked(EngineState* state, Gang* gang, absl::Time now) {
  if (!gang->marked) return;
  state->marked.erase(std::find(state->marked.begin(), state->marked.end(), gang));
  JudgeGang(state, gang, now);
}

void TryToPlan(EngineState* state, Gang* gang, absl::Time now) {
  const int64_t improvements = state->Improvements();
  if (gang->judged_improvements == improvements) return;
  gang->judged_improvements = improvements;
  PlanChoice choice = Choose(state, gang);
  if (choice.plan.has_value()) {
    const bool adopted = gang->summary.domain != kNoDomain;
    TakeHold(state, gang, *std::move(choice.plan),
             adopted ? GangTransitionKind::kAdopted : GangTransitionKind::kPinned, now);
    return;
  }
  SetGangState(state, gang, GangState::kBlocked, std::move(choice.reason));
}

bool ReasonIsOld(const EngineState& state, const Gang& gang) {
  if (gang.marked) return false;
  // One that wants a domain and may fit since something improved is about to be tried.
  const bool was_refused = gang.wanting && gang.judged_improvements == state.Improvements();
  return (was_refused || gang.dormant) && gang.reason_basis != BasisOf(state, gang);
}

void RefreshReason(EngineState* state, Gang* gang) {
  PlanChoice choice = Choose(state, gang);
  if (choice.plan.has_value() && !gang->dormant) return;
  // One that could be planned has nothing against it but its failure.
  gang->reason = choice.plan.has_value() ? gang->failure : std::move(choice.reason);
  NameLost(gang->summary, state->policy, &gang->reason);
}

bool JudgeSlice(EngineState* state, absl::Time now) {
  if (!state->synchronised) return false;
  MarkRuledPlans(state);
  int budget = state->policy.judged_gangs_per_slice;
  while (!state->marked.empty()) {
    if (budget-- == 0) return true;
    Gang* const gang = state->marked.front();
    state->marked.pop_front();
    if (gang->group.has_value() || !gang->members.empty()) {
      JudgeGang(state, gang, now);
    } else {
      Forget(state, gang, now);
    }
  }
  const std::vector<Gang*> wanting(state->wanting.begin(), state->wanting.end());
  for (Gang* const gang : wanting) {
    if (gang->judged_improvements == state->Improvements()) continue;
    if (budget-- == 0) return true;
    TryToPlan(state, gang, now);
  }
  if (!state->released_nodes.empty()) WakeSingles(state);
  const bool more_to_wake = WakeByRules(state);
  return more_to_wake || !state->marked.empty();
}

}  // namespace gangpack
