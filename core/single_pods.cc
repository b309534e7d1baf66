#include "core/single_pods.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/explain.h"
#include "core/gang_judge.h"
#include "core/gang_life.h"
#include "core/gang_plan.h"
#include "core/predicates.h"
#include "core/scoring.h"
#include "core/shortage.h"
#include "core/surplus_rules.h"

namespace gangpack {
namespace {

// Offered nodes by what becomes of them.
struct Sorted {
  std::vector<int> accepted;
  std::vector<int> reserved;
  std::vector<int> against;  // rules between siblings
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

// `key` and `domain` restrict as in IsInside, unless `key` is -1.
Sorted SortOffered(const EngineState& state, const FilterRequest& request, TopologyKeyIndex key,
                   DomainIndex domain) {
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

// `outside` is why a node outside the gang's domain is refused, `against` one that rules between
// siblings exclude.
FilterDecision Decide(EngineState* state, Sorted sorted, const FilterRequest& request,
                      const PodRecord& pod, Reason outside, Reason against) {
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
                        : !sorted.outside.empty() ? outside
                                                  : unknown;
    state->refused_singles[pod.pod.uid] = why;
  } else {
    state->refused_singles.erase(pod.pod.uid);
  }
  AddRefusal(std::move(sorted.reserved), offered, std::move(reserved), &decision);
  AddRefusal(std::move(sorted.against), offered, std::move(against), &decision);
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

// Moves accepted nodes that rules between siblings exclude to `against`.
void TakeOutAgainstSiblings(const EngineState& state, const Gang& gang, PodRecord* pod,
                            const FilterRequest& request, Sorted* sorted) {
  std::vector<NodeIndex> nodes;
  for (const int position : sorted->accepted) {
    nodes.push_back(state.cluster.FindNode(request.node_names[static_cast<size_t>(position)]));
  }
  const std::vector<NodeIndex> against = NodesAgainstSiblings(state, gang, pod, nodes);
  if (against.empty()) return;
  std::vector<int> kept;
  for (size_t i = 0; i < nodes.size(); ++i) {
    const bool excluded = std::binary_search(against.begin(), against.end(), nodes[i]);
    (excluded ? sorted->against : kept).push_back(sorted->accepted[i]);
  }
  sorted->accepted = std::move(kept);
}

// The resource of which the pod asks for the largest share of all that the indexed domains have.
ResourceId ScarcestResource(const ResourceVector& request, const ResourceVector& total) {
  ResourceId scarcest = kCpuId;
  __int128 requested = 0;
  __int128 available = 1;
  for (size_t i = 0; i < request.size(); ++i) {
    const ResourceId id = static_cast<ResourceId>(i);
    if (id == kPodsId || request[i] <= 0 || AmountOf(total, id) <= 0) continue;
    // request / total > requested / available, by cross-multiplication.
    if (static_cast<__int128>(request[i]) * available <= requested * AmountOf(total, id)) continue;
    scarcest = id;
    requested = request[i];
    available = AmountOf(total, id);
  }
  return scarcest;
}

// A bind onto a node that is held by now: kept if the holder's plan stands or can be remade without
// that room.
bool HolderCanSpare(EngineState* state, Gang* holder) {
  if (PlanStillFits(*state, *holder)) return true;
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

// kube-scheduler has judged the room on the node, but it forgets bindings that are under way when
// it is restarted, so those are checked here: nullopt if there is none, or room beside them.
std::optional<NodeRejection> NoRoomBesideBindings(const EngineState& state, const PodRecord& pod,
                                                  NodeIndex index) {
  const NodeRecord& node = state.cluster.node(index);
  const bool binding = std::any_of(node.pods.begin(), node.pods.end(), [](const PodRecord* other) {
    return other->placement == Placement::kAssumed;
  });
  if (!binding) return std::nullopt;
  if (auto rejection = CheckHostPorts(pod.pod.spec.host_ports, node.used_ports)) return rejection;
  return CheckResources(pod.request, node.free(), state.cluster.resources());
}

void BindSingle(EngineState* state, PodRecord* pod, NodeIndex node, CallId call, absl::Time now) {
  if (auto rejection = NoRoomBesideBindings(*state, *pod, node)) {
    Reason why;
    why.code = ReasonCode::kNoRoomBesideBindings;
    why.note = Describe({state->cluster.node(node).object.name, *rejection});
    state->Emit(AnswerCall{call, Text(why)});
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

FilterDecision FilterStandalone(EngineState* state, PodRecord* pod, const FilterRequest& request) {
  return Decide(state, SortOffered(*state, request, -1, kNoDomain), request, *pod, Reason{},
                Reason{});
}

FilterDecision FilterSurplus(EngineState* state, Gang* gang, PodRecord* pod,
                             const FilterRequest& request) {
  const PodUid& uid = pod->pod.uid;
  gang->refused.erase(uid);
  if (const PodRecord* sibling = SurplusSibling(*state, *gang, *pod)) {
    return RefuseUntilGangChanges(state, gang, uid, WhyAwaiting(*state, *gang, *sibling));
  }
  const DomainIndex domain = gang->summary.domain;
  Sorted sorted = SortOffered(*state, request, gang->summary.key, domain);
  TakeOutAgainstSiblings(*state, *gang, pod, request, &sorted);
  Reason outside = WhyMember(*state, ReasonCode::kNodeNotInDomain, *gang, *pod);
  Reason against = WhyMember(*state, ReasonCode::kNoNodeForMember, *gang, *pod);
  const bool by_siblings =
      sorted.accepted.empty() && sorted.reserved.empty() && !sorted.against.empty();
  FilterDecision decision =
      Decide(state, std::move(sorted), request, *pod, std::move(outside), against);
  if (by_siblings && domain != kNoDomain) {
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
  const PackingProblem problem =
      ProblemFor(shape, nodes, PlacedSiblings(gang, shape), false, state.cluster);
  Reason reason = WhyDomainTooSmall(state, gang, ReasonCode::kNoNodeForMember, gang.summary.domain,
                                    1, shape, problem);
  reason.pod = pod->pod.name;
  // Where there is room, it is kube-scheduler that leaves the node out.
  const bool by_siblings = refused.code == ReasonCode::kNoNodeForMember;
  return by_siblings || reason.domains[0].room == 0 ? reason : refused;
}

std::vector<int64_t> ScoreStandalone(EngineState* state, const PodRecord& pod,
                                     const FilterRequest& request) {
  std::vector<int64_t> scores(request.node_names.size(), 0);
  const Policy& policy = state->policy;
  if (!policy.standalone_domain_packing || policy.default_topology_key.empty()) return scores;
  const TopologyIndex& topology = state->cluster.topology();
  const TopologyKeyIndex key = topology.FindKey(policy.default_topology_key);
  ResourceVector total;
  for (const auto& [name, domain] : topology.DomainsByName(key)) {
    for (const NodeIndex node : topology.domain(domain).nodes) {
      AddVector(state->cluster.node(node).allocatable, &total);
    }
  }
  const ResourceId scarcest = ScarcestResource(pod.request, total);
  std::vector<DomainFullness> fullness;
  absl::flat_hash_map<DomainIndex, size_t> position;
  for (const auto& [name, domain] : topology.DomainsByName(key)) {
    if (topology.domain(domain).nodes.empty()) continue;
    DomainFullness full;
    for (const NodeIndex index : topology.domain(domain).nodes) {
      const NodeRecord& node = state->cluster.node(index);
      ++full.nodes;
      if (node.breaking_pods > 0) ++full.nodes_in_use;
      full.scarcest_used = SaturatingAdd(full.scarcest_used, AmountOf(node.used, scarcest));
      full.scarcest_total =
          SaturatingAdd(full.scarcest_total, AmountOf(node.allocatable, scarcest));
    }
    position[domain] = fullness.size();
    fullness.push_back(full);
  }
  const PackingScores packing = ScoreDomains(fullness);
  for (size_t i = 0; i < scores.size(); ++i) {
    const NodeIndex node = state->cluster.FindNode(request.node_names[i]);
    const DomainIndex domain = node == kNoNode ? kNoDomain : topology.DomainOf(key, node);
    scores[i] = domain == kNoDomain ? packing.unlabelled : packing.domain[position.at(domain)];
  }
  return scores;
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
  } else if (!NodesAgainstSiblings(*state, gang, pod, {node}).empty()) {
    why = WhyMember(*state, ReasonCode::kNoNodeForMember, gang, *pod);
  }
  if (why.code != ReasonCode::kNone) {
    state->Emit(AnswerCall{call, Text(why)});
    return;
  }
  BindSingle(state, pod, node, call, now);
}

}  // namespace gangpack
