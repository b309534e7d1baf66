#include "core/engine_views.h"

#include <algorithm>

#include "absl/container/btree_set.h"
#include "core/explain.h"
#include "core/gang_life.h"

namespace gangpack {
namespace {

// Why a Pending pod is Pending: its gang's reason, else the reason of its own last refusal.
std::string MessageOf(const EngineState& state, const PodRecord& record, const Gang* gang) {
  if (record.pod.terminating) return "the pod is being deleted";
  if (gang != nullptr && gang->reason.code != ReasonCode::kNone) return DetailedText(gang->reason);
  if (gang != nullptr) {
    auto refused = gang->refused.find(record.pod.uid);
    if (refused != gang->refused.end()) return DetailedText(refused->second);
  }
  auto refused = state.refused_singles.find(record.pod.uid);
  return refused == state.refused_singles.end() ? "" : DetailedText(refused->second);
}

int64_t PlacedNow(const Gang& gang) {
  return gang.summary.placed + (gang.plan.has_value() ? gang.plan->waiting : 0);
}

// The domain a gang holds, or else the one where its members run.
DomainIndex DomainOf(const Gang& gang) {
  return gang.plan.has_value() ? gang.plan->domain : gang.summary.domain;
}

}  // namespace

std::vector<PodView> ViewPods(const EngineState& state) {
  std::vector<PodView> views;
  for (const PodRecord* record : state.cluster.PodsSorted()) {
    if (record->pod.scheduler_name != state.policy.scheduler_name || record->finished()) continue;
    const Gang* gang = state.GangOf(record->pod);
    PodView view;
    view.pod = record->pod.name;
    view.uid = record->pod.uid;
    if (gang != nullptr) view.gang = gang->name.ToString();
    if (const Waiter* waiter = state.permits.FindWaiter(record->pod.uid)) {
      view.state = PodState::kWaiting;
      view.node = state.cluster.node(waiter->node).object.name;
    } else if (record->placed()) {
      view.state = PodState::kBound;
      view.node = state.cluster.node(record->node).object.name;
    } else {
      view.message = MessageOf(state, *record, gang);
    }
    views.push_back(std::move(view));
  }
  return views;
}

std::vector<GangView> ViewGangs(const EngineState& state) {
  std::vector<GangView> views;
  for (const auto& [name, gang] : state.gangs) {
    if (!gang->group.has_value() && gang->members.empty()) continue;
    GangView view;
    view.gang = name;
    view.state = gang->state;
    if (gang->group.has_value()) view.topology_key = TopologyKeyOf(*gang->group, state.policy);
    const DomainIndex domain = DomainOf(*gang);
    if (domain != kNoDomain) view.domain = state.cluster.topology().domain(domain).name;
    view.min_member = std::max<int64_t>(0, gang->min_member());
    view.members = gang->summary.members;
    view.placed = PlacedNow(*gang);
    view.need = std::max<int64_t>(0, gang->min_member() - view.placed);
    if (gang->reason.code != ReasonCode::kNone) view.message = DetailedText(gang->reason);
    views.push_back(std::move(view));
  }
  return views;
}

std::vector<DomainView> ViewDomains(const EngineState& state) {
  absl::btree_set<std::string> keys;
  if (!state.policy.default_topology_key.empty()) keys.insert(state.policy.default_topology_key);
  for (const auto& [name, gang] : state.gangs) {
    if (!gang->group.has_value()) continue;
    const std::string key = TopologyKeyOf(*gang->group, state.policy);
    if (!key.empty()) keys.insert(key);
  }
  std::vector<DomainView> views;
  const TopologyIndex& topology = state.cluster.topology();
  for (const std::string& key : keys) {
    for (const auto& [name, index] : topology.DomainsByName(topology.FindKey(key))) {
      const Domain& domain = topology.domain(index);
      if (domain.nodes.empty()) continue;
      const Gang* holder = state.ledger.HolderOf(index);
      views.push_back({key, name, static_cast<int64_t>(domain.nodes.size()),
                       holder == nullptr ? "" : holder->name.ToString()});
    }
  }
  return views;
}

std::vector<ReservationView> ViewReservations(const EngineState& state) {
  std::vector<ReservationView> views;
  const TopologyIndex& topology = state.cluster.topology();
  for (const auto& [index, gang] : state.ledger.holders()) {
    const Plan& plan = *gang->plan;
    ReservationView view;
    view.topology_key = topology.KeyName(topology.domain(index).key);
    view.domain = topology.domain(index).name;
    view.gang = gang->name;
    if (gang->group.has_value()) view.group_uid = gang->group->uid;
    view.plan_number = plan.number;
    view.since = plan.since;
    view.ends = HoldEnds(state, *gang);
    for (const auto& [uid, node] : plan.nodes) {
      const PodRecord* record = state.cluster.FindPod(uid);
      if (record == nullptr) continue;
      const std::string& node_name = state.cluster.node(node).object.name;
      if (const Waiter* waiter = state.permits.FindWaiter(uid)) {
        view.waiters.push_back({record->pod.name, node_name, waiter->since,
                                waiter->since + TimeoutOf(*gang, state.policy)});
      } else {
        view.planned.push_back({record->pod.name, node_name, plan.since, view.ends});
      }
    }
    const auto by_name = [](const WaiterView& a, const WaiterView& b) { return a.pod < b.pod; };
    std::sort(view.waiters.begin(), view.waiters.end(), by_name);
    std::sort(view.planned.begin(), view.planned.end(), by_name);
    views.push_back(std::move(view));
  }
  std::sort(views.begin(), views.end(), [](const ReservationView& a, const ReservationView& b) {
    return std::tie(a.topology_key, a.domain) < std::tie(b.topology_key, b.domain);
  });
  return views;
}

}  // namespace gangpack
