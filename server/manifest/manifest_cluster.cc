#include "server/manifest/manifest_cluster.h"

#include <algorithm>
#include <optional>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "server/manifest/assumed_uid.h"
#include "server/manifest/pod_update.h"

namespace gangpack::server {
namespace {

constexpr char kDefaultNamespace[] = "default";
constexpr char kWakeAnnotation[] = "gangpack.io/wake";

// What others have written into the annotations of a pod outlives a manifest that does not know it.
void KeepOwnAnnotations(const Labels& before, Labels* after) {
  for (const char* key : {kWakeAnnotation, kPlanAnnotation.data()}) {
    if (const auto found = before.find(key); found != before.end()) after->insert(*found);
  }
}

void KeepUnlessStated(const std::string& kept, std::string* stated) {
  if (stated->empty()) *stated = kept;
}

std::string ValueOf(const Labels& annotations, absl::string_view key) {
  const auto found = annotations.find(std::string(key));
  return found == annotations.end() ? "" : found->second;
}

const std::string& UidOf(const NodeObject& object) { return object.uid; }
const std::string& UidOf(const PodObject& object) { return object.pod.uid.value; }
const std::string& UidOf(const PodGroupObject& object) { return object.group.uid; }

absl::Status Refused(const NamespacedName& pod, absl::string_view why) {
  return absl::FailedPreconditionError(
      absl::StrCat("Operation cannot be fulfilled on pods/binding \"", pod.name, "\": ", why));
}

absl::Status NotFound(absl::string_view resource, const std::string& name) {
  return absl::NotFoundError(absl::StrCat(resource, " \"", name, "\" not found"));
}

}  // namespace

ManifestCluster::ManifestCluster(std::string scheduler_name, k8s::Clock* clock)
    : scheduler_name_(std::move(scheduler_name)), clock_(clock) {}

template <typename Key, typename T>
void ManifestCluster::Put(std::map<Key, std::shared_ptr<const T>>* objects, const Key& key,
                          T object) {
  object.resource_version = ++resource_version_;
  std::shared_ptr<const T>& slot = (*objects)[key];
  Change<T> change{slot, std::make_shared<const T>(std::move(object))};
  slot = change.after;
  events_.push_back(std::move(change));
}

template <typename Key, typename T>
absl::Status ManifestCluster::Erase(std::map<Key, std::shared_ptr<const T>>* objects,
                                    const Key& key, const NamedObject& object) {
  const auto found = objects->find(key);
  if (found == objects->end()) return NotFound(object.resource, object.name.name);
  ++resource_version_;
  ++incarnations_[{object.resource, object.name}];
  uid_owners_[UidOf(*found->second)] = std::nullopt;
  events_.push_back(Change<T>{found->second, nullptr});
  objects->erase(found);
  return absl::OkStatus();
}

std::vector<FieldFault> ManifestCluster::Apply(ManifestObject object) {
  if (auto* node = std::get_if<k8s::DecodedNode>(&object)) return ApplyNode(std::move(*node));
  if (auto* pod = std::get_if<k8s::DecodedPod>(&object)) {
    KeepUnlessStated(kDefaultNamespace, &pod->pod.name.namespace_name);
    return ApplyPod(std::move(*pod));
  }
  if (auto* group = std::get_if<k8s::DecodedPodGroup>(&object)) {
    KeepUnlessStated(kDefaultNamespace, &group->group.name.namespace_name);
    return ApplyPodGroup(*group);
  }
  return ApplyNamespace(std::get<k8s::DecodedNamespace>(object));
}

std::vector<FieldFault> ManifestCluster::ApplyNode(k8s::DecodedNode manifest) {
  const std::string name = manifest.node.name;
  const std::shared_ptr<const NodeObject> before = FindNode(name);
  NodeObject object{std::move(manifest.node), "", std::move(manifest.annotations), 0};
  // The kubelet sets it; rules between siblings of one host are written with it.
  object.node.labels.try_emplace(std::string(kHostnameLabel), object.node.name);
  std::vector<FieldFault> faults = TakeUid({"nodes", {"", name}}, manifest.uid,
                                           before == nullptr ? nullptr : &before->uid, &object.uid);
  if (faults.empty()) Put(&nodes_, name, std::move(object));
  return faults;
}

std::vector<FieldFault> ManifestCluster::ApplyNamespace(const k8s::DecodedNamespace& manifest) {
  const auto found = namespaces_.find(manifest.object.name);
  NamespaceObject object{manifest.object, "", 0};
  std::vector<FieldFault> faults =
      TakeUid({"namespaces", {"", manifest.object.name}}, manifest.uid,
              found == namespaces_.end() ? nullptr : &found->second->uid, &object.uid);
  if (faults.empty()) Put(&namespaces_, manifest.object.name, std::move(object));
  return faults;
}

std::vector<FieldFault> ManifestCluster::ApplyPodGroup(const k8s::DecodedPodGroup& manifest) {
  const auto found = groups_.find(manifest.group.name);
  const PodGroup* before = found == groups_.end() ? nullptr : &found->second->group;
  PodGroupObject object{manifest.group, 0};
  std::vector<FieldFault> faults =
      TakeUid({"podgroups", manifest.group.name}, manifest.group.uid,
              before == nullptr ? nullptr : &before->uid, &object.group.uid);
  if (!faults.empty()) return faults;
  object.group.creation = before != nullptr
                              ? before->creation
                              : NextCreation(IsStated({"podgroups", manifest.group.name},
                                                      manifest.group.uid == object.group.uid)
                                                 ? manifest.creation
                                                 : std::nullopt);
  Put(&groups_, manifest.group.name, std::move(object));
  return faults;
}

std::vector<FieldFault> ManifestCluster::ApplyPod(k8s::DecodedPod manifest) {
  const std::shared_ptr<const PodObject> before = FindPod(manifest.pod.name);
  std::vector<FieldFault> faults;
  if (before != nullptr) faults = CheckPodUpdate(*before, manifest);
  if (!manifest.gates.empty() && !manifest.pod.node_name.empty()) {
    faults.push_back({"spec.nodeName", "is set, expected none while the pod has scheduling gates"});
  }
  if (!faults.empty()) return faults;
  PodObject object{std::move(manifest.pod),   std::move(manifest.annotations), {},
                   std::move(manifest.gates), std::move(manifest.containers),  0};
  Pod& pod = object.pod;
  const NamespacedName name = pod.name;
  const PodUid stated_uid = pod.uid;
  faults = TakeUid({"pods", name}, stated_uid.value,
                   before == nullptr ? nullptr : &before->pod.uid.value, &pod.uid.value);
  if (!faults.empty()) return faults;
  Pod assumed;
  assumed.scheduler_name = scheduler_name_;
  const Pod& old = before == nullptr ? assumed : before->pod;
  KeepUnlessStated(old.scheduler_name, &pod.scheduler_name);
  KeepUnlessStated(old.node_name, &pod.node_name);
  KeepUnlessStated(old.nominated_node_name, &pod.nominated_node_name);
  pod.phase = manifest.phase.value_or(old.phase);
  pod.terminating = pod.terminating || old.terminating;
  if (manifest.scheduled.has_value()) {
    object.scheduled = *std::move(manifest.scheduled);
  } else if (before != nullptr) {
    object.scheduled = before->scheduled;
  }
  if (before != nullptr) {
    pod.creation = before->pod.creation;
    KeepOwnAnnotations(before->annotations, &object.annotations);
  } else {
    const bool stated = IsStated({"pods", name}, stated_uid == pod.uid);
    pod.creation = NextCreation(stated ? manifest.creation : std::nullopt);
  }
  pod.plan_annotation = ValueOf(object.annotations, kPlanAnnotation);
  Put(&pods_, name, std::move(object));
  return faults;
}

std::vector<FieldFault> ManifestCluster::TakeUid(const NamedObject& object,
                                                 const std::string& stated,
                                                 const std::string* existing, std::string* uid) {
  if (existing != nullptr) {
    if (!stated.empty() && stated != *existing) {
      return {{"metadata.uid", absl::StrCat("is immutable: ", stated, ", expected ", *existing,
                                            " (delete the object first to create another)")}};
    }
    *uid = *existing;
    return {};
  }
  const auto owner = !stated.empty() ? uid_owners_.find(stated) : uid_owners_.end();
  if (owner != uid_owners_.end() && owner->second.has_value()) {
    return {{"metadata.uid", absl::StrCat("is ", stated, ", which is the UID of ", *owner->second,
                                          " already, expected a unique one")}};
  }
  const bool fresh = !stated.empty() && owner == uid_owners_.end();
  const auto incarnation = incarnations_.find({object.resource, object.name});
  *uid = fresh ? stated
               : AssumedUid({object.resource, object.name,
                             incarnation == incarnations_.end() ? 0 : incarnation->second});
  uid_owners_[*uid] = absl::StrCat(object.resource, " ", object.name.namespace_name,
                                   object.name.namespace_name.empty() ? "" : "/", object.name.name);
  return {};
}

absl::Status ManifestCluster::DeleteNode(const std::string& name) {
  return Erase(&nodes_, name, {"nodes", {"", name}});
}

absl::Status ManifestCluster::DeletePod(const NamespacedName& name) {
  return Erase(&pods_, name, {"pods", name});
}

absl::Status ManifestCluster::DeletePodGroup(const NamespacedName& name) {
  return Erase(&groups_, name, {"podgroups", name});
}

bool ManifestCluster::IsStated(const NamedObject& object, bool kept_uid) const {
  return kept_uid || !incarnations_.contains({object.resource, object.name});
}

void ManifestCluster::Terminate(const NamespacedName& name) {
  const std::shared_ptr<const PodObject> found = FindPod(name);
  if (found == nullptr || found->pod.terminating) return;
  PodObject object = *found;
  object.pod.terminating = true;
  Put(&pods_, name, std::move(object));
}

absl::Time ManifestCluster::NextCreation(const std::optional<absl::Time>& stated) {
  const absl::Time next = std::max(clock_->Now(), last_creation_ + absl::Nanoseconds(1));
  const absl::Time creation = stated.value_or(next);
  last_creation_ = std::max(last_creation_, creation);
  return creation;
}

absl::Status ManifestCluster::Bind(const BindPod& bind) {
  const std::shared_ptr<const PodObject> found = FindPod(bind.pod);
  if (found == nullptr) return NotFound("pods", bind.pod.name);
  const Pod& pod = found->pod;
  if (!(pod.uid == bind.uid)) {
    return Refused(bind.pod, absl::StrCat("Precondition failed: UID in precondition: ",
                                          bind.uid.value, ", UID in object meta: ", pod.uid.value));
  }
  if (pod.node_name == bind.node) return absl::OkStatus();
  if (pod.terminating) {
    return Refused(bind.pod, absl::StrCat("pod ", bind.pod.name,
                                          " is being deleted, cannot be assigned to a host"));
  }
  if (!pod.node_name.empty()) {
    return Refused(bind.pod, absl::StrCat("pod ", bind.pod.name, " is already assigned to node \"",
                                          pod.node_name, "\""));
  }
  if (pod.gates > 0) {
    return Refused(bind.pod,
                   absl::StrCat("pod ", bind.pod.name, " has non-empty .spec.schedulingGates"));
  }
  if (fail_binding_.erase(bind.pod) > 0) {
    return Refused(bind.pod, "refused as the manifest asks for (failBinding)");
  }
  PodObject object = *found;
  object.pod.node_name = bind.node;
  object.pod.nominated_node_name.clear();  // the API server clears it at binding, from 1.35 on
  object.scheduled = {"True", "", ""};
  Put(&pods_, bind.pod, std::move(object));
  return absl::OkStatus();
}

absl::Status ManifestCluster::Wake(const WakePod& wake) {
  const std::shared_ptr<const PodObject> found = FindPod(wake.pod, wake.uid);
  if (found == nullptr) return NotFound("pods", wake.pod.name);
  PodObject object = *found;
  std::string& count = object.annotations[kWakeAnnotation];
  int64_t before = 0;
  if (!absl::SimpleAtoi(count, &before) || before < 0) before = 0;
  count = absl::StrCat(before + 1);
  Put(&pods_, wake.pod, std::move(object));
  return absl::OkStatus();
}

absl::Status ManifestCluster::Clear(const ClearNomination& clear) {
  const std::shared_ptr<const PodObject> found = FindPod(clear.pod, clear.uid);
  if (found == nullptr) return NotFound("pods", clear.pod.name);
  PodObject object = *found;
  object.annotations.erase(std::string(kPlanAnnotation));
  object.pod.plan_annotation.clear();
  object.pod.nominated_node_name.clear();
  Put(&pods_, clear.pod, std::move(object));
  return absl::OkStatus();
}

void ManifestCluster::SetNotScheduled(const PodUid& uid, const NamespacedName& name,
                                      const k8s::PodScheduledStatus& condition,
                                      bool clear_nomination) {
  const std::shared_ptr<const PodObject> found = FindPod(name, uid);
  if (found == nullptr || !found->pod.node_name.empty()) return;
  const bool clears = clear_nomination && !found->pod.nominated_node_name.empty();
  const bool says_so = found->scheduled.status == condition.status &&
                       found->scheduled.reason == condition.reason &&
                       found->scheduled.message == condition.message;
  if (says_so && !clears) return;
  PodObject object = *found;
  object.scheduled = condition;
  if (clears) object.pod.nominated_node_name.clear();
  Put(&pods_, name, std::move(object));
}

bool ManifestCluster::RunPod(const NamespacedName& name) {
  const std::shared_ptr<const PodObject> found = FindPod(name);
  if (found == nullptr || found->pod.node_name.empty()) return false;
  if (found->pod.phase != PodPhase::kPending) return false;
  if (!nodes_.contains(found->pod.node_name)) return false;
  PodObject object = *found;
  object.pod.phase = PodPhase::kRunning;
  Put(&pods_, name, std::move(object));
  return true;
}

std::vector<ClusterEvent> ManifestCluster::DrainEvents() { return std::exchange(events_, {}); }

void ManifestCluster::ListFacts(absl::FunctionRef<void(Fact)> list) const {
  for (const auto& [name, object] : nodes_) list(NodeChanged{object->node});
  for (const auto& [name, object] : namespaces_) list(NamespaceChanged{object->object});
  for (const auto& [name, object] : groups_) list(PodGroupChanged{object->group});
  for (const auto& [name, object] : pods_) list(PodChanged{object->pod});
}

std::shared_ptr<const NodeObject> ManifestCluster::FindNode(const std::string& name) const {
  const auto found = nodes_.find(name);
  return found == nodes_.end() ? nullptr : found->second;
}

std::shared_ptr<const PodObject> ManifestCluster::FindPod(const NamespacedName& name) const {
  const auto found = pods_.find(name);
  return found == pods_.end() ? nullptr : found->second;
}

std::shared_ptr<const PodObject> ManifestCluster::FindPod(const NamespacedName& name,
                                                          const PodUid& uid) const {
  std::shared_ptr<const PodObject> found = FindPod(name);
  return found != nullptr && found->pod.uid == uid ? found : nullptr;
}

}  // namespace gangpack::server
