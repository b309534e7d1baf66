#include "core/cluster_state.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/check.h"

namespace gangpack {
namespace {

ResourceVector RequestWithSlot(const PodSpec& spec, ResourceTable* table) {
  ResourceVector request = table->ToVector(spec.request);
  if (request.size() <= static_cast<size_t>(kPodsId)) request.resize(kPodsId + 1, 0);
  request[kPodsId] = 1;
  return request;
}

// Takes the request of a pod that has left node->pods out of the sum. A sum that was saturated
// cannot be subtracted from: it is counted afresh.
void TakeOutOfUsed(const ResourceVector& request, NodeRecord* node) {
  const bool saturated =
      std::count(node->used.begin(), node->used.end(), std::numeric_limits<int64_t>::max()) > 0;
  if (!saturated) {
    SubtractVector(request, &node->used);
    return;
  }
  node->used.clear();
  for (const PodRecord* pod : node->pods) AddVector(pod->request, &node->used);
}

}  // namespace

NodeIndex ClusterState::NodeFor(absl::string_view name) {
  auto it = node_ids_.find(name);
  if (it != node_ids_.end()) return it->second;
  const NodeIndex index = static_cast<NodeIndex>(nodes_.size());
  nodes_.push_back(std::make_unique<NodeRecord>());
  nodes_.back()->object.name = std::string(name);
  node_ids_.emplace(std::string(name), index);
  return index;
}

NodeIndex ClusterState::UpsertNode(const Node& node) {
  const NodeIndex index = NodeFor(node.name);
  NodeRecord& record = MutableNode(index);
  if (record.exists && record.object == node) return index;  // a heartbeat
  record.object = node;
  record.exists = true;
  rules_.SetNode(index, record.object);
  record.allocatable = resources_.ToVector(node.allocatable);
  for (size_t key = 0; key < topology_.keys(); ++key) {
    topology_.Place(static_cast<TopologyKeyIndex>(key), index, node.name, node.labels);
  }
  topology_.Touch(index);
  ++improvements_;
  ++node_changes_;
  return index;
}

NodeIndex ClusterState::RemoveNode(absl::string_view name) {
  auto it = node_ids_.find(name);
  if (it == node_ids_.end() || !node(it->second).exists) return kNoNode;
  const NodeIndex index = it->second;
  NodeRecord& record = MutableNode(index);
  for (size_t key = 0; key < topology_.keys(); ++key) {
    topology_.Remove(static_cast<TopologyKeyIndex>(key), index);
  }
  rules_.RemoveNode(index);
  record.exists = false;
  record.object = Node{};
  record.object.name = it->first;
  record.allocatable.clear();
  ++node_changes_;
  ++improvements_;  // its domain may no longer overlap one that is held under another key
  return index;
}

PodRecord* ClusterState::UpsertPod(const Pod& pod) {
  std::unique_ptr<PodRecord>& slot = pods_[pod.uid];
  const bool is_new = slot == nullptr;
  if (is_new) slot = std::make_unique<PodRecord>();
  PodRecord* const record = slot.get();
  const bool moves = is_new || !(record->pod.name == pod.name);
  if (moves && !is_new) pods_sorted_.erase(record);
  ResourceVector request = RequestWithSlot(pod.spec, &resources_);
  Placement placement = Placement::kNone;
  NodeIndex index = kNoNode;
  const bool finished = pod.phase == PodPhase::kSucceeded || pod.phase == PodPhase::kFailed;
  if (finished) {
    // Uses nothing.
  } else if (!pod.node_name.empty()) {
    placement = Placement::kBound;
    index = NodeFor(pod.node_name);
  } else if (record->placement == Placement::kAssumed) {
    placement = Placement::kAssumed;
    index = record->node;
  } else if (!pod.nominated_node_name.empty() && pod.scheduler_name != scheduler_name_) {
    placement = Placement::kNominated;
    index = NodeFor(pod.nominated_node_name);
  }
  const bool same_use = index == record->node && request == record->request &&
                        pod.spec.host_ports == record->pod.spec.host_ports &&
                        pod.daemon_set == record->pod.daemon_set &&
                        pod.mirror == record->pod.mirror;
  if (!same_use) Unuse(record);
  record->pod = pod;
  if (moves) pods_sorted_.insert(record);
  record->request = std::move(request);
  if (same_use) {
    if (record->placement == Placement::kNominated) --MutableNode(index).nominated_pods;
    if (placement == Placement::kNominated) ++MutableNode(index).nominated_pods;
    record->placement = placement;
  } else if (index != kNoNode) {
    Use(record, placement, index);
  }
  CountForRules(*record);
  return record;
}

void ClusterState::RemovePod(const PodUid& uid) {
  auto it = pods_.find(uid);
  if (it == pods_.end()) return;
  Unuse(it->second.get());
  rules_.RemovePod(uid);
  pods_sorted_.erase(it->second.get());
  pods_.erase(it);
}

void ClusterState::Assume(PodRecord* record, NodeIndex node) {
  CORE_CHECK(record->placement != Placement::kBound);
  Unuse(record);
  Use(record, Placement::kAssumed, node);
  CountForRules(*record);
}

void ClusterState::Unassume(PodRecord* record) {
  if (record->placement == Placement::kAssumed) Unuse(record);
  CountForRules(*record);
}

void ClusterState::Expect(PodRecord* record, NodeIndex node) {
  if (record->expected == node) return;
  record->expected = node;
  CountForRules(*record);
}

// Finished pods count nowhere; a nomination by another scheduler is no more than its wish.
void ClusterState::CountForRules(const PodRecord& record) {
  const bool nowhere = record.finished();
  rules_.SetPod(record.pod, nowhere ? kNoNode : record.placed() ? record.node : record.expected);
}

void ClusterState::SetNamespace(const Namespace& object) {
  namespaces_[object.name] = object.labels;
  rules_.SetNamespace(object.name, object.labels);
}

void ClusterState::RemoveNamespace(const std::string& name) {
  namespaces_.erase(name);
  rules_.RemoveNamespace(name);
}

void ClusterState::Use(PodRecord* record, Placement placement, NodeIndex index) {
  record->placement = placement;
  record->node = index;
  NodeRecord& node = MutableNode(index);
  AddVector(record->request, &node.used);
  const std::vector<HostPort>& ports = record->pod.spec.host_ports;
  node.used_ports.insert(node.used_ports.end(), ports.begin(), ports.end());
  node.pods.push_back(record);
  if (placement == Placement::kNominated) ++node.nominated_pods;
  if (!record->pod.daemon_set && !record->pod.mirror) ++node.breaking_pods;
  topology_.Touch(index);
}

void ClusterState::Unuse(PodRecord* record) {
  if (record->placement == Placement::kNone) return;
  NodeRecord& node = MutableNode(record->node);
  for (const HostPort& port : record->pod.spec.host_ports) {
    node.used_ports.erase(std::find(node.used_ports.begin(), node.used_ports.end(), port));
  }
  auto it = std::find(node.pods.begin(), node.pods.end(), record);
  *it = node.pods.back();
  node.pods.pop_back();
  if (record->placement == Placement::kNominated) --node.nominated_pods;
  if (!record->pod.daemon_set && !record->pod.mirror) --node.breaking_pods;
  TakeOutOfUsed(record->request, &node);
  topology_.Touch(record->node);
  record->placement = Placement::kNone;
  record->node = kNoNode;
  ++improvements_;
}

const Labels& ClusterState::NamespaceLabels(const std::string& name) const {
  static const Labels* const kNone = new Labels();
  auto it = namespaces_.find(name);
  return it == namespaces_.end() ? *kNone : it->second;
}

TopologyKeyIndex ClusterState::AddKey(absl::string_view key) {
  const TopologyKeyIndex existing = topology_.FindKey(key);
  if (existing >= 0) return existing;
  const TopologyKeyIndex index = topology_.AddKey(key);
  for (size_t n = 0; n < nodes_.size(); ++n) {
    if (!nodes_[n]->exists) continue;
    topology_.Place(index, static_cast<NodeIndex>(n), nodes_[n]->object.name,
                    nodes_[n]->object.labels);
  }
  return index;
}

NodeIndex ClusterState::FindNode(absl::string_view name) const {
  auto it = node_ids_.find(name);
  return it != node_ids_.end() && node(it->second).exists ? it->second : kNoNode;
}

PodRecord* ClusterState::FindPod(const PodUid& uid) const {
  auto it = pods_.find(uid);
  return it == pods_.end() ? nullptr : it->second.get();
}

}  // namespace gangpack
