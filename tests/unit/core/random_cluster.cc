#include "tests/unit/core/random_cluster.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tests/support/object_builders.h"

namespace gangpack {
namespace {

constexpr char kScheduler[] = "ome-scheduler";
constexpr int kNodeNames = 9;
constexpr int kPodNames = 25;
constexpr int64_t kHuge = std::numeric_limits<int64_t>::max() / 4 * 3;

std::string NodeName(int node) { return absl::StrCat("node-", node); }

// One node and what is on it, in words; equal words for equal contents.
struct NodeWords {
  const Node* object = nullptr;  // null: only pods name it
  std::map<std::string, __int128> used;
  std::multiset<std::string> ports;
  std::set<std::string> pods;
  int breaking = 0;

  std::string Text(const std::string& name) const {
    std::string text = absl::StrCat(name, object == nullptr ? " absent" : " there");
    if (object != nullptr) {
      absl::StrAppend(&text, object->unschedulable ? " cordoned" : "", " taints ",
                      object->taints.size(), " labels ",
                      absl::StrJoin(object->labels, ",", absl::PairFormatter("=")));
      for (const auto& [resource, amount] : object->allocatable) {
        if (amount != 0) absl::StrAppend(&text, " has ", resource, "=", amount);
      }
    }
    for (const auto& [resource, amount] : used) {
      const __int128 most = std::numeric_limits<int64_t>::max();
      if (amount != 0) {
        absl::StrAppend(&text, " uses ", resource, "=",
                        static_cast<int64_t>(std::min(amount, most)));
      }
    }
    absl::StrAppend(&text, " ports ", absl::StrJoin(ports, ","), " pods ", absl::StrJoin(pods, ","),
                    " breaking ", breaking, "\n");
    return text;
  }
};

std::string PortText(const HostPort& port) {
  return absl::StrCat(port.host_ip, "/", port.protocol, "/", port.port);
}

bool Finished(const Pod& pod) {
  return pod.phase == PodPhase::kSucceeded || pod.phase == PodPhase::kFailed;
}

}  // namespace

Node RandomCluster::DrawNode() {
  NodeBuilder node(NodeName(prng_.Between(0, kNodeNames - 1)));
  if (prng_.Chance(85)) node.Rack(prng_.Chance(5) ? "" : absl::StrCat("r", prng_.Between(0, 3)));
  if (prng_.Chance(70)) node.Label("zone", absl::StrCat("z", prng_.Between(0, 1)));
  if (prng_.Chance(20)) node.Cordoned();
  if (prng_.Chance(20)) node.Tainted("dedicated", "db");
  node.Gpus(prng_.Between(0, 8)).CpuMilli(prng_.Between(0, 8) * 1000);
  node.PodSlots(prng_.Between(0, 6));
  return node;
}

Pod RandomCluster::DrawPod() {
  const int name = prng_.Between(0, kPodNames - 1);
  PodBuilder pod(absl::StrCat("pod-", name));
  const bool ours = name % 3 != 0;
  if (!ours) pod.Scheduler("other");
  pod.CpuMilli(prng_.Between(0, 3) * 500).Gpus(prng_.Between(0, 2));
  if (prng_.Chance(5)) pod.Amount("example.com/huge", kHuge);
  if (prng_.Chance(20)) pod.HostPort(80).HostPort(80 + prng_.Between(0, 1), "UDP");
  if (prng_.Chance(55)) {
    pod.On(NodeName(prng_.Between(0, kNodeNames)));
  } else if (prng_.Chance(30)) {
    pod.Nominated(NodeName(prng_.Between(0, kNodeNames)));
  }
  if (prng_.Chance(15)) pod.Phase(prng_.Chance(50) ? PodPhase::kSucceeded : PodPhase::kFailed);
  if (prng_.Chance(15)) pod.Terminating();
  if (prng_.Chance(10)) pod.DaemonSet();
  if (prng_.Chance(10)) pod.Mirror();
  return pod;
}

void RandomCluster::ChangePod(ClusterState* cluster) {
  const Pod pod = DrawPod();
  const bool gone = cluster->FindPod(pod.uid) != nullptr && prng_.Chance(40);
  if (gone) {
    cluster->RemovePod(pod.uid);
    pods_.erase(pod.uid.value);
    assumed_.erase(pod.uid.value);
    return;
  }
  cluster->UpsertPod(pod);
  pods_[pod.uid.value] = pod;
  if (Finished(pod) || !pod.node_name.empty()) assumed_.erase(pod.uid.value);
}

void RandomCluster::ChangeAssumption(ClusterState* cluster) {
  const std::string uid = absl::StrCat("uid-pod-", prng_.Between(0, kPodNames - 1));
  PodRecord* const record = cluster->FindPod(PodUid{uid});
  if (record == nullptr) return;
  if (assumed_.contains(uid) && prng_.Chance(50)) {
    cluster->Unassume(record);
    assumed_.erase(uid);
    return;
  }
  const Pod& pod = record->pod;
  const NodeIndex node = cluster->FindNode(NodeName(prng_.Between(0, kNodeNames - 1)));
  if (Finished(pod) || !pod.node_name.empty() || pod.scheduler_name != kScheduler) return;
  if (node == kNoNode) return;
  cluster->Assume(record, node);
  assumed_[uid] = cluster->node(node).object.name;
}

void RandomCluster::Step(ClusterState* cluster) {
  const int what = prng_.Between(0, 99);
  if (what < 25) {
    const Node node = DrawNode();
    cluster->UpsertNode(node);
    nodes_[node.name] = node;
  } else if (what < 33) {
    const std::string name = NodeName(prng_.Between(0, kNodeNames - 1));
    cluster->RemoveNode(name);
    nodes_.erase(name);
  } else if (what < 80) {
    ChangePod(cluster);
  } else if (what < 95) {
    ChangeAssumption(cluster);
  } else {
    const std::string name = absl::StrCat("ns-", prng_.Between(0, 3));
    if (prng_.Chance(30)) {
      cluster->RemoveNamespace(name);
      namespaces_.erase(name);
    } else {
      const Labels labels = {{"team", std::to_string(prng_.Between(0, 5))}};
      cluster->SetNamespace({name, labels});
      namespaces_[name] = labels;
    }
  }
}

std::string RandomCluster::Rescan(const std::vector<std::string>& keys) const {
  std::map<std::string, NodeWords> nodes;
  for (const auto& [name, node] : nodes_) nodes[name].object = &node;
  std::string pods_text;
  for (const auto& [uid, pod] : pods_) {
    std::string where;
    std::string how = "none";
    if (Finished(pod)) {
      // Uses nothing.
    } else if (!pod.node_name.empty()) {
      where = pod.node_name;
      how = "bound";
    } else if (assumed_.contains(uid)) {
      where = assumed_.at(uid);
      how = "assumed";
    } else if (!pod.nominated_node_name.empty() && pod.scheduler_name != kScheduler) {
      where = pod.nominated_node_name;
      how = "nominated";
    }
    absl::StrAppend(&pods_text, uid, " ", how, " ", where, "\n");
    if (where.empty()) continue;
    NodeWords& node = nodes[where];
    for (const auto& [resource, amount] : pod.spec.request) node.used[resource] += amount;
    node.used["pods"] += 1;
    for (const HostPort& port : pod.spec.host_ports) node.ports.insert(PortText(port));
    node.pods.insert(uid);
    if (!pod.daemon_set && !pod.mirror) ++node.breaking;
  }
  std::string text;
  for (const auto& [name, node] : nodes) absl::StrAppend(&text, node.Text(name));
  for (const std::string& key : keys) {
    std::map<std::string, std::vector<std::string>> domains;
    for (const auto& [name, node] : nodes_) {
      const auto label = node.labels.find(key);
      if (label != node.labels.end() && !label->second.empty()) {
        domains[label->second].push_back(name);
      }
    }
    for (const auto& [name, members] : domains) {
      absl::StrAppend(&text, key, " ", name, ": ", absl::StrJoin(members, ","), "\n");
    }
  }
  absl::StrAppend(&text, pods_text);
  for (const auto& [name, labels] : namespaces_) {
    absl::StrAppend(&text, name, " ", labels.at("team"), "\n");
  }
  return text;
}

std::string RandomCluster::Describe(const ClusterState& cluster) {
  std::map<std::string, std::string> nodes;
  for (size_t i = 0; i < cluster.nodes(); ++i) {
    const NodeRecord& record = cluster.node(static_cast<NodeIndex>(i));
    if (!record.exists && record.pods.empty()) continue;
    NodeWords words;
    Node object = record.object;
    object.allocatable.clear();  // told as what was made of it
    for (size_t id = 0; id < record.allocatable.size(); ++id) {
      object.allocatable[cluster.resources().Name(static_cast<ResourceId>(id))] =
          record.allocatable[id];
    }
    if (record.exists) words.object = &object;
    for (size_t id = 0; id < record.used.size(); ++id) {
      words.used[cluster.resources().Name(static_cast<ResourceId>(id))] = record.used[id];
    }
    for (const HostPort& port : record.used_ports) words.ports.insert(PortText(port));
    for (const PodRecord* pod : record.pods) words.pods.insert(pod->pod.uid.value);
    words.breaking = record.breaking_pods;
    nodes[record.object.name] = words.Text(record.object.name);
  }
  std::string text;
  for (const auto& [name, words] : nodes) absl::StrAppend(&text, words);
  const TopologyIndex& topology = cluster.topology();
  for (size_t key = 0; key < topology.keys(); ++key) {
    const TopologyKeyIndex key_index = static_cast<TopologyKeyIndex>(key);
    for (const auto& [name, domain] : topology.DomainsByName(key_index)) {
      std::vector<std::string> members;
      for (const NodeIndex node : topology.domain(domain).nodes) {
        members.push_back(cluster.node(node).object.name);
      }
      if (members.empty()) continue;
      absl::StrAppend(&text, topology.KeyName(key_index), " ", name, ": ",
                      absl::StrJoin(members, ","), "\n");
    }
  }
  std::map<std::string, const PodRecord*> pods;
  for (const PodRecord* record : cluster.PodsSorted()) pods[record->pod.uid.value] = record;
  for (const auto& [uid, record] : pods) {
    const char* const how[] = {"none", "nominated", "assumed", "bound"};
    absl::StrAppend(&text, uid, " ", how[static_cast<int>(record->placement)], " ",
                    record->node == kNoNode ? "" : cluster.node(record->node).object.name, "\n");
  }
  for (int i = 0; i < 4; ++i) {
    const std::string name = absl::StrCat("ns-", i);
    const Labels& labels = cluster.NamespaceLabels(name);
    if (!labels.empty()) absl::StrAppend(&text, name, " ", labels.at("team"), "\n");
  }
  return text;
}

void RandomCluster::Rebuild(ClusterState* cluster) const {
  for (const auto& [uid, pod] : pods_) cluster->UpsertPod(pod);
  for (const auto& [name, node] : nodes_) cluster->UpsertNode(node);
  for (const auto& [uid, name] : assumed_) {
    // Its node may be gone by now; then the assumption is still counted on the name.
    PodBuilder naming_it("naming");
    naming_it.On(name);
    const NodeIndex node = cluster->UpsertPod(naming_it)->node;
    cluster->Assume(cluster->FindPod(PodUid{uid}), node);
    cluster->RemovePod(naming_it.Build().uid);
  }
  for (const auto& [name, labels] : namespaces_) cluster->SetNamespace({name, labels});
}

}  // namespace gangpack
