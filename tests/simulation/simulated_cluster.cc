#include "tests/simulation/simulated_cluster.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "core/predicates.h"

namespace gangpack {
namespace {

constexpr int kNodeWatch = 0;
constexpr int kPodWatch = 1;
constexpr int kGroupWatch = 2;

int64_t AmountIn(const ResourceAmounts& amounts, absl::string_view name) {
  const auto it = amounts.find(name);
  return it == amounts.end() ? 0 : it->second;
}

}  // namespace

bool IsFinished(const Pod& pod) {
  return pod.phase == PodPhase::kSucceeded || pod.phase == PodPhase::kFailed;
}

bool IsLive(const Pod& pod) { return !pod.terminating && !IsFinished(pod); }

NamespacedName GangOf(const Pod& pod) {
  const auto label = pod.labels.find(kPodGroupLabel);
  return label == pod.labels.end() ? NamespacedName()
                                   : NamespacedName{pod.name.namespace_name, label->second};
}

std::string TopologyKeyOf(const PodGroup& group) {
  const auto it = group.annotations.find("ome.io/topology-key");
  return it == group.annotations.end() ? "" : it->second;
}

std::string LabelOf(const ObjectSet& objects, const std::string& node, const std::string& label) {
  const auto it = objects.nodes.find(node);
  if (it == objects.nodes.end()) return "";
  const auto value = it->second.labels.find(label);
  return value == it->second.labels.end() ? "" : value->second;
}

bool NodeTakes(const Node& node, const std::vector<const Pod*>& others, const Pod& pod) {
  if (CheckNodeObject(pod.spec, node)) return false;
  for (const auto& [resource, amount] : pod.spec.request) {
    int64_t used = 0;
    for (const Pod* other : others) used += AmountIn(other->spec.request, resource);
    if (amount > 0 && used + amount > AmountIn(node.allocatable, resource)) return false;
  }
  for (const Pod* other : others) {
    if (CheckHostPorts(pod.spec.host_ports, other->spec.host_ports)) return false;
  }
  return static_cast<int64_t>(others.size()) < AmountIn(node.allocatable, kResourcePods);
}

void SimulatedCluster::Set(const Node& node) {
  truth_.nodes[node.name] = node;
  watches_[kNodeWatch].push_back(NodeChanged{node});
  hint_ = true;
}

void SimulatedCluster::Set(const Pod& pod) {
  hint_ = hint_ || IsFinished(pod);
  truth_.pods[pod.uid.value] = pod;
  watches_[kPodWatch].push_back(PodChanged{pod});
  changed_pods_.push_back(pod.uid.value);
}

void SimulatedCluster::Set(const PodGroup& group) {
  truth_.groups[group.name] = group;
  watches_[kGroupWatch].push_back(PodGroupChanged{group});
}

void SimulatedCluster::DeleteNode(const std::string& name) {
  truth_.nodes.erase(name);
  watches_[kNodeWatch].push_back(NodeGone{name});
}

void SimulatedCluster::DeletePod(const std::string& uid) {
  truth_.pods.erase(uid);
  watches_[kPodWatch].push_back(PodGone{PodUid{uid}});
  changed_pods_.push_back(uid);
  hint_ = true;
}

void SimulatedCluster::DeleteGroup(const NamespacedName& name) {
  truth_.groups.erase(name);
  watches_[kGroupWatch].push_back(PodGroupGone{name});
}

void SimulatedCluster::See(const Fact& fact) {
  if (const auto* f = std::get_if<NodeChanged>(&fact)) seen_.nodes[f->node.name] = f->node;
  if (const auto* f = std::get_if<NodeGone>(&fact)) seen_.nodes.erase(f->name);
  if (const auto* f = std::get_if<PodChanged>(&fact)) seen_.pods[f->pod.uid.value] = f->pod;
  if (const auto* f = std::get_if<PodGone>(&fact)) seen_.pods.erase(f->uid.value);
  if (const auto* f = std::get_if<PodGroupChanged>(&fact)) seen_.groups[f->group.name] = f->group;
  if (const auto* f = std::get_if<PodGroupGone>(&fact)) seen_.groups.erase(f->name);
}

Fact SimulatedCluster::NextNews(int watch) {
  Fact fact = std::move(watches_[watch].front());
  watches_[watch].pop_front();
  See(fact);
  return fact;
}

std::vector<Fact> SimulatedCluster::ListAll() {
  std::vector<Fact> facts;
  for (const auto& [name, group] : truth_.groups) facts.push_back(PodGroupChanged{group});
  for (const auto& [uid, pod] : truth_.pods) facts.push_back(PodChanged{pod});
  for (const auto& [name, node] : truth_.nodes) facts.push_back(NodeChanged{node});
  for (std::deque<Fact>& watch : watches_) watch.clear();
  seen_ = truth_;
  return facts;
}

std::vector<std::string> SimulatedCluster::TakeChangedPods() {
  return std::exchange(changed_pods_, {});
}

bool SimulatedCluster::TakeHint() { return std::exchange(hint_, false); }

}  // namespace gangpack
