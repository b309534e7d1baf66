#include "tests/simulation/world_checks.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "core/sibling_terms.h"
#include "tests/simulation/reference_fit.h"
#include "tests/unit/core/reference_pod_rules.h"

namespace gangpack {
namespace {

bool InDomain(const ObjectSet& objects, const ReservationView& hold, const std::string& node) {
  return LabelOf(objects, node, hold.topology_key) == hold.domain;
}

bool CountsAsPlaced(const Pod& pod, const PodGroup& group) {
  return pod.phase == PodPhase::kSucceeded && pod.creation >= group.creation;
}

}  // namespace

std::string WorldChecks::NodeOf(const Pod& pod) const {
  if (!pod.node_name.empty()) return pod.node_name;
  const auto assumed = assumed_.find(pod.uid.value);
  return assumed == assumed_.end() ? "" : assumed->second;
}

std::string WorldChecks::OnFilter(const Engine& engine,
                                  const SimulatedScheduler::Attempt& attempt) {
  holds_ = engine.Reservations();
  const auto pod = cluster_->seen().pods.find(attempt.uid);
  if (pod == cluster_->seen().pods.end()) {
    return attempt.decision.accepted.empty() ? "" : "an unknown pod was accepted";
  }
  if (assumed_.contains(attempt.uid)) return "";  // its binding is under way
  const NamespacedName gang = GangOf(pod->second);
  for (const int i : attempt.decision.accepted) {
    const std::string& node = attempt.offered[static_cast<size_t>(i)];
    for (const ReservationView& hold : holds_) {
      if (gang == hold.gang || !InDomain(cluster_->seen(), hold, node)) continue;
      // A node relabelled into two held domains stays with whoever planned it.
      const bool own = std::any_of(holds_.begin(), holds_.end(), [&](const ReservationView& other) {
        return other.gang == gang && InDomain(cluster_->seen(), other, node);
      });
      if (own) continue;
      return absl::StrCat(pod->second.name.ToString(), " may use ", node, ", held by ",
                          hold.gang.ToString());
    }
  }
  return "";
}

std::string WorldChecks::CheckRoomAsSeen(const Pod& pod, const Node& node) const {
  std::vector<const Pod*> others;
  for (const auto& [uid, other] : cluster_->seen().pods) {
    if (uid == pod.uid.value || IsFinished(other)) continue;
    const bool nominated = other.scheduler_name != "ome-scheduler" && NodeOf(other).empty() &&
                           other.nominated_node_name == node.name;
    if (nominated || NodeOf(other) == node.name) others.push_back(&other);
  }
  if (NodeTakes(node, others, pod)) return "";
  return absl::StrCat(pod.name.ToString(), " is bound to ", node.name, ", which cannot take it");
}

// kube-scheduler judges the room for pods that are placed one by one, from what it sees. So this
// looks only at what we bound, against the most the node ever had.
std::string WorldChecks::CheckRoomOfOurs(const Pod& pod, const std::string& node) const {
  ResourceAmounts used;
  for (const auto& [uid, other] : cluster_->truth().pods) {
    const bool here = uid == pod.uid.value || NodeOf(other) == node;
    if (!here || IsFinished(other) || other.scheduler_name != "ome-scheduler") continue;
    if (!other.labels.contains("resized")) AddAmounts(other.spec.request, &used);
  }
  const auto most = most_allocatable_.find(node);
  for (const auto& [resource, amount] : used) {
    const auto available =
        most == most_allocatable_.end() ? 0 : most->second.find(resource)->second;
    if (amount > available) {
      return absl::StrCat("our pods on ", node, " use ", amount, " of ", available, " ", resource);
    }
  }
  return "";
}

std::string WorldChecks::OnBind(const BindPod& effect) {
  const std::string& uid = effect.uid.value;
  const auto found = cluster_->seen().pods.find(uid);
  if (found == cluster_->seen().pods.end()) return absl::StrCat(uid, " is bound but unknown");
  const Pod& pod = found->second;
  if (!NodeOf(pod).empty()) return absl::StrCat(pod.name.ToString(), " is bound twice");
  if (!IsLive(pod)) return absl::StrCat(pod.name.ToString(), " is bound but not live");
  const auto node = cluster_->seen().nodes.find(effect.node);
  if (node == cluster_->seen().nodes.end()) return absl::StrCat(effect.node, " does not exist");
  assumed_[uid] = effect.node;
  bound_now_.push_back(uid);
  const bool planned = std::any_of(holds_.begin(), holds_.end(), [&](const ReservationView& hold) {
    return hold.gang == GangOf(pod);
  });
  std::string problem = CheckRoomOfOurs(pod, effect.node);
  if (problem.empty() && planned) problem = CheckRoomAsSeen(pod, node->second);
  return problem;
}

void WorldChecks::OnBindingFinished(const BindingFinished& fact) {
  if (!fact.error.empty()) assumed_.erase(fact.uid.value);
}

void WorldChecks::OnTruth() {
  for (const auto& [name, node] : cluster_->truth().nodes) {
    MaxAmounts(node.allocatable, &most_allocatable_[name]);
  }
}

void WorldChecks::OnFact(const Fact& fact) {
  if (const auto* pod = std::get_if<PodChanged>(&fact)) {
    if (!pod->pod.node_name.empty() || IsFinished(pod->pod)) assumed_.erase(pod->pod.uid.value);
  } else if (const auto* gone = std::get_if<PodGone>(&fact)) {
    assumed_.erase(gone->uid.value);
  }
}

void WorldChecks::OnRestart() {
  assumed_.clear();
  bound_now_.clear();
  holds_.clear();
}

// Bound together with enough siblings, in one domain.
std::string WorldChecks::CheckBoundGang(const std::string& uid) const {
  const ObjectSet& seen = cluster_->seen();
  const auto pod = seen.pods.find(uid);
  if (pod == seen.pods.end() || GangOf(pod->second).name.empty()) return "";
  const NamespacedName gang = GangOf(pod->second);
  const auto group = seen.groups.find(gang);
  if (group == seen.groups.end()) return absl::StrCat("bound without PodGroup ", gang.ToString());
  int64_t placed = 0;
  std::set<std::string> domains;
  for (const auto& [other_uid, other] : seen.pods) {
    if (!(GangOf(other) == gang)) continue;
    if (CountsAsPlaced(other, group->second)) ++placed;
    if (!IsLive(other) || NodeOf(other).empty() || !seen.nodes.contains(NodeOf(other))) continue;
    ++placed;
    domains.insert(LabelOf(seen, NodeOf(other), TopologyKeyOf(group->second)));
  }
  const int64_t min_member = group->second.min_member.value_or(0);
  if (min_member < 1 || placed < min_member) {
    return absl::StrCat(pod->second.name.ToString(), " is bound with ", placed, " of ", min_member);
  }
  if (domains.size() != 1 || domains.contains("")) {
    return absl::StrCat("members of ", gang.ToString(), " are bound in ", domains.size(),
                        " domains, or outside any");
  }
  return "";
}

std::string WorldChecks::CheckNotRepelled(const std::string& uid) const {
  const ObjectSet& seen = cluster_->seen();
  const auto pod = seen.pods.find(uid);
  if (pod == seen.pods.end()) return "";
  for (const auto& [other_uid, other] : seen.pods) {
    if (other_uid == uid || IsFinished(other)) continue;
    if (NodeOf(other).empty() || !seen.nodes.contains(NodeOf(other))) continue;
    if (Repels(pod->second, other) || Repels(other, pod->second)) {
      return absl::StrCat(pod->second.name.ToString(), " is bound beside ", other.name.ToString(),
                          ", which anti-affinity forbids");
    }
  }
  return "";
}

// A pod that is placed by itself, and for which there is a node, has one in the end.
std::string WorldChecks::CheckSingle(const Pod& pod) const {
  const ObjectSet& truth = cluster_->truth();
  const bool waits = IsLive(pod) && pod.node_name.empty() && pod.gates == 0 &&
                     pod.scheduler_name == "ome-scheduler" && GangOf(pod).name.empty();
  if (!waits) return "";
  std::map<std::string, std::vector<const Pod*>> others;
  ReferenceCluster rules;
  std::map<std::string, NodeIndex> index;
  for (const auto& [name, node] : truth.nodes) {
    const NodeIndex next = static_cast<NodeIndex>(index.size());
    index[name] = next;
    rules.nodes[next] = node;
  }
  for (const auto& [uid, other] : truth.pods) {
    const std::string& node = !other.node_name.empty() || other.scheduler_name == "ome-scheduler"
                                  ? other.node_name
                                  : other.nominated_node_name;
    if (!IsFinished(other) && uid != pod.uid.value) others[node].push_back(&other);
    const auto at = index.find(other.node_name);
    const bool counts = !IsFinished(other) && at != index.end();
    rules.pods[uid] = {other, counts ? at->second : kNoNode};
  }
  for (const auto& [name, node] : truth.nodes) {
    if (!NodeTakes(node, others[name], pod) || rules.Check(pod.uid.value, index[name])) continue;
    return absl::StrCat(pod.name.ToString(), " may run on ", name, " and is not placed");
  }
  return "";
}

bool WorldChecks::Repels(const Pod& owner, const Pod& other) const {
  const ObjectSet& seen = cluster_->seen();
  const std::vector<PodAffinityTerm>& terms = owner.spec.required_anti_affinity;
  return std::any_of(terms.begin(), terms.end(), [&](const PodAffinityTerm& term) {
    const std::string group = LabelOf(seen, NodeOf(owner), term.topology_key);
    return !group.empty() && group == LabelOf(seen, NodeOf(other), term.topology_key) &&
           TermSelects(term, owner, other, {});
  });
}

std::string WorldChecks::AfterTick(absl::Time now) const {
  for (const ReservationView& hold : holds_) {
    if (hold.ends <= now) return absl::StrCat("the hold of ", hold.gang.ToString(), " is overdue");
  }
  return "";
}

std::string WorldChecks::CheckHolds() const {
  const ObjectSet& seen = cluster_->seen();
  for (const ReservationView& hold : holds_) {
    const bool live = std::any_of(seen.pods.begin(), seen.pods.end(), [&](const auto& pod) {
      return GangOf(pod.second) == hold.gang && IsLive(pod.second) && NodeOf(pod.second).empty();
    });
    if (!live || !seen.groups.contains(hold.gang)) {
      return absl::StrCat(hold.domain, " is held by ", hold.gang.ToString(), ", which is gone");
    }
  }
  return "";
}

std::string WorldChecks::AfterCall(const Engine& engine, bool judged) {
  for (const std::string& uid : bound_now_) {
    std::string problem = CheckBoundGang(uid);
    if (problem.empty()) problem = CheckNotRepelled(uid);
    if (!problem.empty()) return problem;
  }
  bound_now_.clear();
  holds_ = engine.Reservations();
  std::string problem = judged ? CheckHolds() : "";
  if (!problem.empty()) return problem;
  const absl::Status status = engine.CheckInvariants();
  return status.ok() ? "" : std::string(status.message());
}

bool WorldChecks::DomainFits(const PodGroup& group, const std::string& domain, int need) const {
  ReferenceFit fit(cluster_->truth(), TopologyKeyOf(group), domain);
  for (const auto& [uid, pod] : cluster_->truth().pods) {
    if (!(GangOf(pod) == group.name)) {
      if (!pod.node_name.empty() && !IsFinished(pod)) fit.AddOutsider(pod);
      continue;
    }
    // One that is being deleted still keeps others away.
    if (pod.terminating && !pod.node_name.empty() && !IsFinished(pod)) fit.AddOutsider(pod);
    if (!IsLive(pod)) continue;
    if (!pod.node_name.empty()) {
      if (cluster_->truth().nodes.contains(pod.node_name)) fit.AddPlaced(pod);
    } else if (pod.gates == 0 && pod.scheduler_name == "ome-scheduler") {
      fit.AddMember(pod);
    } else {
      fit.AddPending(pod);
    }
  }
  return fit.MostPlaced() >= need;
}

std::string WorldChecks::CheckUnplaced(const PodGroup& group) const {
  const ObjectSet& truth = cluster_->truth();
  const std::string key = TopologyKeyOf(group);
  if (key.empty() || group.min_member.value_or(0) < 1) return "";
  bool refused = group.labels.contains("ome.io/placement-group");
  int placed = 0;
  int eligible = 0;
  std::set<std::string> domains;
  for (const auto& [uid, pod] : truth.pods) {
    if (!(GangOf(pod) == group.name)) continue;
    if (CountsAsPlaced(pod, group)) ++placed;
    if (!IsLive(pod)) continue;
    refused = refused || pod.labels.contains("ome.io/placement-group");
    if (pod.node_name.empty()) {
      eligible += pod.gates == 0 && pod.scheduler_name == "ome-scheduler" ? 1 : 0;
    } else if (truth.nodes.contains(pod.node_name)) {
      ++placed;
      domains.insert(LabelOf(truth, pod.node_name, key));
    }
  }
  const int need = static_cast<int>(*group.min_member) - placed;
  if (refused || need <= 0 || eligible < need) return "";
  if (domains.size() > 1 || domains.contains("")) return "";
  if (domains.empty()) {
    for (const auto& [name, node] : truth.nodes) domains.insert(LabelOf(truth, name, key));
  }
  for (const std::string& domain : domains) {
    if (domain.empty() || !DomainFits(group, domain, need)) continue;
    return absl::StrCat(group.name.ToString(), " fits ", domain, " and is not placed");
  }
  return "";
}

std::string WorldChecks::OnQuiet(const Engine& engine) const {
  for (const ReservationView& hold : engine.Reservations()) {
    return absl::StrCat(hold.domain, " is still held by ", hold.gang.ToString());
  }
  for (const auto& [name, group] : cluster_->truth().groups) {
    std::string problem = CheckUnplaced(group);
    if (!problem.empty()) return problem;
  }
  for (const auto& [uid, pod] : cluster_->truth().pods) {
    std::string problem = CheckSingle(pod);
    if (!problem.empty()) return problem;
  }
  return "";
}

}  // namespace gangpack
