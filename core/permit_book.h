// Who waits at Permit, and which bindings are under way.
//
// Terms. Waiter: a gang member that has a node and whose bind call is held until the gang is
// complete. Binding: a pod whose BindPod effect was emitted and has not been answered; the calls
// that wait for it are answered together. Invariants: (1) a pod waits or is being bound, never
// both; (2) each call belongs to one pod. Cost: all O(log waiters). Not here: when the gang is
// complete and what then happens (gang_life.h).
#ifndef GANGPACK_CORE_PERMIT_BOOK_H_
#define GANGPACK_CORE_PERMIT_BOOK_H_

#include <vector>

#include "absl/container/btree_map.h"
#include "absl/time/time.h"
#include "core/ids.h"
#include "core/topology_index.h"

namespace gangpack {

struct Waiter {
  CallId call = 0;
  NodeIndex node = kNoNode;
  absl::Time since;  // its own arrival at Permit: its timeout counts from here
};

class PermitBook {
 public:
  void Arrive(const PodUid& pod, Waiter waiter);
  const Waiter* FindWaiter(const PodUid& pod) const;
  // Takes the waiter out; its call is then the caller's to answer. The pod must wait.
  Waiter Leave(const PodUid& pod);

  // The pod is being bound to `node`, and `call` (if not 0) waits for the result.
  void StartBinding(const PodUid& pod, NodeIndex node, CallId call);
  // kNoNode if the pod is not being bound.
  NodeIndex BindingNode(const PodUid& pod) const;
  // The pod must be being bound.
  void JoinBinding(const PodUid& pod, CallId call);
  // Ends the binding; returns the calls to answer. Empty if there is none.
  std::vector<CallId> FinishBinding(const PodUid& pod);

  // The pod that `call` waits for as a Waiter, nullptr if it does not. Calls that wait for a
  // binding are just dropped.
  const PodUid* WaiterOfCall(CallId call) const;
  void DropBindingCall(CallId call);

  const absl::btree_map<PodUid, Waiter>& waiters() const { return waiters_; }

 private:
  struct Binding {
    NodeIndex node = kNoNode;
    std::vector<CallId> calls;
  };
  absl::btree_map<PodUid, Waiter> waiters_;
  absl::btree_map<PodUid, Binding> bindings_;
  absl::btree_map<CallId, PodUid> pod_of_call_;
};

}  // namespace gangpack

#endif  // GANGPACK_CORE_PERMIT_BOOK_H_
