// Which event may help which parked pod: kube-scheduler's queueing hints.
//
// Source of the rules: kube-scheduler.md section 4.2, column 1.32 and later, and EventsToRegister
// of the plugins in Kubernetes 1.36. A pod that an extender rejected is helped by every event of
// the kinds below; one that only kube-scheduler's own filters rejected, by those that its plugins
// name.
#ifndef GANGPACK_SERVER_SIMULATE_REQUEUE_HINTS_H_
#define GANGPACK_SERVER_SIMULATE_REQUEUE_HINTS_H_

#include <cstdint>
#include <limits>
#include <memory>

#include "server/manifest/cluster_object.h"
#include "server/simulate/scheduling_queue.h"

namespace gangpack::server {

enum class SchedulerEventKind {
  kNode,           // added, or changed in labels, annotations, taints or allocatable, or uncordoned
  kAssignedAdded,  // a pod got a node, or came with one
  kAssignedUpdated,
  kAssignedGone,  // deleted or finished; also a binding that failed, a nomination that ended
  kOwnUpdate,     // the parked pod itself was changed
};

struct SchedulerEvent {
  SchedulerEventKind kind;
  Change<NodeObject> node;                                     // of kNode
  Change<PodObject> pod;                                       // of the other kinds
  int32_t priority_max = std::numeric_limits<int32_t>::max();  // helps pods of up to this priority
};

bool Helps(const SchedulerEvent& event, const QueuedPod& parked);

// Whether kube-scheduler sees a change of the node at all: heartbeats are none, nor is a cordon.
bool ChangesScheduling(const Change<NodeObject>& change);

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_SIMULATE_REQUEUE_HINTS_H_
