#include "core/shortage.h"

#include <algorithm>
#include <optional>

#include "absl/strings/str_cat.h"
#include "core/domain_ranking.h"
#include "core/explain.h"
#include "core/packing.h"
#include "core/packing_rules.h"
#include "core/predicates.h"
#include "core/room.h"

namespace gangpack {
namespace {

// Whom a rule between pods keeps a kind from, as far as pods that have a node go; nullopt if
// nobody.
std::optional<NodeRejection> PodRuleRejectionOf(const EngineState& state, const GangShape& shape,
                                                size_t kind, NodeIndex index) {
  const PodRules& rules = state.cluster.rules();
  if (!rules.Knows(shape.speakers[kind])) return std::nullopt;
  const auto rejection = rules.Prepare(shape.speakers[kind]).Check(index);
  if (!rejection.has_value()) return std::nullopt;
  return NodeRejection{NodeRule::kPodRule, DescribePodRule(*rejection), 0, 0};
}

std::optional<NodeRejection> AnyPodRuleRejection(const EngineState& state, const GangShape& shape,
                                                 const PackingProblem& problem, NodeIndex index) {
  for (size_t kind = 0; kind < shape.specs.size(); ++kind) {
    if (problem.kinds[kind].demand == 0) continue;
    if (auto rejection = PodRuleRejectionOf(state, shape, kind, index)) return rejection;
  }
  return std::nullopt;
}

// Whether spread, of the pods that have a node, keeps the first kind that is to be placed from the
// node.
std::optional<NodeRejection> SpreadRejectionOf(const EngineState& state, const GangShape& shape,
                                               const PackingProblem& problem, NodeIndex index) {
  if (problem.spread.empty()) return std::nullopt;
  for (size_t kind = 0; kind < shape.specs.size(); ++kind) {
    if (problem.kinds[kind].demand == 0) continue;
    const PodRules& rules = state.cluster.rules();
    if (rules.Prepare(shape.speakers[kind]).FirstRule(index) != PodRule::kSpread) continue;
    return PodRuleRejectionOf(state, shape, kind, index);
  }
  return std::nullopt;
}

// Why the first kind that is to be placed cannot use the node: it speaks for all where none can.
std::optional<NodeRejection> RejectionOf(const EngineState& state, const GangShape& shape,
                                         const PackingProblem& problem, size_t node_at,
                                         NodeIndex index) {
  const NodeRecord& node = state.cluster.node(index);
  for (size_t kind = 0; kind < shape.specs.size(); ++kind) {
    if (problem.kinds[kind].demand == 0) continue;
    const PodSpec& spec = shape.specs[kind];
    if (auto rejection = CheckNodeObject(spec, node.object)) return rejection;
    if (auto rejection = CheckHostPorts(spec.host_ports, node.used_ports)) return rejection;
    const ResourceVector& request = problem.kinds[kind].request;
    if (auto rejection =
            CheckResources(request, problem.nodes[node_at].free, state.cluster.resources())) {
      if (Fits(request, node.free())) return NodeRejection{NodeRule::kWaiting, "", 0, 0};
      return rejection;
    }
    return PodRuleRejectionOf(state, shape, kind, index);
  }
  return std::nullopt;
}

// Why the first kind that is to be placed could never use the node as it is.
std::optional<NodeRejection> LastingRejectionOf(const EngineState& state, const GangShape& shape,
                                                const PackingProblem& problem, NodeIndex index) {
  const NodeRecord& node = state.cluster.node(index);
  for (size_t kind = 0; kind < shape.specs.size(); ++kind) {
    if (problem.kinds[kind].demand == 0) continue;
    if (auto rejection = CheckNodeAffinity(shape.specs[kind], node.object)) return rejection;
    return CheckResources(problem.kinds[kind].request, node.allocatable, state.cluster.resources());
  }
  return std::nullopt;
}

// When empty, cordons and taints do not count, so they are named instead.
std::optional<NodeRejection> TemporaryRejectionOf(const EngineState& state, const GangShape& shape,
                                                  const PackingProblem& problem, NodeIndex index) {
  const Node& node = state.cluster.node(index).object;
  for (size_t kind = 0; kind < shape.specs.size(); ++kind) {
    if (problem.kinds[kind].demand == 0) continue;
    if (auto rejection = CheckUnschedulable(shape.specs[kind], node)) return rejection;
    if (auto rejection = CheckTaints(shape.specs[kind], node)) return rejection;
  }
  return std::nullopt;
}

// Per node 1 if no kind that is to be placed can go there beside the siblings that are placed;
// empty if there is no such node.
std::vector<uint8_t> AgainstSiblings(const PackingProblem& problem) {
  std::vector<int> wanted;
  for (size_t kind = 0; kind < problem.kinds.size(); ++kind) {
    if (problem.kinds[kind].demand > 0) wanted.push_back(static_cast<int>(kind));
  }
  const std::vector<uint8_t> blocked = ReducePackingRules(problem, wanted).blocked;
  std::vector<uint8_t> against(blocked.empty() ? 0 : problem.nodes.size(), 1);
  for (size_t i = 0; i < blocked.size(); ++i) {
    if (blocked[i] == 0) against[i / wanted.size()] = 0;
  }
  return against;
}

// Without the room, which the caller knows.
DomainShortage ShortageOf(const EngineState& state, const GangShape& shape, DomainIndex domain,
                          const PackingProblem& problem, bool when_empty) {
  const Domain& record = state.cluster.topology().domain(domain);
  DomainShortage shortage;
  shortage.domain = record.name;
  const std::vector<int64_t> rooms = NodeRooms(problem);
  const std::vector<uint8_t> against = AgainstSiblings(problem);
  for (size_t i = 0; i < record.nodes.size(); ++i) {
    std::optional<NodeRejection> rejection;
    if (rooms[i] == 0) {
      rejection = when_empty ? LastingRejectionOf(state, shape, problem, record.nodes[i])
                             : RejectionOf(state, shape, problem, i, record.nodes[i]);
    } else if (!against.empty() && against[i] != 0) {
      if (!when_empty) rejection = AnyPodRuleRejection(state, shape, problem, record.nodes[i]);
      if (!rejection.has_value()) rejection = NodeRejection{NodeRule::kSiblings, "", 0, 0};
    } else if (when_empty) {
      rejection = TemporaryRejectionOf(state, shape, problem, record.nodes[i]);
    } else {
      rejection = SpreadRejectionOf(state, shape, problem, record.nodes[i]);
    }
    if (!rejection.has_value()) continue;
    if (shortage.nodes.size() < static_cast<size_t>(state.policy.detail_nodes_max)) {
      shortage.nodes.push_back({state.cluster.node(record.nodes[i]).object.name, *rejection});
    } else {
      ++shortage.nodes_more;
    }
  }
  return shortage;
}

void AddShortDomains(const EngineState& state, const DomainRanking& ranking, bool when_empty,
                     Reason* reason) {
  const GangShape& shape = ranking.shape();
  const int limit = when_empty ? 1 : state.policy.detail_domains_max;
  for (const auto& [key, domain] : when_empty ? ranking.short_when_empty() : ranking.short_now()) {
    const DomainFit& fit = ranking.fit(domain);
    reason->search_limit_reached = reason->search_limit_reached || fit.limit_reached ||
                                   (when_empty && fit.limit_reached_when_empty);
    if (static_cast<int>(reason->domains.size()) >= limit) {
      ++reason->domains_more;
      continue;
    }
    const PackingProblem problem = ProblemFor(shape, state.cluster.topology().domain(domain).nodes,
                                              {}, when_empty, state.cluster);
    DomainShortage shortage = ShortageOf(state, shape, domain, problem, when_empty);
    shortage.room = -key;
    shortage.of = shape.need;
    shortage.at_least = when_empty ? fit.at_least_when_empty : fit.at_least;
    reason->domains.push_back(std::move(shortage));
  }
}

}  // namespace

Reason WhyMember(const EngineState& state, ReasonCode code, const Gang& gang,
                 const PodRecord& pod) {
  Reason reason;
  reason.code = code;
  reason.gang = gang.name;
  reason.pod = pod.pod.name;
  const TopologyIndex& topology = state.cluster.topology();
  const DomainIndex domain = gang.plan.has_value() ? gang.plan->domain : gang.summary.domain;
  if (domain != kNoDomain) reason.domain = topology.domain(domain).name;
  reason.topology_key = topology.KeyName(gang.summary.key);
  return reason;
}

Reason WhyReserved(const EngineState& state, const Gang& gang,
                   const std::vector<std::pair<DomainIndex, const Gang*>>& held) {
  Reason reason;
  reason.code = ReasonCode::kEveryDomainReserved;
  reason.gang = gang.name;
  for (const auto& [domain, holder] : held) {
    if (static_cast<int>(reason.holders.size()) >= state.policy.detail_domains_max) {
      ++reason.domains_more;
      continue;
    }
    const TopologyIndex& topology = state.cluster.topology();
    const DomainIndex own = holder->plan->domain;
    reason.holders.push_back({topology.domain(domain).name, holder->name.ToString(),
                              own == domain ? "" : topology.domain(own).name});
  }
  return reason;
}

Reason WhyNoDomain(const EngineState& state, const Gang& gang, const DomainRanking& ranking) {
  std::vector<std::pair<DomainIndex, const Gang*>> held;
  for (const DomainRanking::Ranked* fits : {&ranking.fits_all(), &ranking.fits_need()}) {
    for (const auto& [room, domain] : *fits) {
      const Gang* holder = state.ledger.HolderOverlapping(domain, &gang, state.cluster.topology());
      if (holder != nullptr) held.push_back({domain, holder});
    }
  }
  if (!held.empty()) return WhyReserved(state, gang, held);
  Reason reason;
  reason.code = ReasonCode::kNoDomainHasRoom;
  reason.gang = gang.name;
  reason.topology_key = state.cluster.topology().KeyName(gang.summary.key);
  reason.want = ranking.shape().need;
  reason.empty_labels = state.cluster.topology().EmptyLabels(gang.summary.key);
  // A domain that fits and is not held was given up by the search for a plan.
  reason.search_limit_reached = !ranking.fits_all().empty() || !ranking.fits_need().empty();
  const auto& empty = ranking.short_when_empty();
  reason.when_empty = !reason.search_limit_reached && !empty.empty() &&
                      -empty.begin()->first < ranking.shape().need;
  AddShortDomains(state, ranking, reason.when_empty, &reason);
  return reason;
}

Reason WhyAwaiting(const EngineState& state, const Gang& gang, const PodRecord& sibling) {
  Reason reason;
  reason.code = ReasonCode::kSiblingNotPlaced;
  reason.gang = gang.name;
  reason.pod = sibling.pod.name;
  if (sibling.pod.gates > 0) {
    reason.note = absl::StrCat("it has ", Counted(sibling.pod.gates, "scheduling gate"));
  } else if (sibling.pod.scheduler_name != state.policy.scheduler_name) {
    reason.note = absl::StrCat("it names scheduler ", sibling.pod.scheduler_name);
  }
  return reason;
}

Reason WhyDomainTooSmall(const EngineState& state, const Gang& gang, ReasonCode code,
                         DomainIndex domain, int need, const GangShape& shape,
                         const PackingProblem& problem) {
  Reason reason;
  reason.code = code;
  reason.gang = gang.name;
  reason.domain = state.cluster.topology().domain(domain).name;
  const RoomAnswer answer = EvaluateFor(need, problem, state.Limits());
  DomainShortage shortage = ShortageOf(state, shape, domain, problem, /*when_empty=*/false);
  shortage.room = std::min(answer.most_placed, need);
  shortage.of = need;
  shortage.at_least = answer.at_least;
  reason.domains.push_back(std::move(shortage));
  reason.search_limit_reached = answer.limit_reached;
  return reason;
}

}  // namespace gangpack
