// A Kubernetes API server on paper: the objects of manifests, with what an API server does to them.
//
// Terms: an object's incarnation counts how often its kind, namespace and name were deleted before.
// What a manifest leaves out is assumed: a UID that is a fixed function of kind, namespace, name
// and incarnation; a creation time after that of every object before it; our scheduler's name; the
// phase Pending; a node's label kubernetes.io/hostname, which a kubelet would set. Applying an
// object that exists replaces it and keeps UID, creation, node, nomination, phase and conditions,
// but for those that the manifest carries.
//
// Invariants: UIDs are unique; resource versions rise by one with each change; creation times that
// are assumed rise strictly; a pod keeps its node once it has one.
// Ownership: `clock` must outlive the cluster. Thread-safety: none; where several threads use it,
// the caller locks, and drains the events under the same lock, so that they stay in order. Errors:
// a manifest that the API server would refuse changes nothing and comes back as faults.
// Determinism: the same calls give the same objects, UIDs and events.
// Cost: each call O(log objects) copies of one object.
// Not here: defaults of single fields (manifest_reader.h), what may change (pod_update.h).
#ifndef GANGPACK_SERVER_MANIFEST_MANIFEST_CLUSTER_H_
#define GANGPACK_SERVER_MANIFEST_MANIFEST_CLUSTER_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "core/facts.h"
#include "k8s/clock.h"
#include "server/cluster_writer.h"
#include "server/manifest/cluster_object.h"
#include "server/manifest/manifest_object.h"

namespace gangpack::server {

class ManifestCluster final : public ClusterWriter {
 public:
  // `scheduler_name` is given to pods that name no scheduler.
  ManifestCluster(std::string scheduler_name, k8s::Clock* clock);

  // As `kubectl apply`. Empty if it was done; otherwise why not, and nothing has changed.
  std::vector<FieldFault> Apply(ManifestObject object);

  // Gone at once, whatever grace period or finalizers. NOT_FOUND if there is none.
  absl::Status DeleteNode(const std::string& name);
  absl::Status DeletePod(const NamespacedName& name);
  absl::Status DeletePodGroup(const NamespacedName& name);
  // From now on the pod is being deleted. Nothing changes if it is already, or if there is none.
  void Terminate(const NamespacedName& name);

  // Refused, as the API server does: a pod that is unknown, of another UID, being deleted, gated,
  // or bound elsewhere. Whether the node exists is not asked there either. Bound to the same node
  // already is success.
  absl::Status Bind(const BindPod& bind) override;
  // Counts the annotation gangpack.io/wake up. Errors: NOT_FOUND if no pod has that UID and name.
  absl::Status Wake(const WakePod& wake) override;
  // Clears the nomination and our annotation. Errors: as Wake.
  absl::Status Clear(const ClearNomination& clear) override;

  // The next binding of the pod of that name is refused, whichever pod has the name then.
  void FailNextBinding(const NamespacedName& name) { fail_binding_.insert(name); }

  // kube-scheduler's patch after an attempt that failed. Nothing changes, and no event comes, if
  // the pod says so already, is bound, or is gone.
  void SetNotScheduled(const PodUid& uid, const NamespacedName& name,
                       const k8s::PodScheduledStatus& condition, bool clear_nomination);

  // The kubelet's: a Pending pod that is bound to a node that exists now runs. True if it was one.
  bool RunPod(const NamespacedName& name);

  // Moves out what changed since the last call, in order.
  std::vector<ClusterEvent> DrainEvents();

  // Every object as a fact, by kind and name: what a list of each watch gives.
  void ListFacts(absl::FunctionRef<void(Fact)> list) const;

  // nullptr if there is none.
  std::shared_ptr<const PodObject> FindPod(const NamespacedName& name) const;
  std::shared_ptr<const NodeObject> FindNode(const std::string& name) const;

  const std::map<NamespacedName, std::shared_ptr<const PodObject>>& pods() const { return pods_; }
  const std::map<std::string, std::shared_ptr<const NodeObject>>& nodes() const { return nodes_; }

 private:
  struct NamedObject {
    std::string resource;  // "pods"
    NamespacedName name;
  };

  template <typename Key, typename T>
  void Put(std::map<Key, std::shared_ptr<const T>>* objects, const Key& key, T object);
  template <typename Key, typename T>
  absl::Status Erase(std::map<Key, std::shared_ptr<const T>>* objects, const Key& key,
                     const NamedObject& object);

  std::vector<FieldFault> ApplyNode(k8s::DecodedNode manifest);
  std::vector<FieldFault> ApplyPod(k8s::DecodedPod manifest);
  std::vector<FieldFault> ApplyPodGroup(const k8s::DecodedPodGroup& manifest);
  std::vector<FieldFault> ApplyNamespace(const k8s::DecodedNamespace& manifest);

  // Into `*uid` goes the existing UID, or for a new object the stated one; the assumed one if there
  // is none, or if it belonged to an object that was deleted.
  std::vector<FieldFault> TakeUid(const NamedObject& object, const std::string& stated,
                                  const std::string* existing, std::string* uid);
  // Whether a new object is the one that its manifest describes: it has that manifest's UID, or is
  // the first of its name. If not, the manifest's creation time is that of an object which was
  // deleted.
  bool IsStated(const NamedObject& object, bool kept_uid) const;
  absl::Time NextCreation(const std::optional<absl::Time>& stated);
  std::shared_ptr<const PodObject> FindPod(const NamespacedName& name, const PodUid& uid) const;

  const std::string scheduler_name_;
  k8s::Clock* const clock_;
  std::map<std::string, std::shared_ptr<const NodeObject>> nodes_;
  std::map<NamespacedName, std::shared_ptr<const PodObject>> pods_;
  std::map<NamespacedName, std::shared_ptr<const PodGroupObject>> groups_;
  std::map<std::string, std::shared_ptr<const NamespaceObject>> namespaces_;
  std::map<std::pair<std::string, NamespacedName>, int64_t> incarnations_;  // only those above 0
  std::map<std::string, std::optional<std::string>> uid_owners_;  // nothing: it was deleted
  std::set<NamespacedName> fail_binding_;
  std::vector<ClusterEvent> events_;
  int64_t resource_version_ = 0;
  absl::Time last_creation_ = absl::InfinitePast();
};

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_MANIFEST_MANIFEST_CLUSTER_H_
