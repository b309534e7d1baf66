#include "core/plan_fit.h"

#include <algorithm>
#include <optional>

#include "absl/strings/str_cat.h"
#include "core/expectations.h"
#include "core/explain.h"
#include "core/gang_shape.h"
#include "core/predicates.h"
#include "core/sibling_rules.h"

namespace gangpack {
namespace {

// Why the members planned on one node, which exists, have no room there together; nullopt if they
// have.
std::optional<NodeRejection> RejectionOf(const EngineState& state, NodeIndex index,
                                         const std::vector<const PodRecord*>& pods) {
  const NodeRecord& node = state.cluster.node(index);
  ResourceVector free = node.free();
  std::vector<HostPort> ports = node.used_ports;
  for (const PodRecord* pod : pods) {
    const PodSpec& spec = pod->pod.spec;
    if (auto rejection = CheckNodeObject(spec, node.object)) return rejection;
    if (auto rejection = CheckHostPorts(spec.host_ports, ports)) return rejection;
    if (!Fits(pod->request, free)) {
      return CheckResources(pod->request, free, state.cluster.resources());
    }
    free = FreeOf(free, pod->request);
    ports.insert(ports.end(), spec.host_ports.begin(), spec.host_ports.end());
  }
  return std::nullopt;
}

// Whether affinity and anti-affinity allow every planned member where it is expected beside all
// others.
bool TermsHold(const EngineState& state, const PodsByNode& by_node) {
  const PodRules& rules = state.cluster.rules();
  for (const auto& [node, pods] : by_node) {
    for (const PodRecord* pod : pods) {
      if (!rules.Concern(pod->pod.uid)) continue;
      if (!rules.Prepare(pod->pod.uid).AllowsByTerms(node)) return false;
    }
  }
  return true;
}

// Whether the planned members can still be placed there one after the other as spread asks for.
bool SpreadStillHolds(EngineState* state, const Gang& gang) {
  const Plan& plan = *gang.plan;
  std::vector<PodRecord*> members;
  for (const auto& [uid, node] : plan.nodes) members.push_back(gang.members.at(uid));
  if (std::all_of(members.begin(), members.end(), [](const PodRecord* member) {
        return member->pod.spec.topology_spread.empty();
      })) {
    return true;
  }
  const LiftedPlan lifted(state, plan, LiftedPlan::Which::kAll);
  const GangShape shape =
      MakeShape(members, gang.summary.placed_live, static_cast<int>(members.size()),
                gang.summary.key, state->cluster);
  const std::vector<NodeIndex>& nodes = state->cluster.topology().domain(plan.domain).nodes;
  const PackingProblem problem = ProblemFor(shape, nodes, {}, false, state->cluster);
  std::vector<int> node_of_member;
  for (const auto& [uid, node] : plan.nodes) {
    node_of_member.push_back(
        static_cast<int>(std::find(nodes.begin(), nodes.end(), node) - nodes.begin()));
  }
  return SpreadHolds(problem, shape.kind_of_member, node_of_member);
}

}  // namespace

std::string FirstMisfit(const EngineState& state, const PodsByNode& by_node) {
  for (const auto& [index, pods] : by_node) {
    const NodeRecord& node = state.cluster.node(index);
    if (!node.exists) return absl::StrCat(node.object.name, " is gone");
    if (auto rejection = RejectionOf(state, index, pods)) {
      return Describe({node.object.name, *rejection});
    }
  }
  return "";
}

bool PlanStillFits(EngineState* engine, const Gang& gang) {
  const EngineState& state = *engine;
  const Plan& plan = *gang.plan;
  const TopologyIndex& topology = state.cluster.topology();
  if (topology.domain(plan.domain).key != gang.summary.key) return false;
  if (gang.summary.domain != kNoDomain && gang.summary.domain != plan.domain) return false;
  for (const AwaitedSibling& awaited : gang.summary.awaiting) {
    if (plan.nodes.contains(awaited.member->pod.uid)) return false;
  }
  PodsByNode by_node;
  for (const auto& [uid, node] : plan.nodes) {
    const auto member = gang.members.find(uid);
    if (member == gang.members.end()) return false;
    const PodRecord* const pod = member->second;
    if (!pod->eligible(state.policy.scheduler_name)) return false;
    if (topology.DomainOf(gang.summary.key, node) != plan.domain) return false;
    by_node[node].push_back(pod);
  }
  return FirstMisfit(state, by_node).empty() && TermsHold(state, by_node) &&
         SpreadStillHolds(engine, gang);
}

}  // namespace gangpack
