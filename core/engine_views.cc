#include "core/engine_views.h"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/container/btree_set.h"
#include "absl/strings/str_cat.h"
#include "core/explain.h"
#include "core/gang_judge.h"
#include "core/gang_life.h"
#include "core/single_pods.h"

namespace gangpack {
namespace {

// Its own last refusal; nullptr if it was never refused or has passed since.
const Reason* RefusalOf(const EngineState& state, const PodRecord& record, const Gang* gang) {
  if (gang != nullptr) {
    const auto refused = gang->refused.find(record.pod.uid);
    if (refused != gang->refused.end()) return &refused->second;
  }
  const auto refused = state.refused_singles.find(record.pod.uid);
  return refused == state.refused_singles.end() ? nullptr : &refused->second;
}

int64_t PlacedNow(const Gang& gang) {
  return gang.summary.placed + (gang.plan.has_value() ? gang.plan->waiting : 0);
}

// The domain a gang holds, or else the one where its members run.
DomainIndex DomainOf(const Gang& gang) {
  return gang.plan.has_value() ? gang.plan->domain : gang.summary.domain;
}

// Makes one page of pods.
class PodLister {
 public:
  explicit PodLister(EngineState* state) : state_(state) {}

  PodPage Run(const PodPosition& after) {
    const SortedPods& pods = state_->cluster.PodsSorted();
    int looked_at = 0;
    for (auto it = pods.upper_bound(after); it != pods.end(); ++it) {
      if (looked_at++ == state_->policy.views_per_slice || !List(*it)) {
        page_.more = true;
        break;
      }
      page_.next = {(*it)->pod.name, (*it)->pod.uid};
    }
    return std::move(page_);
  }

 private:
  // False if the pod is left to the next page, since too many reasons were worked out for this one.
  bool List(PodRecord* record) {
    if (record->pod.scheduler_name != state_->policy.scheduler_name || record->finished()) {
      return true;
    }
    Gang* const gang = state_->GangOf(record->pod);
    PodView view;
    view.pod = record->pod.name;
    view.uid = record->pod.uid;
    if (gang != nullptr) view.gang = gang->name.ToString();
    if (const Waiter* waiter = state_->permits.FindWaiter(record->pod.uid)) {
      view.state = PodState::kWaiting;
      view.node = state_->cluster.node(waiter->node).object.name;
    } else if (record->placed()) {
      const NodeRecord& node = state_->cluster.node(record->node);
      view.state = PodState::kBound;
      view.node = node.object.name;
      if (!node.exists) view.message = absl::StrCat("node ", view.node, " does not exist");
    } else if (!Explain(record, gang, &view.message)) {
      return false;
    }
    page_.views.push_back(std::move(view));
    return true;
  }

  // Why a Pending pod is Pending: its gang's reason, else the reason of its own last refusal. False
  // if that is too much for this page.
  bool Explain(PodRecord* record, Gang* gang, std::string* message) {
    if (record->pod.terminating) {
      *message = "the pod is being deleted";
      return true;
    }
    if (gang != nullptr && ReasonIsOld(*state_, *gang)) {
      if (!MayJudge()) return false;
      RefreshReason(state_, gang);
    }
    if (gang != nullptr && gang->reason.code != ReasonCode::kNone) {
      *message = GangText(gang);
      return true;
    }
    const Reason* const refused = RefusalOf(*state_, *record, gang);
    if (refused == nullptr) return true;
    if (gang == nullptr || !MayLackRoom(*gang, *refused)) {
      *message = DetailedText(*refused);
      return true;
    }
    if (!MayJudge()) return false;
    *message = DetailedText(WithRoom(*state_, *gang, record, *refused));
    return true;
  }

  bool MayJudge() {
    if (page_.judged == state_->policy.judged_gangs_per_slice) return false;
    ++page_.judged;
    return true;
  }

  // Members of a gang mostly follow each other, and all show the same.
  const std::string& GangText(const Gang* gang) {
    if (gang != told_) text_ = DetailedText(gang->reason);
    told_ = gang;
    return text_;
  }

  EngineState* const state_;
  PodPage page_;
  const Gang* told_ = nullptr;
  std::string text_;
};

GangView ViewOf(const EngineState& state, const Gang& gang) {
  GangView view;
  view.gang = gang.name;
  view.state = gang.state;
  if (gang.group.has_value()) view.topology_key = TopologyKeyOf(*gang.group, state.policy);
  const DomainIndex domain = DomainOf(gang);
  if (domain != kNoDomain) view.domain = state.cluster.topology().domain(domain).name;
  view.min_member = std::max<int64_t>(0, gang.min_member());
  view.members = gang.summary.members;
  view.placed = PlacedNow(gang);
  view.need = std::max<int64_t>(0, gang.min_member() - view.placed);
  Reason reason = gang.reason;
  NameLost(gang.summary, state.policy, &reason);
  view.message = DetailedText(reason);
  return view;
}

ReservationView ViewOfHold(const EngineState& state, const Gang& gang) {
  const TopologyIndex& topology = state.cluster.topology();
  const Plan& plan = *gang.plan;
  ReservationView view;
  view.topology_key = topology.KeyName(topology.domain(plan.domain).key);
  view.domain = topology.domain(plan.domain).name;
  view.gang = gang.name;
  if (gang.group.has_value()) view.group_uid = gang.group->uid;
  view.plan_number = plan.number;
  view.since = plan.since;
  view.ends = HoldEnds(state, gang);
  for (const auto& [uid, node] : plan.nodes) {
    const PodRecord* record = state.cluster.FindPod(uid);
    if (record == nullptr) continue;
    const std::string& node_name = state.cluster.node(node).object.name;
    if (const Waiter* waiter = state.permits.FindWaiter(uid)) {
      view.waiters.push_back({record->pod.name, node_name, waiter->since,
                              waiter->since + TimeoutOf(gang, state.policy)});
    } else {
      view.planned.push_back({record->pod.name, node_name, plan.since, view.ends});
    }
  }
  const auto by_name = [](const WaiterView& a, const WaiterView& b) { return a.pod < b.pod; };
  std::sort(view.waiters.begin(), view.waiters.end(), by_name);
  std::sort(view.planned.begin(), view.planned.end(), by_name);
  return view;
}

}  // namespace

PodPage ViewPods(EngineState* state, const PodPosition& after) {
  return PodLister(state).Run(after);
}

GangPage ViewGangs(EngineState* state, const NamespacedName& after) {
  GangPage page;
  int looked_at = 0;
  for (auto it = state->gangs.upper_bound(after); it != state->gangs.end(); ++it) {
    Gang* const gang = it->second.get();
    const bool is_old = ReasonIsOld(*state, *gang);
    if (looked_at++ == state->policy.views_per_slice ||
        (is_old && page.judged == state->policy.judged_gangs_per_slice)) {
      page.more = true;
      break;
    }
    page.next = gang->name;
    if (is_old) {
      RefreshReason(state, gang);
      ++page.judged;
    }
    if (gang->group.has_value() || !gang->members.empty()) {
      page.views.push_back(ViewOf(*state, *gang));
    }
  }
  return page;
}

DomainPage ViewDomains(const EngineState& state, const DomainPosition& after) {
  absl::btree_set<std::string> keys;
  if (!state.policy.default_topology_key.empty()) keys.insert(state.policy.default_topology_key);
  for (const auto& [name, gang] : state.gangs) {
    if (!gang->group.has_value()) continue;
    const std::string key = TopologyKeyOf(*gang->group, state.policy);
    if (!key.empty()) keys.insert(key);
  }
  DomainPage page;
  int looked_at = 0;
  const TopologyIndex& topology = state.cluster.topology();
  for (auto key = keys.lower_bound(after.topology_key); key != keys.end(); ++key) {
    const auto& domains = topology.DomainsByName(topology.FindKey(*key));
    auto it = *key == after.topology_key ? domains.upper_bound(after.name) : domains.begin();
    for (; it != domains.end(); ++it) {
      if (looked_at++ == state.policy.views_per_slice) {
        page.more = true;
        return page;
      }
      page.next = {*key, it->first};
      const Domain& domain = topology.domain(it->second);
      if (domain.nodes.empty()) continue;
      const Gang* holder = state.ledger.HolderOf(it->second);
      page.views.push_back({*key, it->first, static_cast<int64_t>(domain.nodes.size()),
                            holder == nullptr ? "" : holder->name.ToString()});
    }
  }
  return page;
}

ReservationPage ViewReservations(const EngineState& state, const DomainPosition& after) {
  const TopologyIndex& topology = state.cluster.topology();
  using Place = std::tuple<absl::string_view, absl::string_view, const Gang*>;
  std::vector<Place> holders;
  for (const auto& [index, gang] : state.ledger.holders()) {
    const Domain& domain = topology.domain(index);
    holders.emplace_back(topology.KeyName(domain.key), domain.name, gang);
  }
  std::sort(holders.begin(), holders.end());
  const auto from = std::find_if(holders.begin(), holders.end(), [&after](const Place& place) {
    return std::tie(std::get<0>(place), std::get<1>(place)) >
           std::make_tuple(absl::string_view(after.topology_key), absl::string_view(after.name));
  });
  ReservationPage page;
  size_t members = 0;
  for (auto it = from; it != holders.end(); ++it) {
    if (members >= static_cast<size_t>(state.policy.views_per_slice)) {
      page.more = true;
      break;
    }
    page.views.push_back(ViewOfHold(state, *std::get<2>(*it)));
    page.next = {page.views.back().topology_key, page.views.back().domain};
    members += page.views.back().waiters.size() + page.views.back().planned.size();
  }
  return page;
}

}  // namespace gangpack
