#include "core/single_pods.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "absl/container/btree_map.h"
#include "core/awaited_siblings.h"
#include "core/expectations.h"
#include "core/explain.h"
#include "core/gang_judge.h"
#include "core/gang_life.h"
#include "core/gang_plan.h"
#include "core/plan_fit.h"
#include "core/predicates.h"
#include "core/rule_wakes.h"
#include "core/shortage.h"
#include "core/standalone_scores.h"

namespace gangpack {
namespace {

// Offered nodes by what becomes of them.
struct Sorted {
  std::vector<int> accepted;
  std::vector<int> reserved;
  std::vector<int> no_room;  // beside what other schedulers have nominated
  Reason no_room_on_first;
  struct Against {
    std::vector<int> nodes;
    Reason why;  // on the first of them
  };
  absl::btree_map<PodRule, Against> against;  // by the rule between pods
  std::vector<int> outside;
  std::vector<int> unknown;
  const Gang* holder = nullptr;  // of the first reserved node
};

// True if the node is in the domain; where that is kNoDomain, in any of the key.
bool IsInside(const TopologyIndex& topology, TopologyKeyIndex key, DomainIndex domain,
              NodeIndex node) {
  const DomainIndex actual = topology.DomainOf(key, node);
  return actual != kNoDomain && (domain == kNoDomain || actual == domain);
}

// kube-scheduler has judged the room on the node, but it knows nothing of what other schedulers
// have nominated there, and forgets bindings that are under way when it is restarted, so room
// beside those is checked here: nullopt if there are none, or room.
std::optional<NodeRejection> NoRoomBesideBindings(const EngineState& state, const PodRecord& pod,
                                                  NodeIndex index) {
  const NodeRecord& node = state.cluster.node(index);
  const bool binding = std::any_of(node.pods.begin(), node.pods.end(), [](const PodRecord* other) {
    return other->placement == Placement::kAssumed;
  });
  if (!binding && node.nominated_pods == 0) return std::nullopt;
  if (auto rejection = CheckHostPorts(pod.pod.spec.host_ports, node.used_ports)) return rejection;
  return CheckResources(pod.request, node.free(), state.cluster.resources());
}

Reason WhyNoRoom(const EngineState& state, NodeIndex node, NodeRejection rejection) {
  Reason why;
  why.code = ReasonCode::kNoRoomBesideBindings;
  why.note = Describe({state.cluster.node(node).object.name, std::move(rejection)});
  return why;
}

// `key` and `domain` restrict as in IsInside, unless `key` is -1.
Sorted SortOffered(const EngineState& state, const PodRecord& pod, const FilterRequest& request,
                   TopologyKeyIndex key, DomainIndex domain) {
  Sorted sorted;
  const TopologyIndex& topology = state.cluster.topology();
  for (size_t i = 0; i < request.node_names.size(); ++i) {
    const int position = static_cast<int>(i);
    const NodeIndex node = state.cluster.FindNode(request.node_names[i]);
    if (node == kNoNode) {
      sorted.unknown.push_back(position);
    } else if (key >= 0 && !IsInside(topology, key, domain, node)) {
      sorted.outside.push_back(position);
    } else if (const Gang* holder = state.ledger.HolderOfNode(node, topology)) {
      sorted.reserved.push_back(position);
      if (sorted.holder == nullptr) sorted.holder = holder;
    } else if (state.cluster.node(node).nominated_pods == 0) {
      sorted.accepted.push_back(position);
    } else if (auto rejection = NoRoomBesideBindings(state, pod, node)) {
      if (sorted.no_room.empty()) sorted.no_room_on_first = WhyNoRoom(state, node, *rejection);
      sorted.no_room.push_back(position);
    } else {
      sorted.accepted.push_back(position);
    }
  }
  return sorted;
}

void AddRefusal(std::vector<int> nodes, size_t offered, Reason reason, FilterDecision* decision) {
  if (nodes.empty()) return;
  const bool all = nodes.size() == offered;
  decision->refusals.push_back(
      {all ? std::vector<int>{} : std::move(nodes), all, std::move(reason)});
}

// `outside` is why a node outside the gang's domain is refused.
FilterDecision Decide(EngineState* state, Sorted sorted, const FilterRequest& request,
                      const PodRecord& pod, Reason outside) {
  Reason reserved;
  reserved.code = ReasonCode::kNodeReserved;
  if (sorted.holder != nullptr) {
    reserved.holders.push_back({state->cluster.topology().domain(sorted.holder->plan->domain).name,
                                sorted.holder->name.ToString(), ""});
  }
  Reason unknown;
  unknown.code = ReasonCode::kNodeUnknown;
  FilterDecision decision;
  const size_t offered = request.node_names.size();
  decision.accepted = std::move(sorted.accepted);
  // What the pod is said to wait for, if it gets no node: the most telling of the reasons.
  if (decision.accepted.empty()) {
    const Reason& why = !sorted.reserved.empty()  ? reserved
                        : !sorted.no_room.empty() ? sorted.no_room_on_first
                        : !sorted.against.empty() ? sorted.against.begin()->second.why
                        : !sorted.outside.empty() ? outside
                                                  : unknown;
    state->refused_singles[pod.pod.uid] = why;
    if (!sorted.against.empty()) WatchRules(state, pod.pod.uid);
  } else {
    state->refused_singles.erase(pod.pod.uid);
  }
  AddRefusal(std::move(sorted.reserved), offered, std::move(reserved), &decision);
  AddRefusal(std::move(sorted.no_room), offered, std::move(sorted.no_room_on_first), &decision);
  for (auto& [rule, against] : sorted.against) {
    AddRefusal(std::move(against.nodes), offered, std::move(against.why), &decision);
  }
  AddRefusal(std::move(sorted.outside), offered, std::move(outside), &decision);
  AddRefusal(std::move(sorted.unknown), offered, std::move(unknown), &decision);
  return decision;
}

FilterDecision RefuseUntilGangChanges(EngineState* state, Gang* gang, const PodUid& uid,
                                      Reason reason) {
  state->refused_singles.erase(uid);
  gang->refused[uid] = reason;
  return RefuseAll(std::move(reason));
}

// A sibling without a node that the surplus member's required affinity waits for; nullptr if none.
const PodRecord* SurplusSibling(const EngineState& state, const Gang& gang, const PodRecord& pod) {
  std::vector<const PodRecord*> unplaced(gang.summary.pending);
  unplaced.insert(unplaced.end(), gang.summary.eligible.begin(), gang.summary.eligible.end());
  return SiblingNeeded(pod, gang.summary.placed_live, unplaced, state.cluster);
}

Reason WhyAgainst(const EngineState& state, NodeIndex node, PodRuleRejection rejection) {
  Reason reason;
  reason.code = ReasonCode::kAgainstPodRule;
  reason.note = state.cluster.node(node).object.name;
  reason.rule = std::move(rejection);
  return reason;
}

// Moves accepted nodes that rules between pods exclude to `against`.
void TakeOutAgainst(const EngineState& state, const PreparedPod& prepared,
                    const FilterRequest& request, Sorted* sorted) {
  std::vector<int> kept;
  for (const int position : sorted->accepted) {
    const NodeIndex node =
        state.cluster.FindNode(request.node_names[static_cast<size_t>(position)]);
    const std::optional<PodRule> rule = prepared.FirstRule(node);
    if (!rule.has_value()) {
      kept.push_back(position);
      continue;
    }
    Sorted::Against& against = sorted->against[*rule];
    if (against.nodes.empty()) against.why = WhyAgainst(state, node, *prepared.Check(node));
    against.nodes.push_back(position);
  }
  sorted->accepted = std::move(kept);
}

// A pod that carries a rule between pods, or is selected by one, gets one node, on which it counts
// from now on: kube-scheduler asks for the next pod before the bind of this one is seen.
std::optional<FilterDecision> OneNode(EngineState* state, PodRecord* pod,
                                      const FilterRequest& request, const Sorted& sorted,
                                      absl::Time now) {
  if (sorted.accepted.empty() || !state->cluster.rules().Concern(pod->pod.uid)) return std::nullopt;
  const int best = BestPosition(*state, *pod, request, sorted.accepted);
  ExpectAnswered(state, pod, state->cluster.FindNode(request.node_names[static_cast<size_t>(best)]),
                 now);
  state->refused_singles.erase(pod->pod.uid);
  FilterDecision decision;
  decision.accepted = {best};
  Reason other;
  other.code = ReasonCode::kNodeNotChosen;
  decision.refusals.push_back({{}, true, std::move(other)});
  return decision;
}

// A bind onto a node that is held by now: kept if the holder's plan stands or can be remade without
// that room.
bool HolderCanSpare(EngineState* state, Gang* holder) {
  if (PlanStillFits(state, *holder)) return true;
  std::optional<Plan> plan = ReplanInHeldDomain(state, *holder, nullptr);
  if (!plan.has_value()) return false;
  KeepHold(state, holder, *std::move(plan));
  return true;
}

// Who holds the node; several where it was relabelled into held domains of different keys.
std::vector<Gang*> HoldersOf(const EngineState& state, NodeIndex node) {
  std::vector<Gang*> holders;
  const TopologyIndex& topology = state.cluster.topology();
  for (size_t key = 0; key < topology.keys(); ++key) {
    const DomainIndex domain = topology.DomainOf(static_cast<TopologyKeyIndex>(key), node);
    Gang* const holder = domain == kNoDomain ? nullptr : state.ledger.HolderOf(domain);
    if (holder != nullptr) holders.push_back(holder);
  }
  return holders;
}

void BindSingle(EngineState* state, PodRecord* pod, NodeIndex node, CallId call, absl::Time now) {
  if (auto rejection = state->cluster.rules().Prepare(pod->pod.uid).Check(node)) {
    state->Emit(AnswerCall{call, Text(WhyAgainst(*state, node, *std::move(rejection)))});
    return;
  }
  if (auto rejection = NoRoomBesideBindings(*state, *pod, node)) {
    state->Emit(AnswerCall{call, Text(WhyNoRoom(*state, node, *std::move(rejection)))});
    return;
  }
  for (Gang* const holder : HoldersOf(*state, node)) JudgeIfMarked(state, holder, now);
  const std::vector<Gang*> holders = HoldersOf(*state, node);
  if (!holders.empty()) {
    state->cluster.Assume(pod, node);
    for (Gang* const holder : holders) {
      if (HolderCanSpare(state, holder)) continue;
      state->cluster.Unassume(pod);
      Reason reserved;
      reserved.code = ReasonCode::kNodeReserved;
      reserved.holders.push_back({state->cluster.topology().domain(holder->plan->domain).name,
                                  holder->name.ToString(), ""});
      state->Emit(AnswerCall{call, Text(reserved)});
      return;
    }
  }
  StartBinding(state, pod, node, call);
}

}  // namespace

FilterDecision FilterStandalone(EngineState* state, PodRecord* pod, const FilterRequest& request,
                                absl::Time now) {
  ForgetAnswer(state, pod);
  Sorted sorted = SortOffered(*state, *pod, request, -1, kNoDomain);
  const PreparedPod prepared = state->cluster.rules().Prepare(pod->pod.uid);
  if (prepared.has_rules()) TakeOutAgainst(*state, prepared, request, &sorted);
  if (auto decision = OneNode(state, pod, request, sorted, now)) return *std::move(decision);
  return Decide(state, std::move(sorted), request, *pod, Reason{});
}

FilterDecision FilterSurplus(EngineState* state, Gang* gang, PodRecord* pod,
                             const FilterRequest& request, absl::Time now) {
  const PodUid& uid = pod->pod.uid;
  ForgetAnswer(state, pod);
  gang->refused.erase(uid);
  if (const PodRecord* sibling = SurplusSibling(*state, *gang, *pod)) {
    return RefuseUntilGangChanges(state, gang, uid, WhyAwaiting(*state, *gang, *sibling));
  }
  const DomainIndex domain = gang->summary.domain;
  Sorted sorted = SortOffered(*state, *pod, request, gang->summary.key, domain);
  const PreparedPod prepared = state->cluster.rules().Prepare(uid);
  if (prepared.has_rules()) TakeOutAgainst(*state, prepared, request, &sorted);
  if (auto decision = OneNode(state, pod, request, sorted, now)) return *std::move(decision);
  Reason outside = WhyMember(*state, ReasonCode::kNodeNotInDomain, *gang, *pod);
  Reason against = WhyMember(*state, ReasonCode::kNoNodeForMember, *gang, *pod);
  for (auto& [rule, refused] : sorted.against) refused.why = against;
  const bool by_rules =
      sorted.accepted.empty() && sorted.reserved.empty() && !sorted.against.empty();
  FilterDecision decision = Decide(state, std::move(sorted), request, *pod, std::move(outside));
  if (by_rules && domain != kNoDomain) {
    state->refused_singles.erase(uid);
    gang->refused[uid] = std::move(against);
  }
  return decision;
}

bool MayLackRoom(const Gang& gang, const Reason& refused) {
  if (gang.state != GangState::kComplete || gang.marked) return false;
  if (gang.summary.domain == kNoDomain) return false;
  return refused.code == ReasonCode::kNoNodeForMember ||
         refused.code == ReasonCode::kNodeNotInDomain || refused.code == ReasonCode::kNodeUnknown;
}

Reason WithRoom(const EngineState& state, const Gang& gang, PodRecord* pod, const Reason& refused) {
  const GangShape shape =
      MakeShape({pod}, gang.summary.placed_live, 1, gang.summary.key, state.cluster);
  const std::vector<NodeIndex>& nodes = state.cluster.topology().domain(gang.summary.domain).nodes;
  std::vector<FixedSibling> placed;
  for (size_t i = 0; i < gang.summary.placed_live.size(); ++i) {
    placed.push_back({shape.kind_of_placed[i], gang.summary.placed_live[i]->node, false});
  }
  const PackingProblem problem = ProblemFor(shape, nodes, placed, false, state.cluster);
  Reason reason = WhyDomainTooSmall(state, gang, ReasonCode::kNoNodeForMember, gang.summary.domain,
                                    1, shape, problem);
  reason.pod = pod->pod.name;
  // Where there is room, it is kube-scheduler that leaves the node out.
  const bool by_siblings = refused.code == ReasonCode::kNoNodeForMember;
  return by_siblings || reason.domains[0].room == 0 ? reason : refused;
}

void BindStandalone(EngineState* state, PodRecord* pod, NodeIndex node, CallId call,
                    absl::Time now) {
  BindSingle(state, pod, node, call, now);
}

void BindSurplus(EngineState* state, const Gang& gang, PodRecord* pod, NodeIndex node, CallId call,
                 absl::Time now) {
  const bool inside =
      IsInside(state->cluster.topology(), gang.summary.key, gang.summary.domain, node);
  const PodRecord* const sibling = SurplusSibling(*state, gang, *pod);
  Reason why;
  if (!inside) {
    why = WhyMember(*state, ReasonCode::kNodeNotInDomain, gang, *pod);
  } else if (sibling != nullptr) {
    why = WhyAwaiting(*state, gang, *sibling);
  } else if (!state->cluster.rules().Prepare(pod->pod.uid).Allows(node)) {
    why = WhyMember(*state, ReasonCode::kNoNodeForMember, gang, *pod);
  }
  if (why.code != ReasonCode::kNone) {
    state->Emit(AnswerCall{call, Text(why)});
    return;
  }
  BindSingle(state, pod, node, call, now);
}

}  // namespace gangpack
