#include "core/gang.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"

namespace gangpack {
namespace {

bool PreferredBefore(const PodRecord* a, const PodRecord* b) {
  if (a->pod.priority != b->pod.priority) return a->pod.priority > b->pod.priority;
  if (a->pod.creation != b->pod.creation) return a->pod.creation < b->pod.creation;
  if (!(a->pod.name == b->pod.name)) return a->pod.name < b->pod.name;
  return a->pod.uid < b->pod.uid;
}

bool ByName(const PodRecord* a, const PodRecord* b) {
  if (!(a->pod.name == b->pod.name)) return a->pod.name < b->pod.name;
  return a->pod.uid < b->pod.uid;
}

void Break(std::string detail, GangSummary* summary) {
  summary->broken = true;
  summary->broken_detail = std::move(detail);
  summary->domain = kNoDomain;
}

// What is wrong with the label of a node that is in no domain of the key.
std::string Unlabelled(const ClusterState& cluster, TopologyKeyIndex key, NodeIndex node) {
  const std::string& label = cluster.topology().KeyName(key);
  return cluster.node(node).object.labels.contains(label)
             ? absl::StrCat(", whose label ", label, " is empty")
             : absl::StrCat(", which has no label ", label);
}

void FindDomain(const ClusterState& cluster, GangSummary* summary) {
  if (summary->key < 0) return;
  const PodRecord* first = nullptr;
  for (const PodRecord* member : summary->placed_live) {
    const DomainIndex domain = cluster.topology().DomainOf(summary->key, member->node);
    const std::string& node = cluster.node(member->node).object.name;
    if (domain == kNoDomain) {
      return Break(absl::StrCat(member->pod.name.ToString(), " runs on ", node,
                                Unlabelled(cluster, summary->key, member->node)),
                   summary);
    }
    if (first == nullptr) {
      first = member;
      summary->domain = domain;
    } else if (domain != summary->domain) {
      return Break(
          absl::StrCat(first->pod.name.ToString(), " runs in ",
                       cluster.topology().domain(summary->domain).name, ", ",
                       member->pod.name.ToString(), " in ", cluster.topology().domain(domain).name),
          summary);
    }
  }
}

// Sorts one live member into the summary. `first`: no live member was counted before.
void CountLive(PodRecord* member, bool first, const ClusterState& cluster, const Policy& policy,
               GangSummary* summary) {
  summary->priority =
      first ? member->pod.priority : std::max(summary->priority, member->pod.priority);
  ++summary->members;
  if (member->pod.labels.contains(policy.placement_group_label)) {
    summary->placement_group = true;
    if (summary->placement_group_on.empty()) {
      summary->placement_group_on = absl::StrCat("pod ", member->pod.name.ToString());
    }
  }
  if (member->placed()) {
    if (!cluster.node(member->node).exists) {
      ++summary->lost_with[cluster.node(member->node).object.name];
    } else {
      ++summary->placed;
      summary->placed_live.push_back(member);
    }
  } else if (member->pod.gates > 0) {
    ++summary->gated;
    summary->pending.push_back(member);
  } else if (member->pod.scheduler_name != policy.scheduler_name) {
    summary->pending.push_back(member);
    ++summary->other_schedulers[member->pod.scheduler_name];
  } else {
    summary->eligible.push_back(member);
  }
}

}  // namespace

std::string TopologyKeyOf(const PodGroup& group, const Policy& policy) {
  auto it = group.annotations.find(policy.topology_key_annotation);
  if (it != group.annotations.end() && !it->second.empty()) return it->second;
  return policy.default_topology_key;
}

absl::Duration TimeoutOf(const Gang& gang, const Policy& policy) {
  const int64_t seconds =
      gang.group.has_value() ? gang.group->schedule_timeout_seconds.value_or(0) : 0;
  return seconds > 0 ? absl::Seconds(seconds) : policy.permit_timeout;
}

GangSummary Summarize(const Gang& gang, const ClusterState& cluster, const Policy& policy) {
  GangSummary summary;
  if (gang.group.has_value()) {
    const std::string key = TopologyKeyOf(*gang.group, policy);
    if (!key.empty()) summary.key = cluster.topology().FindKey(key);
    if (gang.group->labels.contains(policy.placement_group_label)) {
      summary.placement_group = true;
      summary.placement_group_on = absl::StrCat("PodGroup ", gang.name.ToString());
    }
  }
  std::vector<PodRecord*> by_name;
  by_name.reserve(gang.members.size());
  for (const auto& [uid, member] : gang.members) by_name.push_back(member);
  std::sort(by_name.begin(), by_name.end(), ByName);
  bool first = true;
  for (PodRecord* member : by_name) {
    if (member->pod.phase == PodPhase::kSucceeded) {
      // One finished index of a Job must not strand the others; a member of an earlier PodGroup
      // does not count.
      if (gang.group.has_value() && member->pod.creation >= gang.group->creation) {
        ++summary.members;
        ++summary.placed;
      }
      continue;
    }
    if (member->pod.phase == PodPhase::kFailed || member->pod.terminating) continue;
    CountLive(member, first, cluster, policy, &summary);
    first = false;
  }
  std::sort(summary.eligible.begin(), summary.eligible.end(), PreferredBefore);
  if (!summary.pending.empty()) {
    summary.awaiting =
        TakeOutAwaiting(summary.placed_live, summary.pending, cluster, &summary.eligible);
  }
  FindDomain(cluster, &summary);
  return summary;
}

void NameLost(const GangSummary& summary, const Policy& policy, Reason* reason) {
  reason->lost.clear();
  reason->lost_more = 0;
  for (const auto& [node, members] : summary.lost_with) {
    if (reason->lost.size() < static_cast<size_t>(policy.detail_nodes_max)) {
      reason->lost.push_back({node, members});
    } else {
      ++reason->lost_more;
    }
  }
}

bool GangOrder::operator()(const Gang* a, const Gang* b) const {
  if (a->summary.priority != b->summary.priority) return a->summary.priority > b->summary.priority;
  const bool a_runs = a->summary.placed > 0;
  const bool b_runs = b->summary.placed > 0;
  if (a_runs != b_runs) return a_runs;
  if (a->complete_since != b->complete_since) return a->complete_since < b->complete_since;
  if (a->complete_sequence != b->complete_sequence)
    return a->complete_sequence < b->complete_sequence;
  return a->name < b->name;
}

}  // namespace gangpack
