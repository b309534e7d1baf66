#include "server/simulate/kube_scheduler_model.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"

namespace gangpack::server {
namespace {

constexpr char kNoNodes[] = "no nodes available to schedule pods";
constexpr char kOutsideNodeAffinity[] = "node(s) didn't satisfy plugin(s) [NodeAffinity]";
constexpr char kUnschedulable[] = "Unschedulable";
constexpr char kSchedulerError[] = "SchedulerError";

// Finished pods are in no watch of kube-scheduler.
bool Seen(const std::shared_ptr<const PodObject>& pod) {
  return pod != nullptr && pod->pod.phase != PodPhase::kSucceeded &&
         pod->pod.phase != PodPhase::kFailed;
}

bool Assigned(const std::shared_ptr<const PodObject>& pod) {
  return Seen(pod) && !pod->pod.node_name.empty();
}

}  // namespace

KubeSchedulerModel::KubeSchedulerModel(std::string scheduler_name, Wiring wiring)
    : scheduler_name_(std::move(scheduler_name)),
      cluster_(wiring.cluster),
      extender_(wiring.extender),
      clock_(wiring.clock),
      observer_(std::move(wiring.observer)),
      queue_(wiring.clock->Now()) {}

void KubeSchedulerModel::Observe(const ClusterEvent& event) {
  if (const auto* node = std::get_if<Change<NodeObject>>(&event)) ObserveNode(*node);
  if (const auto* pod = std::get_if<Change<PodObject>>(&event)) ObservePod(*pod);
}

void KubeSchedulerModel::ObserveNode(const Change<NodeObject>& change) {
  if (change.after == nullptr) {
    cache_.RemoveNode(change.before->node.name);
    return;
  }
  cache_.PutNode(change.after);
  if (ChangesScheduling(change)) Move({SchedulerEventKind::kNode, change, {}});
}

bool KubeSchedulerModel::Ours(const std::shared_ptr<const PodObject>& pod) const {
  return Seen(pod) && pod->pod.node_name.empty() && pod->pod.scheduler_name == scheduler_name_;
}

void KubeSchedulerModel::ObservePod(const Change<PodObject>& change) {
  ObserveUnassigned(change);
  ObserveAssigned(change);
}

void KubeSchedulerModel::ObserveUnassigned(const Change<PodObject>& change) {
  const bool was = Ours(change.before);
  const bool is = Ours(change.after);
  if (!was && !is) return;
  const PodUid& uid = (is ? change.after : change.before)->pod.uid;
  const std::string nominated = was ? change.before->pod.nominated_node_name : "";
  if (!was) queue_.Add(change.after, clock_->Now());
  if (is) SetNominated(change.after);
  if (was && is) {
    queue_.Update(change.after, clock_->Now());
    Move({SchedulerEventKind::kOwnUpdate, {}, change});
  }
  if (was && !is) {
    queue_.Remove(uid);
    cache_.RemoveNominated(uid);
    if (!Assigned(change.after) && cache_.NodeOf(uid) != nullptr) {
      // Deleted while its bind is held: forgotten at once, from 1.35 on.
      cache_.RemovePod(uid);
      Move({SchedulerEventKind::kAssignedGone, {}, change});
    }
  }
  const bool nomination_ended = !nominated.empty() && !Assigned(change.after) &&
                                (!is || change.after->pod.nominated_node_name != nominated);
  if (nomination_ended) {
    Move({SchedulerEventKind::kAssignedGone, {}, change, change.before->pod.priority});
  }
}

void KubeSchedulerModel::SetNominated(std::shared_ptr<const PodObject> pod) {
  if (cache_.NodeOf(pod->pod.uid) == nullptr) cache_.PutNominated(std::move(pod));
}

void KubeSchedulerModel::ObserveAssigned(const Change<PodObject>& change) {
  const bool was = Assigned(change.before);
  const bool is = Assigned(change.after);
  if (is) {
    cache_.PutPod(change.after, change.after->pod.node_name);
    Move({was ? SchedulerEventKind::kAssignedUpdated : SchedulerEventKind::kAssignedAdded,
          {},
          change});
  } else if (was) {
    cache_.RemovePod(change.before->pod.uid);
    Move({SchedulerEventKind::kAssignedGone, {}, change});
  }
}

void KubeSchedulerModel::Move(const SchedulerEvent& event) {
  queue_.Requeue(clock_->Now(), [&](const QueuedPod& parked) { return Helps(event, parked); });
}

bool KubeSchedulerModel::MayTry(const QueuedPod& pod) {
  if (paused(pod.object->pod.name)) return false;
  if (tries_total_ >= kTriesTotalMax) {
    all_tries_used_ = true;
    return false;
  }
  const Tries& tries = tries_[pod.object->pod.uid];
  if (tries.epoch != epoch_ || tries.count < kTriesMax) return true;
  exhausted_.insert(pod.object->pod.name);
  return false;
}

void KubeSchedulerModel::CountTry(const PodUid& uid) {
  Tries& tries = tries_[uid];
  if (tries.epoch != epoch_) tries = {epoch_, 0};
  ++tries.count;
  ++tries_total_;
  ++records_[uid].attempts;
}

bool KubeSchedulerModel::TryOne(bool no_backoff) {
  const std::optional<QueuedPod> queued =
      queue_.Pop(no_backoff, [this](const QueuedPod& pod) { return MayTry(pod); });
  if (!queued.has_value()) return false;
  if (!queued->object->pod.terminating) Attempt(*queued);
  return true;
}

void KubeSchedulerModel::Attempt(const QueuedPod& queued) {
  const PodObject& pod = *queued.object;
  CountTry(pod.pod.uid);
  if (cache_.nodes().empty()) {
    FailForNoNodes(queued);
    return;
  }
  AttemptDiagnosis diagnosis;
  diagnosis.nodes_total = cache_.nodes().size();
  std::string error;
  const std::vector<std::string> nodes = FindNodes(pod, &diagnosis, &error);
  records_[pod.pod.uid].extender_asked = diagnosis.extender_asked;
  if (!error.empty()) {
    FailWithError(pod, error);
  } else if (nodes.empty()) {
    FailUnschedulable(queued, diagnosis);
  } else {
    Assume(queued, SelectNode(pod, nodes));
  }
}

std::vector<std::string> KubeSchedulerModel::FindNodes(const PodObject& pod,
                                                       AttemptDiagnosis* diagnosis,
                                                       std::string* error) {
  const std::string& nominated = pod.pod.nominated_node_name;
  if (cache_.nodes().contains(nominated)) {
    std::vector<std::string> left = FilterNodes(pod, {nominated}, diagnosis);
    std::string only_logged;
    if (!left.empty()) left = AskExtender(pod, left, diagnosis, &only_logged);
    if (!left.empty()) return left;
  }
  const std::set<std::string> by_name = SchedulerCache::NodesByName(pod.pod.spec);
  std::vector<std::string> looked_at;
  for (const auto& [name, node] : cache_.nodes()) {
    if (by_name.empty() || by_name.contains(name)) {
      looked_at.push_back(name);
    } else {
      diagnosis->reasons[name] = {kOutsideNodeAffinity};
      diagnosis->rejectors |= kRejectedByNodeAffinity;
    }
  }
  const std::vector<std::string> offered = FilterNodes(pod, looked_at, diagnosis);
  if (offered.empty()) return offered;
  std::vector<std::string> left = AskExtender(pod, offered, diagnosis, error);
  if (left.size() != offered.size()) diagnosis->rejectors |= kRejectedByExtender;
  return left;
}

std::vector<std::string> KubeSchedulerModel::FilterNodes(const PodObject& pod,
                                                         const std::vector<std::string>& nodes,
                                                         AttemptDiagnosis* diagnosis) {
  const std::vector<NodeVerdict> verdicts = cache_.Filter(pod.pod, nodes);
  std::vector<std::string> left;
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (verdicts[i].rejector == 0) {
      left.push_back(nodes[i]);
    } else {
      diagnosis->reasons[nodes[i]] = verdicts[i].reasons;
      diagnosis->rejectors |= verdicts[i].rejector;
    }
  }
  return left;
}

std::vector<std::string> KubeSchedulerModel::AskExtender(const PodObject& pod,
                                                         const std::vector<std::string>& nodes,
                                                         AttemptDiagnosis* diagnosis,
                                                         std::string* error) {
  diagnosis->extender_asked = true;
  ExtenderFilterAnswer answer = extender_->Filter(pod, nodes);
  if (!answer.error.empty()) {
    *error = answer.error;
    return {};
  }
  std::sort(answer.passed.begin(), answer.passed.end());
  for (const std::string& name : answer.passed) {
    if (std::binary_search(nodes.begin(), nodes.end(), name)) continue;
    *error = absl::StrCat("extender claims a filtered node \"", name,
                          "\" which is not found in the input node list");
    return {};
  }
  for (const auto& [name, reason] : answer.refused) {
    diagnosis->reasons[name] = {reason};
  }
  return answer.passed;
}

std::string KubeSchedulerModel::SelectNode(const PodObject& pod,
                                           const std::vector<std::string>& nodes) {
  if (nodes.size() == 1) return nodes.front();
  const std::map<std::string, int64_t> scores = extender_->Prioritize(pod, nodes);
  const auto score_of = [&scores](const std::string& node) {
    const auto found = scores.find(node);
    return found == scores.end() ? 0 : found->second;
  };
  return *std::max_element(nodes.begin(), nodes.end(),
                           [&](const std::string& a, const std::string& b) {
                             return score_of(a) < score_of(b);  // the first of equals stays
                           });
}

void KubeSchedulerModel::Assume(const QueuedPod& queued, const std::string& node) {
  const PodUid& uid = queued.object->pod.uid;
  records_[uid].text.clear();
  cache_.RemoveNominated(uid);
  cache_.PutPod(queued.object, node);
  const CallId call = ++last_call_;
  bindings_[call] = {queued.object, node};
  observer_({AttemptOutcome::Kind::kAssumed, queued.object->pod.name, node, ""});
  extender_->Bind({call, uid, queued.object->pod.name, node});
}

void KubeSchedulerModel::FailUnschedulable(const QueuedPod& queued,
                                           const AttemptDiagnosis& diagnosis) {
  const Pod& pod = queued.object->pod;
  const std::string text = diagnosis.Text();
  records_[pod.uid].text = text;
  observer_({AttemptOutcome::Kind::kUnschedulable, pod.name, "", text});
  queue_.Park(pod.uid, diagnosis.rejectors, clock_->Now());
  cluster_->SetNotScheduled(pod.uid, pod.name, {"False", kUnschedulable, text}, false);
}

// kube-scheduler tries such a pod again and again with backoff; nothing can come of it before there
// is a node, so here it waits for one.
void KubeSchedulerModel::FailForNoNodes(const QueuedPod& queued) {
  const Pod& pod = queued.object->pod;
  records_[pod.uid].text = kNoNodes;
  records_[pod.uid].extender_asked = false;
  observer_({AttemptOutcome::Kind::kUnschedulable, pod.name, "", kNoNodes});
  queue_.Park(pod.uid, kRejectedForNoNodes, clock_->Now());
  cluster_->SetNotScheduled(pod.uid, pod.name, {"False", kUnschedulable, kNoNodes}, true);
}

void KubeSchedulerModel::FailWithError(const PodObject& pod, const std::string& error) {
  records_[pod.pod.uid].text = error;
  observer_({AttemptOutcome::Kind::kFailed, pod.pod.name, "", error});
  queue_.BackOffAfterError(pod.pod.uid, clock_->Now());
  cluster_->SetNotScheduled(pod.pod.uid, pod.pod.name, {"False", kSchedulerError, error}, true);
}

void KubeSchedulerModel::AnswerBind(CallId call, const std::string& error) {
  const auto found = bindings_.find(call);
  if (found == bindings_.end()) return;
  const BindingCycle cycle = std::move(found->second);
  bindings_.erase(found);
  if (!error.empty()) FailBinding(cycle, error);
}

std::optional<ExtenderBind> KubeSchedulerModel::HeldBind(CallId call) const {
  const auto found = bindings_.find(call);
  if (found == bindings_.end()) return std::nullopt;
  const BindingCycle& cycle = found->second;
  return ExtenderBind{call, cycle.pod->pod.uid, cycle.pod->pod.name, cycle.node};
}

void KubeSchedulerModel::FailHeldBinds(const std::string& error) {
  const std::map<CallId, BindingCycle> held = std::exchange(bindings_, {});
  for (const auto& [call, cycle] : held) FailBinding(cycle, error);
}

void KubeSchedulerModel::FailBinding(const BindingCycle& cycle, const std::string& error) {
  const Pod& pod = cycle.pod->pod;
  const std::shared_ptr<const PodObject> now = cluster_->FindPod(pod.name);
  if (now == nullptr || !(now->pod.uid == pod.uid) || !Seen(now)) return;  // gone meanwhile
  if (!now->pod.node_name.empty()) return;  // bound after all: only the answer was lost
  cache_.RemovePod(pod.uid);
  Move({SchedulerEventKind::kAssignedGone, {}, {cycle.pod, nullptr}});
  FailWithError(*now, error);
}

AttemptRecord KubeSchedulerModel::RecordOf(const PodUid& uid) const {
  const auto found = records_.find(uid);
  return found == records_.end() ? AttemptRecord() : found->second;
}

std::vector<NamespacedName> KubeSchedulerModel::OrphanedBinds() const {
  std::vector<NamespacedName> orphans;
  for (const auto& [call, cycle] : bindings_) {
    const std::shared_ptr<const PodObject> now = cluster_->FindPod(cycle.pod->pod.name);
    if (now == nullptr || !(now->pod.uid == cycle.pod->pod.uid)) {
      orphans.push_back(cycle.pod->pod.name);
    }
  }
  return orphans;
}

}  // namespace gangpack::server
