#include "server/simulate/scheduler_cache.h"

#include <cstddef>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/predicates.h"

namespace gangpack::server {
namespace {

// kube-scheduler's words, Kubernetes 1.36.
constexpr char kWereUnschedulable[] = "node(s) were unschedulable";
constexpr char kUntoleratedTaints[] = "node(s) had untolerated taint(s)";
constexpr char kNodeAffinity[] = "node(s) didn't match Pod's node affinity/selector";
constexpr char kNodePorts[] = "node(s) didn't have free ports for the requested pod ports";
constexpr char kTooManyPods[] = "Too many pods";
// Ours, since the manifest does not say which volume or device is meant.
constexpr char kRefusedByStep[] = "node(s) refused as the manifest asks for";

}  // namespace

void SchedulerCache::PutNode(std::shared_ptr<const NodeObject> node) {
  std::string name = node->node.name;
  use_[name].allocatable = table_.ToVector(node->node.allocatable);
  nodes_[std::move(name)] = std::move(node);
}

void SchedulerCache::RemoveNode(const std::string& name) { nodes_.erase(name); }

ResourceVector SchedulerCache::RequestOf(const Pod& pod) {
  ResourceVector request = table_.ToVector(pod.spec.request);
  if (request.size() <= kPodsId) request.resize(kPodsId + 1, 0);
  request[kPodsId] = 1;
  return request;
}

void SchedulerCache::PutPod(std::shared_ptr<const PodObject> pod, const std::string& node) {
  RemovePod(pod->pod.uid);
  NodeUse& use = use_[node];
  AddVector(RequestOf(pod->pod), &use.requested);
  use.pods[pod->pod.uid] = pod;
  const PodUid uid = pod->pod.uid;
  placed_[uid] = {std::move(pod), node};
}

void SchedulerCache::RemovePod(const PodUid& uid) {
  const auto found = placed_.find(uid);
  if (found == placed_.end()) return;
  NodeUse& use = use_[found->second.node];
  SubtractVector(RequestOf(found->second.pod->pod), &use.requested);
  use.pods.erase(uid);
  placed_.erase(found);
}

const std::string* SchedulerCache::NodeOf(const PodUid& uid) const {
  const auto found = placed_.find(uid);
  return found == placed_.end() ? nullptr : &found->second.node;
}

void SchedulerCache::PutNominated(std::shared_ptr<const PodObject> pod) {
  RemoveNominated(pod->pod.uid);
  const std::string& node = pod->pod.nominated_node_name;
  if (node.empty()) return;
  nominated_[pod->pod.uid] = node;
  use_[node].nominated[pod->pod.uid] = pod;
}

void SchedulerCache::RemoveNominated(const PodUid& uid) {
  const auto found = nominated_.find(uid);
  if (found == nominated_.end()) return;
  use_[found->second].nominated.erase(uid);
  nominated_.erase(found);
}

std::set<std::string> SchedulerCache::NodesByName(const PodSpec& spec) {
  std::set<std::string> names;
  if (!spec.required_node_affinity.has_value()) return names;
  for (const NodeSelectorTerm& term : *spec.required_node_affinity) {
    std::optional<std::set<std::string>> of_term;
    for (const SelectorRequirement& field : term.match_fields) {
      if (field.key != "metadata.name" || field.op != SelectorOperator::kIn) continue;
      std::set<std::string> values(field.values.begin(), field.values.end());
      if (of_term.has_value()) {
        std::erase_if(values, [&](const std::string& name) { return !of_term->contains(name); });
      }
      of_term = std::move(values);
    }
    if (!of_term.has_value()) return {};  // this term may match any node
    names.insert(of_term->begin(), of_term->end());
  }
  return names;
}

NodeVerdict SchedulerCache::CheckPorts(const Pod& pod, const NodeUse& use, const Guests& guests) {
  if (pod.spec.host_ports.empty()) return {};
  const NodeVerdict refused{{kNodePorts}, kRejectedByPorts};
  for (const auto& [uid, other] : use.pods) {
    if (CheckHostPorts(pod.spec.host_ports, other->pod.spec.host_ports)) return refused;
  }
  for (const Pod* guest : guests) {
    if (CheckHostPorts(pod.spec.host_ports, guest->spec.host_ports)) return refused;
  }
  return {};
}

NodeVerdict SchedulerCache::CheckFit(const ResourceVector& request, const NodeUse& use,
                                     const Guests& guests) {
  ResourceVector used = use.requested;
  for (const Pod* guest : guests) AddVector(RequestOf(*guest), &used);
  const ResourceVector free = FreeOf(use.allocatable, used);
  NodeVerdict verdict;
  for (size_t id = 0; id < request.size(); ++id) {
    const ResourceId resource = static_cast<ResourceId>(id);
    if (request[id] <= AmountOf(free, resource)) continue;
    verdict.rejector = kRejectedByFit;
    verdict.reasons.push_back(resource == kPodsId
                                  ? std::string(kTooManyPods)
                                  : absl::StrCat("Insufficient ", table_.Name(resource)));
  }
  return verdict;
}

std::vector<NodeVerdict> SchedulerCache::Filter(const Pod& pod,
                                                const std::vector<std::string>& nodes) {
  const ResourceVector request = RequestOf(pod);
  std::vector<NodeVerdict> verdicts;
  verdicts.reserve(nodes.size());
  for (const std::string& node : nodes) verdicts.push_back(Judge(pod, request, node));
  return verdicts;
}

NodeVerdict SchedulerCache::Judge(const Pod& pod, const ResourceVector& request,
                                  const std::string& node_name) {
  const Node& node = nodes_.at(node_name)->node;
  if (CheckUnschedulable(pod.spec, node)) return {{kWereUnschedulable}, kRejectedByUnschedulable};
  if (CheckTaints(pod.spec, node)) return {{kUntoleratedTaints}, kRejectedByTaints};
  if (CheckNodeAffinity(pod.spec, node)) return {{kNodeAffinity}, kRejectedByNodeAffinity};
  const NodeUse& use = use_[node_name];
  Guests guests;
  for (const auto& [uid, nominated] : use.nominated) {
    if (!(uid == pod.uid) && nominated->pod.priority >= pod.priority) {
      guests.push_back(&nominated->pod);
    }
  }
  if (NodeVerdict verdict = CheckPorts(pod, use, guests); verdict.rejector != 0) return verdict;
  if (NodeVerdict verdict = CheckFit(request, use, guests); verdict.rejector != 0) {
    return verdict;
  }
  const auto refused = refused_.find(pod.name);
  if (refused != refused_.end() && refused->second.contains(node_name)) {
    return {{kRefusedByStep}, kRejectedByStep};
  }
  return {};
}

bool SchedulerCache::FitsEmpty(const Pod& pod, const Node& node) {
  for (const auto& [name, amount] : pod.spec.request) {
    const auto found = node.allocatable.find(name);
    if (amount > (found == node.allocatable.end() ? 0 : found->second)) return false;
  }
  const auto slots = node.allocatable.find(std::string(kResourcePods));
  return slots != node.allocatable.end() && slots->second >= 1;
}

}  // namespace gangpack::server
