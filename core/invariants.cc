#include "core/invariants.h"

#include <algorithm>
#include <string>

#include "absl/container/btree_map.h"
#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "core/gang_life.h"

namespace gangpack {
namespace {

absl::Status Broken(int number, std::string what) {
  return absl::InternalError(absl::StrCat("invariant ", number, ": ", std::move(what)));
}

absl::Status CheckNode(const EngineState& state, NodeIndex index) {
  const NodeRecord& node = state.cluster.node(index);
  ResourceVector used;
  std::vector<HostPort> ports;
  int breaking = 0;
  for (const PodRecord* pod : node.pods) {
    if (pod->node != index || pod->placement == Placement::kNone || pod->finished()) {
      return Broken(1, absl::StrCat(pod->pod.name.ToString(), " is listed on ", node.object.name,
                                    " but not placed there"));
    }
    AddVector(pod->request, &used);
    const std::vector<HostPort>& of_pod = pod->pod.spec.host_ports;
    ports.insert(ports.end(), of_pod.begin(), of_pod.end());
    if (!pod->pod.daemon_set && !pod->pod.mirror) ++breaking;
  }
  for (size_t i = 0; i < std::max(used.size(), node.used.size()); ++i) {
    const ResourceId id = static_cast<ResourceId>(i);
    if (AmountOf(used, id) != AmountOf(node.used, id)) {
      return Broken(1, absl::StrCat(node.object.name, " uses ", AmountOf(used, id), " of ",
                                    state.cluster.resources().Name(id), ", recorded ",
                                    AmountOf(node.used, id)));
    }
  }
  const bool same_ports = std::is_permutation(ports.begin(), ports.end(), node.used_ports.begin(),
                                              node.used_ports.end());
  if (!same_ports || breaking != node.breaking_pods) {
    return Broken(1, absl::StrCat("ports or breaking pods of ", node.object.name));
  }
  const TopologyIndex& topology = state.cluster.topology();
  for (size_t k = 0; k < topology.keys(); ++k) {
    const TopologyKeyIndex key = static_cast<TopologyKeyIndex>(k);
    auto label = node.object.labels.find(topology.KeyName(key));
    const std::string expected =
        node.exists && label != node.object.labels.end() ? label->second : "";
    const DomainIndex domain = topology.DomainOf(key, index);
    const std::string actual = domain == kNoDomain ? "" : topology.domain(domain).name;
    if (expected != actual) {
      return Broken(2, absl::StrCat(node.object.name, " is in domain '", actual,
                                    "', its label says '", expected, "'"));
    }
    if (domain == kNoDomain) continue;
    const std::vector<NodeIndex>& listed = topology.domain(domain).nodes;
    if (std::find(listed.begin(), listed.end(), index) == listed.end()) {
      return Broken(2, absl::StrCat("domain ", actual, " does not list ", node.object.name));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckPods(const EngineState& state) {
  for (const PodRecord* pod : state.cluster.PodsSorted()) {
    if (pod->placement == Placement::kNone || pod->node == kNoNode) continue;
    if (pod->finished()) continue;
    const std::vector<PodRecord*>& listed = state.cluster.node(pod->node).pods;
    if (std::find(listed.begin(), listed.end(), pod) == listed.end()) {
      return Broken(
          1, absl::StrCat(pod->pod.name.ToString(), " is placed on ",
                          state.cluster.node(pod->node).object.name, " but not listed there"));
    }
  }
  return absl::OkStatus();
}

// Where the rules between pods count each pod: on its node, or else where it is planned or was
// answered with.
absl::Status CheckExpectations(const EngineState& state) {
  absl::flat_hash_map<PodUid, NodeIndex> planned;
  for (const auto& [name, gang] : state.gangs) {
    if (!gang->plan.has_value()) continue;
    for (const auto& [uid, node] : gang->plan->nodes) planned[uid] = node;
  }
  size_t answered = 0;
  for (const PodRecord* pod : state.cluster.PodsSorted()) {
    const std::string name = pod->pod.name.ToString();
    const auto plan = planned.find(pod->pod.uid);
    const bool has_answer = state.answers.Has(pod->pod.uid);
    answered += has_answer ? 1 : 0;
    if (plan != planned.end() ? has_answer || pod->expected != plan->second
                              : has_answer != (pod->expected != kNoNode)) {
      return Broken(11, name + " is not expected exactly where it is planned or was answered with");
    }
    const RulePod* const counted = state.cluster.rules().Find(pod->pod.uid);
    const NodeIndex node = pod->finished() ? kNoNode : pod->placed() ? pod->node : pod->expected;
    if (counted == nullptr || counted->node != node) {
      return Broken(12, name + " is counted on another node than its own");
    }
  }
  if (answered != state.answers.size() || state.cluster.rules().pods() != state.cluster.pods()) {
    return Broken(12, "a pod that is gone is counted or was answered");
  }
  return absl::OkStatus();
}

absl::Status CheckDomains(const EngineState& state) {
  const TopologyIndex& topology = state.cluster.topology();
  for (size_t d = 0; d < topology.domains(); ++d) {
    const Domain& domain = topology.domain(static_cast<DomainIndex>(d));
    for (size_t i = 0; i < domain.nodes.size(); ++i) {
      if (topology.DomainOf(domain.key, domain.nodes[i]) != static_cast<DomainIndex>(d)) {
        return Broken(2, absl::StrCat("domain ", domain.name, " lists a node that is not in it"));
      }
      if (i > 0 && state.cluster.node(domain.nodes[i - 1]).object.name >=
                       state.cluster.node(domain.nodes[i]).object.name) {
        return Broken(2, absl::StrCat("nodes of domain ", domain.name, " are not sorted"));
      }
    }
  }
  return absl::OkStatus();
}

absl::Status CheckPlan(const EngineState& state, const Gang& gang) {
  const std::string name = gang.name.ToString();
  const Plan& plan = *gang.plan;
  if (state.ledger.HolderOf(plan.domain) != &gang)
    return Broken(3, name + " has a plan without a hold");
  if (!state.deadlines.contains({plan.deadline, gang.name}))
    return Broken(8, name + " has no deadline");
  if (!gang.marked && plan.deadline != HoldEnds(state, gang))
    return Broken(8, name + " has a deadline that is not when its hold ends");
  int waiting = 0;
  for (const auto& [uid, node] : plan.nodes) {
    const Waiter* waiter = state.permits.FindWaiter(uid);
    if (waiter == nullptr) continue;
    ++waiting;
    if (waiter->node != node)
      return Broken(5, name + " has a member waiting on a node not planned for it");
  }
  if (waiting != plan.waiting || plan.arrivals.size() != static_cast<size_t>(waiting))
    return Broken(5, name + " counts its waiting members wrongly");
  if (!gang.marked && gang.summary.placed + waiting >= gang.min_member() && waiting > 0) {
    return Broken(6, name + " has enough members and still lets them wait");
  }
  return absl::OkStatus();
}

// Pods that are woken when what they were refused for has changed.
absl::Status CheckRefused(const EngineState& state, const PodUid& uid, bool member) {
  const PodRecord* const pod = state.cluster.FindPod(uid);
  if (pod == nullptr) return Broken(10, absl::StrCat("pod ", uid.value, " is gone but refused"));
  const std::string name = pod->pod.name.ToString();
  if (pod->placed() || pod->finished()) return Broken(10, name + " is placed but refused");
  if (state.permits.FindWaiter(uid) != nullptr) return Broken(10, name + " waits but is refused");
  if (member && state.refused_singles.contains(uid)) {
    return Broken(10, name + " is refused both by itself and as a member");
  }
  return absl::OkStatus();
}

absl::Status CheckAllRefused(const EngineState& state) {
  for (const auto& [name, gang] : state.gangs) {
    for (const auto& [uid, reason] : gang->refused) {
      absl::Status status = CheckRefused(state, uid, /*member=*/true);
      if (!status.ok()) return status;
    }
  }
  for (const auto& [uid, reason] : state.refused_singles) {
    absl::Status status = CheckRefused(state, uid, /*member=*/false);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status CheckGangs(const EngineState& state) {
  size_t plans = 0;
  size_t wanting = 0;
  size_t marked = 0;
  int waiting = 0;
  absl::btree_map<NodeIndex, const Gang*> planned_by;
  for (const auto& [name, gang] : state.gangs) {
    if (!gang->marked && gang->plan.has_value() != (gang->state == GangState::kPlacing)) {
      return Broken(9, name.ToString() + " is Placing without a plan, or has one and is not");
    }
    if (gang->plan.has_value()) {
      ++plans;
      for (const auto& [uid, node] : gang->plan->nodes) {
        const auto [other, added] = planned_by.try_emplace(node, gang.get());
        if (added || other->second == gang.get()) continue;
        return Broken(4, absl::StrCat(state.cluster.node(node).object.name, " is planned by ",
                                      name.ToString(), " and ", other->second->name.ToString()));
      }
      waiting += gang->plan->waiting;
      absl::Status status = CheckPlan(state, *gang);
      if (!status.ok()) return status;
    }
    wanting += gang->wanting ? 1 : 0;
    marked += gang->marked ? 1 : 0;
    if (gang->wanting && (gang->plan.has_value() || !state.wanting.contains(gang.get()))) {
      return Broken(7, name.ToString() + " wants a plan but has one or is not listed");
    }
    const bool listed =
        std::find(state.marked.begin(), state.marked.end(), gang.get()) != state.marked.end();
    if (gang->marked != listed) {
      return Broken(7, name.ToString() + (listed ? " is listed as marked but is not"
                                                 : " is marked but not listed"));
    }
  }
  if (plans != state.ledger.holders().size()) return Broken(3, "a hold belongs to no plan");
  if (plans != state.deadlines.size()) return Broken(8, "a deadline belongs to no plan");
  if (wanting != state.wanting.size() || marked != state.marked.size()) {
    return Broken(7, "lists of marked and wanting gangs");
  }
  if (static_cast<size_t>(waiting) != state.permits.waiters().size()) {
    return Broken(5, "a member waits that no plan counts");
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckInvariants(const EngineState& state) {
  for (size_t n = 0; n < state.cluster.nodes(); ++n) {
    absl::Status status = CheckNode(state, static_cast<NodeIndex>(n));
    if (!status.ok()) return status;
  }
  absl::Status status = CheckPods(state);
  if (!status.ok()) return status;
  status = CheckDomains(state);
  if (!status.ok()) return status;
  status = CheckGangs(state);
  if (!status.ok()) return status;
  status = CheckAllRefused(state);
  if (!status.ok()) return status;
  return CheckExpectations(state);
}

}  // namespace gangpack
