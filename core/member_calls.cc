#include "core/member_calls.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/explain.h"
#include "core/gang_judge.h"
#include "core/gang_life.h"
#include "core/gang_plan.h"
#include "core/shortage.h"
#include "core/single_pods.h"

namespace gangpack {
namespace {

FilterDecision Refuse(EngineState* state, Gang* gang, const PodRecord& pod, Reason reason) {
  state->refused_singles.erase(pod.pod.uid);
  gang->refused[pod.pod.uid] = reason;
  return RefuseAll(std::move(reason));
}

// A member that asks ends its gang's dormancy; what is marked is judged before the answer.
void BringUpToDate(EngineState* state, Gang* gang, absl::Time now) {
  if (gang->dormant) {
    gang->dormant = false;
    state->Mark(gang);
  }
  JudgeSlice(state, now);
  JudgeIfMarked(state, gang, now);  // in case the slice was full
  if (gang->wanting) TryToPlan(state, gang, now);
}

int FindOffered(const FilterRequest& request, const std::string& name) {
  const auto it = std::find(request.node_names.begin(), request.node_names.end(), name);
  return it == request.node_names.end() ? -1 : static_cast<int>(it - request.node_names.begin());
}

// Offered nodes that lie in the gang's domain, with their positions in the request.
std::vector<std::pair<NodeIndex, int>> OfferedInDomain(const EngineState& state, const Gang& gang,
                                                       const FilterRequest& request) {
  std::vector<std::pair<NodeIndex, int>> offered;
  for (size_t i = 0; i < request.node_names.size(); ++i) {
    const NodeIndex node = state.cluster.FindNode(request.node_names[i]);
    if (node == kNoNode) continue;
    if (state.cluster.topology().DomainOf(gang.summary.key, node) != gang.plan->domain) continue;
    offered.emplace_back(node, static_cast<int>(i));
  }
  return offered;
}

// The planned node is not offered: plan the gang again around what is, or say that this member has
// no node here.
FilterDecision FilterWithoutPlannedNode(EngineState* state, Gang* gang, PodRecord* pod,
                                        const FilterRequest& request) {
  const auto offered = OfferedInDomain(*state, *gang, request);
  const bool nominated =
      request.node_names.size() == 1 && request.node_names[0] == pod->pod.nominated_node_name;
  if (offered.empty() || nominated) {
    return Refuse(state, gang, *pod, WhyMember(*state, ReasonCode::kNodeNotInDomain, *gang, *pod));
  }
  MemberRestriction restriction{pod, {}};
  for (const auto& [node, position] : offered) restriction.nodes.push_back(node);
  std::sort(restriction.nodes.begin(), restriction.nodes.end());
  std::optional<Plan> plan = ReplanInHeldDomain(state, *gang, &restriction);
  FilterDecision decision;
  if (plan.has_value()) {
    const NodeIndex node = plan->nodes[pod->pod.uid];
    gang->refused.erase(pod->pod.uid);
    KeepHold(state, gang, *std::move(plan));
    for (const auto& [index, position] : offered) {
      if (index == node) decision.accepted = {position};
    }
    decision.refusals.push_back(
        {{}, true, WhyMember(*state, ReasonCode::kNodeNotPlanned, *gang, *pod)});
    return decision;
  }
  Reason none = WhyMember(*state, ReasonCode::kNoNodeForMember, *gang, *pod);
  gang->refused[pod->pod.uid] = none;
  FilterDecision::Refusal in_domain;
  for (const auto& [node, position] : offered) in_domain.nodes.push_back(position);
  in_domain.reason = std::move(none);
  decision.refusals.push_back(std::move(in_domain));
  if (offered.size() < request.node_names.size()) {
    decision.refusals.push_back(
        {{}, true, WhyMember(*state, ReasonCode::kNodeNotInDomain, *gang, *pod)});
  }
  return decision;
}

FilterDecision FilterPlanned(EngineState* state, Gang* gang, PodRecord* pod,
                             const FilterRequest& request, absl::Time now) {
  if (const Waiter* waiter = state->permits.FindWaiter(pod->pod.uid); waiter != nullptr) {
    // kube-scheduler asks again for a pod whose bind we hold: that call is dead (it was restarted).
    LeavePermit(state, gang, pod->pod.uid,
                absl::StrCat("pod ", pod->pod.name.ToString(),
                             " was to be filtered again, which ended the wait of this bind call"),
                now);
  }
  DropDeadline(state, *gang);
  gang->plan->last_call = now;
  SetDeadline(state, gang);
  auto planned = gang->plan->nodes.find(pod->pod.uid);
  if (planned == gang->plan->nodes.end()) {
    for (const AwaitedSibling& awaited : gang->summary.awaiting) {
      if (awaited.member != pod) continue;
      return Refuse(state, gang, *pod, WhyAwaiting(*state, *gang, *awaited.sibling));
    }
    return Refuse(state, gang, *pod, WhyMember(*state, ReasonCode::kSurplusMember, *gang, *pod));
  }
  if (const PodRecord* sibling = SiblingToWaitFor(*state, *gang->plan, pod->pod.uid)) {
    Reason reason = WhyMember(*state, ReasonCode::kSiblingNotPlaced, *gang, *pod);
    reason.pod = sibling->pod.name;
    return Refuse(state, gang, *pod, std::move(reason));
  }
  const int offered = FindOffered(request, state->cluster.node(planned->second).object.name);
  if (offered < 0) return FilterWithoutPlannedNode(state, gang, pod, request);
  gang->refused.erase(pod->pod.uid);
  FilterDecision decision;
  decision.accepted = {offered};
  decision.refusals.push_back(
      {{}, true, WhyMember(*state, ReasonCode::kNodeNotPlanned, *gang, *pod)});
  return decision;
}

void Answer(EngineState* state, CallId call, const Reason& reason) {
  state->Emit(AnswerCall{call, Text(reason)});
}

}  // namespace

FilterDecision FilterMember(EngineState* state, Gang* gang, PodRecord* pod,
                            const FilterRequest& request, absl::Time now) {
  BringUpToDate(state, gang, now);
  switch (gang->state) {
    case GangState::kPlacing:
      return FilterPlanned(state, gang, pod, request, now);
    case GangState::kComplete:
      return FilterSurplus(state, gang, pod, request, now);
    case GangState::kForming:
    case GangState::kBlocked:
    case GangState::kBroken:
      break;
  }
  return Refuse(state, gang, *pod, gang->reason);
}

void BindMember(EngineState* state, Gang* gang, PodRecord* pod, NodeIndex node, CallId call,
                absl::Time now) {
  BringUpToDate(state, gang, now);
  if (gang->state == GangState::kComplete) {
    BindSurplus(state, *gang, pod, node, call, now);
    return;
  }
  if (gang->state != GangState::kPlacing) {
    Answer(state, call, gang->reason);
    return;
  }
  auto planned = gang->plan->nodes.find(pod->pod.uid);
  if (planned == gang->plan->nodes.end()) {
    Answer(state, call, WhyMember(*state, ReasonCode::kSurplusMember, *gang, *pod));
    return;
  }
  if (planned->second != node) {
    const bool inside =
        state->cluster.topology().DomainOf(gang->summary.key, node) == gang->plan->domain;
    Answer(state, call,
           WhyMember(*state, inside ? ReasonCode::kNodeNotPlanned : ReasonCode::kNodeNotInDomain,
                     *gang, *pod));
    return;
  }
  if (state->permits.FindWaiter(pod->pod.uid) != nullptr) {
    // A second call for the same pod: the caller of the first has given it up.
    LeavePermit(
        state, gang, pod->pod.uid,
        absl::StrCat("another bind call for pod ", pod->pod.name.ToString(), " took over the wait"),
        now);
  }
  ArriveAtPermit(state, gang, pod, Waiter{call, node, now}, now);
}

}  // namespace gangpack
