// kube-scheduler's picture of the nodes and of what runs there, and its own filters on it.
//
// Terms: a pod is on a node when it is bound there, or assumed: chosen, and its binding under way.
// Nominated pods of the same or higher priority count as on their node for the pod that is tried.
// Invariant: a pod is on one node at most; it stays counted on the name of a node that is gone.
// Thread-safety: none. Determinism: nodes by name.
// Cost: O(nodes) per pod that is filtered, O(log) per change.
// Source: plugins NodeUnschedulable, TaintToleration, NodeAffinity, NodePorts and NodeResourcesFit
// of Kubernetes 1.36. A pod that is tried has no spec.nodeName, so NodeName never refuses; volumes
// and device claims are not known; InterPodAffinity and PodTopologySpread are switched off in our
// profile.
#ifndef GANGPACK_SERVER_SIMULATE_SCHEDULER_CACHE_H_
#define GANGPACK_SERVER_SIMULATE_SCHEDULER_CACHE_H_

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/resources.h"
#include "server/manifest/cluster_object.h"
#include "server/simulate/scheduling_queue.h"

namespace gangpack::server {

// Why one node cannot take the pod, in kube-scheduler's words. Empty: it can.
struct NodeVerdict {
  std::vector<std::string> reasons;
  Rejectors rejector = 0;
};

class SchedulerCache {
 public:
  void PutNode(std::shared_ptr<const NodeObject> node);
  void RemoveNode(const std::string& name);
  const std::map<std::string, std::shared_ptr<const NodeObject>>& nodes() const { return nodes_; }

  // Puts the pod on the node, in place of what was known of it.
  void PutPod(std::shared_ptr<const PodObject> pod, const std::string& node);
  void RemovePod(const PodUid& uid);
  // The node a pod is on, nullptr if none.
  const std::string* NodeOf(const PodUid& uid) const;

  // Follows status.nominatedNodeName of a pod that has no node yet.
  void PutNominated(std::shared_ptr<const PodObject> pod);
  void RemoveNominated(const PodUid& uid);

  // From now on these nodes are refused for the pod of that name.
  void Refuse(const NamespacedName& pod, const std::string& node) { refused_[pod].insert(node); }

  // The names that the pod's node affinity by metadata.name leaves; empty where it leaves all.
  // Other nodes are not even looked at.
  static std::set<std::string> NodesByName(const PodSpec& spec);

  // For each of the nodes, which must be known: the first filter that refuses, in kube-scheduler's
  // order.
  std::vector<NodeVerdict> Filter(const Pod& pod, const std::vector<std::string>& nodes);

  // Whether the node as such, empty, could take the pod's request: for the hints of
  // NodeResourcesFit.
  static bool FitsEmpty(const Pod& pod, const Node& node);

 private:
  struct Placed {
    std::shared_ptr<const PodObject> pod;
    std::string node;
  };
  struct NodeUse {
    ResourceVector allocatable;
    ResourceVector requested;  // includes pod slots
    std::map<PodUid, std::shared_ptr<const PodObject>> pods;
    std::map<PodUid, std::shared_ptr<const PodObject>> nominated;
  };

  using Guests = std::vector<const Pod*>;  // nominated pods that count

  ResourceVector RequestOf(const Pod& pod);
  NodeVerdict Judge(const Pod& pod, const ResourceVector& request, const std::string& node_name);
  NodeVerdict CheckPorts(const Pod& pod, const NodeUse& use, const Guests& guests);
  NodeVerdict CheckFit(const ResourceVector& request, const NodeUse& use, const Guests& guests);

  ResourceTable table_;
  std::map<std::string, std::shared_ptr<const NodeObject>> nodes_;
  std::map<std::string, NodeUse> use_;
  std::map<PodUid, Placed> placed_;
  std::map<PodUid, std::string> nominated_;
  std::map<NamespacedName, std::set<std::string>> refused_;
};

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_SIMULATE_SCHEDULER_CACHE_H_
