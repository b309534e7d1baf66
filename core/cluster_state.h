// Nodes and pods, what the pods use, and the indexes over them: the only mutable model of the
// cluster.
//
// Terms. Placement of a pod: bound (spec.nodeName), assumed (we decided its binding, the watch has
// not shown it yet), or nominated by another scheduler; each uses its node's resources, ports and a
// pod slot until the pod is finished or gone. Expected: not placed yet, but planned on a node or
// just answered with it; the rules between pods count it there, nothing else does. Invariants: (1)
// a node's `used` is the sum of the requests of the pods placed there that are not finished; (2) a
// pod is in `pods` of the node it is placed on and of no other; (3) a node that does not exist is
// in no domain. Ownership: records are owned here and have stable addresses until their object is
// gone. Cost: each change O(log) in the cluster plus O(pods of the node) for removal; nothing scans
// nodes or pods, but AddKey. Not here: gangs (gang.h), domains (topology_index.h).
#ifndef GANGPACK_CORE_CLUSTER_STATE_H_
#define GANGPACK_CORE_CLUSTER_STATE_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/container/btree_set.h"
#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/ids.h"
#include "core/node.h"
#include "core/pod.h"
#include "core/pod_rules.h"
#include "core/resources.h"
#include "core/topology_index.h"

namespace gangpack {

enum class Placement { kNone, kNominated, kAssumed, kBound };

struct PodRecord {
  Pod pod;
  ResourceVector request;  // with the pod slot
  Placement placement = Placement::kNone;
  NodeIndex node = kNoNode;      // where it is placed
  NodeIndex expected = kNoNode;  // where it is to be placed
  // Interned by gang_shape.h for gang members, so that alike ones are found by comparing numbers; 0
  // for other pods.
  int64_t spec_id = 0;   // equal where everything that looks at one node alone is equal
  int64_t terms_id = 0;  // equal where the rules toward other pods are equal; 0 without any

  // Since when our scheduler would try it (facts_intake.h): a gang became complete with the last
  // member it needed.
  absl::Time eligible_since = absl::InfinitePast();
  int64_t eligible_sequence = 0;

  bool finished() const {
    return pod.phase == PodPhase::kSucceeded || pod.phase == PodPhase::kFailed;
  }
  // Our scheduler would try it: live, unplaced, without gates, and naming `scheduler_name`.
  bool eligible(const std::string& scheduler_name) const {
    return !finished() && !pod.terminating && !placed() && pod.gates == 0 &&
           pod.scheduler_name == scheduler_name;
  }
  bool placed() const { return placement == Placement::kBound || placement == Placement::kAssumed; }
};

struct PodOrder {
  using is_transparent = void;
  bool operator()(const PodRecord* a, const PodRecord* b) const {
    return Before(a->pod.name, a->pod.uid, b->pod.name, b->pod.uid);
  }
  bool operator()(const PodPosition& a, const PodRecord* b) const {
    return Before(a.name, a.uid, b->pod.name, b->pod.uid);
  }
  bool operator()(const PodRecord* a, const PodPosition& b) const {
    return Before(a->pod.name, a->pod.uid, b.name, b.uid);
  }
  static bool Before(const NamespacedName& a, const PodUid& a_uid, const NamespacedName& b,
                     const PodUid& b_uid) {
    return a == b ? a_uid < b_uid : a < b;
  }
};
using SortedPods = absl::btree_set<PodRecord*, PodOrder>;

struct NodeRecord {
  Node object;          // object.name is set even while the node does not exist
  bool exists = false;  // false: only pods name it
  ResourceVector allocatable;
  ResourceVector used;
  std::vector<HostPort> used_ports;
  std::vector<PodRecord*> pods;  // placed here and not finished; no order
  int nominated_pods = 0;        // of those, nominated by another scheduler
  int breaking_pods = 0;         // of those, neither a DaemonSet's nor a mirror pod

  ResourceVector free() const { return FreeOf(allocatable, used); }
};

class ClusterState {
 public:
  explicit ClusterState(std::string scheduler_name) : scheduler_name_(std::move(scheduler_name)) {}
  ClusterState(const ClusterState&) = delete;
  ClusterState& operator=(const ClusterState&) = delete;

  NodeIndex UpsertNode(const Node& node);
  // kNoNode if there was no such node. Pods stay placed on its name.
  NodeIndex RemoveNode(absl::string_view name);

  // Takes the pod as it is now. An assumed placement stays until the pod is bound or Unassume is
  // called. The result's address is stable until RemovePod.
  PodRecord* UpsertPod(const Pod& pod);
  void RemovePod(const PodUid& uid);

  // Counts the pod on the node from now on. The pod must not be bound.
  void Assume(PodRecord* record, NodeIndex node);
  void Unassume(PodRecord* record);
  // The pod is to be placed on the node; kNoNode: no longer.
  void Expect(PodRecord* record, NodeIndex node);

  void SetNamespace(const Namespace& object);
  void RemoveNamespace(const std::string& name);
  const Labels& NamespaceLabels(const std::string& name) const;

  // Starts to index the key over all nodes. Cost: O(N) the first time.
  TopologyKeyIndex AddKey(absl::string_view key);

  NodeIndex FindNode(absl::string_view name) const;
  const NodeRecord& node(NodeIndex index) const { return *nodes_[static_cast<size_t>(index)]; }
  size_t nodes() const { return nodes_.size(); }
  size_t pods() const { return pods_.size(); }
  PodRecord* FindPod(const PodUid& uid) const;
  const SortedPods& PodsSorted() const { return pods_sorted_; }

  const TopologyIndex& topology() const { return topology_; }
  const PodRules& rules() const { return rules_; }
  ResourceTable& resources() { return resources_; }
  const ResourceTable& resources() const { return resources_; }

  // Grows with every change after which a pod may fit where it did not before.
  int64_t improvements() const { return improvements_ + rules_.improvements(); }
  // Grows with every node that comes, changes or goes.
  int64_t node_changes() const { return node_changes_; }

 private:
  NodeIndex NodeFor(absl::string_view name);
  NodeRecord& MutableNode(NodeIndex index) { return *nodes_[static_cast<size_t>(index)]; }
  void Use(PodRecord* record, Placement placement, NodeIndex node);
  void Unuse(PodRecord* record);
  void CountForRules(const PodRecord& record);

  std::string scheduler_name_;
  ResourceTable resources_;
  TopologyIndex topology_;
  PodRules rules_;
  std::vector<std::unique_ptr<NodeRecord>> nodes_;
  absl::flat_hash_map<std::string, NodeIndex> node_ids_;
  absl::flat_hash_map<PodUid, std::unique_ptr<PodRecord>> pods_;
  SortedPods pods_sorted_;
  absl::flat_hash_map<std::string, Labels> namespaces_;
  int64_t improvements_ = 1;
  int64_t node_changes_ = 0;
};

}  // namespace gangpack

#endif  // GANGPACK_CORE_CLUSTER_STATE_H_
