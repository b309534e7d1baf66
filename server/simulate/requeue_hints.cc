#include "server/simulate/requeue_hints.h"

#include "core/predicates.h"
#include "server/simulate/scheduler_cache.h"

namespace gangpack::server {
namespace {

// True if `passes` holds for the node as it is and, where there was one, did not hold before.
template <typename Passes>
bool NowPasses(const Change<NodeObject>& change, Passes passes) {
  return passes(change.after->node) && (change.before == nullptr || !passes(change.before->node));
}

bool MoreOfARequest(const Pod& pod, const Change<NodeObject>& change) {
  if (change.before == nullptr) return true;
  const ResourceAmounts& before = change.before->node.allocatable;
  for (const auto& [name, amount] : change.after->node.allocatable) {
    const auto old = before.find(name);
    const bool requested = name == kResourcePods || pod.spec.request.contains(name);
    if (requested && amount > (old == before.end() ? 0 : old->second)) return true;
  }
  return false;
}

// kube-scheduler's event NodeUpdateNodeTaint. It registers that event, and asks nothing more, for
// every plugin that names the adding of nodes but not this event (buildQueueingHintMap).
bool ChangesTaints(const Change<NodeObject>& change) {
  if (change.before == nullptr) return false;
  const Node& before = change.before->node;
  const Node& after = change.after->node;
  return before.taints != after.taints || (before.unschedulable && !after.unschedulable);
}

constexpr Rejectors kHelpedByAnyTaintChange =
    kRejectedByNodeAffinity | kRejectedByFit | kRejectedByPorts | kRejectedByStep;

bool NodeHelps(const Change<NodeObject>& change, const QueuedPod& parked) {
  const Pod& pod = parked.object->pod;
  const PodSpec& spec = pod.spec;
  const Rejectors by = parked.rejectors;
  const bool added = change.before == nullptr;
  if ((by & kHelpedByAnyTaintChange) != 0 && ChangesTaints(change)) return true;
  if ((by & (kRejectedByPorts | kRejectedByStep | kRejectedForNoNodes)) != 0 && added) return true;
  if ((by & kRejectedByUnschedulable) != 0 &&
      NowPasses(change, [&](const Node& node) { return !CheckUnschedulable(spec, node); })) {
    return true;
  }
  if ((by & kRejectedByTaints) != 0 &&
      NowPasses(change, [&](const Node& node) { return !CheckTaints(spec, node); })) {
    return true;
  }
  if ((by & kRejectedByNodeAffinity) != 0 &&
      NowPasses(change, [&](const Node& node) { return !CheckNodeAffinity(spec, node); })) {
    return true;
  }
  return (by & kRejectedByFit) != 0 && SchedulerCache::FitsEmpty(pod, change.after->node) &&
         MoreOfARequest(pod, change);
}

bool GonePodHelps(const PodObject& gone, const QueuedPod& parked) {
  if ((parked.rejectors & kRejectedByFit) != 0) return true;
  return (parked.rejectors & kRejectedByPorts) != 0 &&
         CheckHostPorts(parked.object->pod.spec.host_ports, gone.pod.spec.host_ports).has_value();
}

// Of a pod's own fields only its tolerations matter to the filters that are modelled, and they only
// grow.
bool OwnUpdateHelps(const Change<PodObject>& change, const QueuedPod& parked) {
  return (parked.rejectors & (kRejectedByUnschedulable | kRejectedByTaints)) != 0 &&
         change.after->pod.spec.tolerations.size() > change.before->pod.spec.tolerations.size();
}

}  // namespace

bool Helps(const SchedulerEvent& event, const QueuedPod& parked) {
  const PodUid& uid = parked.object->pod.uid;
  const bool own = event.kind == SchedulerEventKind::kOwnUpdate;
  if (own && !(event.pod.after->pod.uid == uid)) return false;
  if (parked.object->pod.priority > event.priority_max) return false;
  if ((parked.rejectors & kRejectedByExtender) != 0) return true;
  switch (event.kind) {
    case SchedulerEventKind::kNode:
      return NodeHelps(event.node, parked);
    case SchedulerEventKind::kAssignedGone:
      return GonePodHelps(*event.pod.before, parked);
    case SchedulerEventKind::kOwnUpdate:
      return OwnUpdateHelps(event.pod, parked);
    case SchedulerEventKind::kAssignedAdded:
    case SchedulerEventKind::kAssignedUpdated:
      return false;
  }
  return false;
}

bool ChangesScheduling(const Change<NodeObject>& change) {
  if (change.before == nullptr || change.before->annotations != change.after->annotations) {
    return true;
  }
  Node before = change.before->node;
  before.unschedulable |= change.after->node.unschedulable;  // to cordon a node is no event
  return !(before == change.after->node);
}

}  // namespace gangpack::server
