#include "core/gang_life.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/check.h"
#include "core/expectations.h"
#include "core/explain.h"
#include "core/gang_plan.h"
#include "core/predicates.h"

namespace gangpack {
namespace {

void Wake(EngineState* state, const PodUid& uid, WakeTrigger trigger) {
  const PodRecord* pod = state->cluster.FindPod(uid);
  if (pod != nullptr) state->Emit(WakePod{uid, pod->pod.name, trigger});
}

// What must have happened if a pod may pass that was refused for this.
WakeTrigger TriggerAfter(ReasonCode refused) {
  switch (refused) {
    case ReasonCode::kNone:  // refused by an earlier run, if at all
    case ReasonCode::kNotSynchronised:
    case ReasonCode::kPodUnknown:
    case ReasonCode::kMembersMissing:
      return WakeTrigger::kTemplatesComplete;
    case ReasonCode::kPodGroupNotResolvable:
    case ReasonCode::kNoTopologyKey:
    case ReasonCode::kMinMemberNotPositive:
    case ReasonCode::kPlacementGroup:
      return WakeTrigger::kPodGroupChange;
    case ReasonCode::kSiblingNotPlaced:
    case ReasonCode::kSurplusMember:
      return WakeTrigger::kPermit;
    case ReasonCode::kSiblingFailed:
    case ReasonCode::kPinnedDomainTooSmall:
      return WakeTrigger::kDomainFailed;
    case ReasonCode::kNoDomainHasRoom:
    case ReasonCode::kEveryDomainReserved:
    case ReasonCode::kAdoptedDomainTooSmall:
    case ReasonCode::kNoNodeForMember:
    case ReasonCode::kMultipleDomains:
    case ReasonCode::kNodeReserved:
    case ReasonCode::kNodeNotInDomain:
    case ReasonCode::kPodNotPlaceable:
    case ReasonCode::kNodeNotPlanned:
    case ReasonCode::kNodeUnknown:
    case ReasonCode::kNoRoomBesideBindings:
    case ReasonCode::kAgainstPodRule:
    case ReasonCode::kNodeNotChosen:
      break;
  }
  return WakeTrigger::kReservationReleased;
}

// Wakes refused members, whatever for.
void WakeAll(EngineState* state, Gang* gang, WakeTrigger trigger) {
  for (const auto& [uid, reason] : gang->refused) Wake(state, uid, trigger);
  gang->refused.clear();
}

// The waiting members by preference, which is the order in which they are bound.
std::vector<PodRecord*> WaitingByPreference(const EngineState& state, const Gang& gang) {
  std::vector<PodRecord*> waiting;
  for (PodRecord* member : gang.summary.eligible) {
    if (state.permits.FindWaiter(member->pod.uid) != nullptr) waiting.push_back(member);
  }
  CORE_CHECK(static_cast<int>(waiting.size()) == gang.plan->waiting);
  return waiting;
}

bool FitsOn(const EngineState& state, const PodRecord& pod, NodeIndex index) {
  const NodeRecord& node = state.cluster.node(index);
  return node.exists && !CheckNodeObject(pod.pod.spec, node.object) &&
         !CheckHostPorts(pod.pod.spec.host_ports, node.used_ports) &&
         Fits(pod.request, node.free());
}

// Planned, and no sibling must be placed first.
bool IsReady(const EngineState& state, const Gang& gang, const PodUid& member) {
  return gang.plan->nodes.contains(member) &&
         SiblingToWaitFor(state, *gang.plan, member) == nullptr;
}

// Another member is placed: wakes those that may go now. A member that was not offered its node is
// not helped by that.
void WakeSiblings(EngineState* state, Gang* gang) {
  for (auto it = gang->refused.begin(); it != gang->refused.end();) {
    const ReasonCode code = it->second.code;
    const bool not_offered =
        code == ReasonCode::kNodeNotInDomain || code == ReasonCode::kNoNodeForMember;
    const bool ready = !not_offered && IsReady(*state, *gang, it->first);
    if (ready) Wake(state, it->first, WakeTrigger::kPermit);
    it = ready ? gang->refused.erase(it) : std::next(it);
  }
}

// Notes a failure and tells it. The state is set without SetGangState, which would tell it again.
void Fail(EngineState* state, Gang* gang, GangTransitionKind kind, DomainIndex domain,
          const Reason& why, absl::Time now) {
  state->Unwant(gang);
  gang->failed_since = now;
  gang->failed_sequence = ++state->sequence;
  gang->state = GangState::kBlocked;
  gang->reason = why;
  NameLost(gang->summary, state->policy, &gang->reason);
  gang->failure = gang->reason;
  GangTransition failed = state->TransitionOf(kind, *gang, domain, DetailedText(gang->reason));
  failed.reason = why.code;
  state->Emit(std::move(failed));
}

// What it is called that a gang in this state has a new reason.
GangTransitionKind KindOf(GangState gang_state) {
  if (gang_state == GangState::kForming) return GangTransitionKind::kForming;
  return gang_state == GangState::kBroken ? GangTransitionKind::kBroken
                                          : GangTransitionKind::kBlocked;
}

}  // namespace

absl::Time HoldEnds(const EngineState& state, const Gang& gang) {
  const Plan& plan = *gang.plan;
  const absl::Duration timeout = TimeoutOf(gang, state.policy);
  return (plan.arrivals.empty() ? plan.last_call : *plan.arrivals.begin()) + timeout;
}

void DropDeadline(EngineState* state, const Gang& gang) {
  if (gang.plan.has_value()) state->deadlines.erase({gang.plan->deadline, gang.name});
}

void SetDeadline(EngineState* state, Gang* gang) {
  gang->plan->deadline = HoldEnds(*state, *gang);
  state->deadlines.insert({gang->plan->deadline, gang->name});
}

void TakeHold(EngineState* state, Gang* gang, Plan plan, GangTransitionKind kind, absl::Time now) {
  CORE_CHECK(!gang->plan.has_value());
  state->Unwant(gang);
  if (plan.number == 0) plan.number = ++state->plans_made;
  plan.since = now;
  plan.last_call = now;
  const DomainIndex domain = plan.domain;
  const size_t planned = plan.nodes.size();
  gang->plan = std::move(plan);
  ExpectPlan(state, *gang, nullptr);
  state->ledger.Hold(domain, gang);
  SetDeadline(state, gang);
  SetGangState(state, gang, GangState::kPlacing, Reason{});
  state->EmitTransition(
      kind, *gang, domain,
      absl::StrCat("holds ", state->cluster.topology().domain(domain).name, " for ", planned,
                   " of ", Counted(gang->summary.eligible.size(), "member")));
  TakeBackSingles(state, gang);
  WakeReady(state, gang);
}

ReplanCause WhyReplanned(const EngineState& state, const Gang& gang) {
  const Plan& plan = *gang.plan;
  const TopologyIndex& topology = state.cluster.topology();
  if (topology.domain(plan.domain).key != gang.summary.key) return ReplanCause::kTopology;
  for (const auto& [uid, node] : plan.nodes) {
    const bool left = topology.DomainOf(gang.summary.key, node) != plan.domain;
    if (left && state.cluster.node(node).exists) return ReplanCause::kTopology;
  }
  return ReplanCause::kStale;
}

void KeepHold(EngineState* state, Gang* gang, Plan plan) {
  state->Emit(PlanRemade{gang->name, state->cluster.topology().domain(plan.domain).name,
                         WhyReplanned(*state, *gang)});
  DropDeadline(state, *gang);
  const Plan before = *std::exchange(gang->plan, std::move(plan));
  ExpectPlan(state, *gang, &before);
  SetDeadline(state, gang);
  SetGangState(state, gang, GangState::kPlacing, Reason{});
  WakeReady(state, gang);
}

void EndHold(EngineState* state, Gang* gang) {
  CORE_CHECK(gang->plan->waiting == 0);
  const DomainIndex domain = gang->plan->domain;
  DropDeadline(state, *gang);
  state->ledger.Release(domain);
  ExpectNoLonger(state, *gang->plan);
  gang->plan.reset();
  ++state->releases;
  if (state->refused_singles.empty()) return;
  const std::vector<NodeIndex>& nodes = state->cluster.topology().domain(domain).nodes;
  state->released_nodes.insert(state->released_nodes.end(), nodes.begin(), nodes.end());
}

void ArriveAtPermit(EngineState* state, Gang* gang, PodRecord* pod, Waiter waiter, absl::Time now) {
  const DomainIndex domain = gang->plan->domain;
  DropDeadline(state, *gang);
  Plan& plan = *gang->plan;
  state->permits.Arrive(pod->pod.uid, waiter);
  ++plan.waiting;
  plan.arrivals.insert(waiter.since);
  plan.last_call = now;
  gang->refused.erase(pod->pod.uid);
  state->refused_singles.erase(pod->pod.uid);
  SetDeadline(state, gang);
  const int64_t placed = gang->summary.placed + plan.waiting;
  GangTransition arrived =
      state->TransitionOf(GangTransitionKind::kWaiting, *gang, domain,
                          absl::StrCat(pod->pod.name.ToString(), " waits on ",
                                       state->cluster.node(waiter.node).object.name, ", ", placed,
                                       " of ", gang->min_member(), " placed"));
  arrived.completes = placed >= gang->min_member();
  state->Emit(std::move(arrived));
  if (placed >= gang->min_member()) {
    CompleteGang(state, gang, now);
  } else {
    WakeSiblings(state, gang);
  }
}

void LeavePermit(EngineState* state, Gang* gang, const PodUid& pod, const std::string& error,
                 absl::Time now) {
  DropDeadline(state, *gang);
  const Waiter waiter = state->permits.Leave(pod);
  Plan& plan = *gang->plan;
  --plan.waiting;
  plan.last_call = now;
  plan.arrivals.erase(plan.arrivals.find(waiter.since));
  if (!error.empty()) state->Emit(AnswerCall{waiter.call, error});
  SetDeadline(state, gang);
}

void StartBinding(EngineState* state, PodRecord* pod, NodeIndex node, CallId call) {
  state->cluster.Assume(pod, node);
  ForgetAnswer(state, pod);
  state->permits.StartBinding(pod->pod.uid, node, call);
  state->refused_singles.erase(pod->pod.uid);
  state->Mark(state->GangOf(pod->pod));
  state->Emit(BindPod{pod->pod.uid, pod->pod.name, state->cluster.node(node).object.name});
}

void CompleteGang(EngineState* state, Gang* gang, absl::Time) {
  const DomainIndex domain = gang->plan->domain;
  int64_t bound = 0;
  for (PodRecord* member : WaitingByPreference(*state, *gang)) {
    const Waiter waiter = state->permits.Leave(member->pod.uid);
    StartBinding(state, member, waiter.node, waiter.call);
    ++bound;
  }
  gang->plan->waiting = 0;
  EndHold(state, gang);
  SetGangState(state, gang, GangState::kComplete, Reason{});
  state->EmitTransition(GangTransitionKind::kComplete, *gang, domain,
                        absl::StrCat("binds ", Counted(bound, "waiting member")));
  WakeAll(state, gang, WakeTrigger::kPermit);
}

void ReleaseHold(EngineState* state, Gang* gang, const Reason& why, absl::Time now) {
  const DomainIndex domain = gang->plan->domain;
  const bool unwound = gang->plan->waiting > 0;
  for (const auto& [uid, node] : gang->plan->nodes) {
    if (state->permits.FindWaiter(uid) == nullptr) continue;
    state->Emit(AnswerCall{state->permits.Leave(uid).call, Text(why)});
    --gang->plan->waiting;
  }
  EndHold(state, gang);
  Fail(state, gang, unwound ? GangTransitionKind::kUnwound : GangTransitionKind::kReleased, domain,
       why, now);
}

void UnwindGang(EngineState* state, Gang* gang, const Reason& why, absl::Time now) {
  if (gang->plan.has_value()) {
    ReleaseHold(state, gang, why, now);
  } else {
    Fail(state, gang, GangTransitionKind::kUnwound, gang->summary.domain, why, now);
  }
  gang->dormant = true;
  WakeAll(state, gang, WakeTrigger::kDomainFailed);
  state->Mark(gang);
}

void SetGangState(EngineState* state, Gang* gang, GangState gang_state, Reason reason) {
  const bool told = gang->state == gang_state && gang->reason.code == reason.code &&
                    Text(gang->reason) == Text(reason);
  const ReasonCode before = gang->reason.code;
  gang->state = gang_state;
  gang->reason = std::move(reason);
  if (gang->reason.code == ReasonCode::kNone) return;
  NameLost(gang->summary, state->policy, &gang->reason);
  if (told) return;
  GangTransition blocked =
      state->TransitionOf(KindOf(gang_state), *gang, kNoDomain, DetailedText(gang->reason));
  blocked.reason = gang->reason.code;
  blocked.reason_before = before;
  state->Emit(std::move(blocked));
}

void TakeBackSingles(EngineState* state, Gang* gang) {
  if (state->refused_singles.empty()) return;
  for (const PodRecord* member : gang->summary.eligible) {
    auto refused = state->refused_singles.find(member->pod.uid);
    if (refused == state->refused_singles.end()) continue;
    gang->refused[member->pod.uid] = std::move(refused->second);
    state->refused_singles.erase(refused);
  }
}

void WakeRefused(EngineState* state, Gang* gang) {
  for (const auto& [uid, reason] : gang->refused) Wake(state, uid, TriggerAfter(reason.code));
  gang->refused.clear();
}

void WakeReady(EngineState* state, Gang* gang) {
  for (auto it = gang->refused.begin(); it != gang->refused.end();) {
    const bool ready = IsReady(*state, *gang, it->first);
    if (ready) Wake(state, it->first, TriggerAfter(it->second.code));
    it = ready ? gang->refused.erase(it) : std::next(it);
  }
}

bool SingleMayUse(const EngineState& state, const PodRecord& pod, NodeIndex node) {
  const Gang* gang = state.GangOf(pod.pod);
  if (gang != nullptr) {
    if (gang->state != GangState::kComplete) return false;
    const DomainIndex domain = state.cluster.topology().DomainOf(gang->summary.key, node);
    if (domain == kNoDomain) return false;
    if (gang->summary.domain != kNoDomain && gang->summary.domain != domain) return false;
  }
  return FitsOn(state, pod, node);
}

void WakeSingle(EngineState* state, PodRecord* pod) {
  const PodUid& uid = pod->pod.uid;
  Reason refused;
  Gang* const gang = state->GangOf(pod->pod);
  if (const auto it = state->refused_singles.find(uid); it != state->refused_singles.end()) {
    refused = it->second;
  } else if (gang != nullptr && gang->refused.contains(uid)) {
    refused = gang->refused.at(uid);
  }
  state->refused_singles.erase(uid);
  if (gang != nullptr) gang->refused.erase(uid);
  Wake(state, uid, TriggerAfter(refused.code));
}

void WakeSingles(EngineState* state) {
  std::vector<NodeIndex> nodes = std::move(state->released_nodes);
  state->released_nodes.clear();
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  const TopologyIndex& topology = state->cluster.topology();
  nodes.erase(std::remove_if(nodes.begin(), nodes.end(),
                             [&](NodeIndex node) {
                               return state->ledger.HolderOfNode(node, topology) != nullptr;
                             }),
              nodes.end());
  for (auto it = state->refused_singles.begin(); it != state->refused_singles.end();) {
    const PodRecord* pod = state->cluster.FindPod(it->first);
    const bool fits = std::any_of(nodes.begin(), nodes.end(),
                                  [&](NodeIndex node) { return SingleMayUse(*state, *pod, node); });
    if (fits) Wake(state, it->first, TriggerAfter(it->second.code));
    it = fits ? state->refused_singles.erase(it) : std::next(it);
  }
}

}  // namespace gangpack
