// A stock kube-scheduler with one extender, as far as a pod's way to its node goes.
//
// One attempt at a time: take the next pod of the queue, try its nominated node and then all nodes
// against its own filters, ask the extender about those that are left, score if more than one still
// is, assume the pod there, and start its binding cycle, which is one held call of the extender;
// many are under way at once. What fails goes back to the queue, with event and condition in
// kube-scheduler's own words.
//
// Modelled: kube-scheduler.md, Kubernetes 1.36 with the configuration of its section 8. Not
// modelled: sampling of nodes (percentageOfNodesToScore is 100), in-tree scoring (the extender's
// alone decides, then the node's name), preemption (off), volumes and device claims.
//
// Ownership: `cluster`, `extender` and `clock` must outlive the model. Thread-safety: none.
// Determinism: nodes are offered by name.
// Not here: what happens in the cluster meanwhile (simulation.h).
#ifndef GANGPACK_SERVER_SIMULATE_KUBE_SCHEDULER_MODEL_H_
#define GANGPACK_SERVER_SIMULATE_KUBE_SCHEDULER_MODEL_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "core/ids.h"
#include "k8s/clock.h"
#include "server/manifest/manifest_cluster.h"
#include "server/simulate/attempt_diagnosis.h"
#include "server/simulate/extender.h"
#include "server/simulate/requeue_hints.h"
#include "server/simulate/scheduler_cache.h"
#include "server/simulate/scheduling_queue.h"

namespace gangpack::server {

// What came of the last attempt at a pod, and how many there were.
struct AttemptRecord {
  int attempts = 0;
  std::string text;             // of the failure; empty if it did not fail
  bool extender_asked = false;  // whether the extender was asked in it
};

// How one attempt, or one binding cycle, ended.
struct AttemptOutcome {
  enum class Kind {
    kAssumed,        // the pod is on its way to `node`
    kUnschedulable,  // no node was found; `text` says why
    kFailed,         // a call of the extender failed: `text` is its error
  };
  Kind kind = Kind::kAssumed;
  NamespacedName pod;
  std::string node;
  std::string text;
};

class KubeSchedulerModel {
 public:
  struct Wiring {
    ManifestCluster* cluster;
    Extender* extender;
    k8s::Clock* clock;
    std::function<void(const AttemptOutcome&)> observer;
  };
  // Schedules pods that name `scheduler_name`.
  KubeSchedulerModel(std::string scheduler_name, Wiring wiring);

  // The watches. Every event of the cluster comes here once, in order.
  void Observe(const ClusterEvent& event);

  // Tries one pod; false if none may be tried now. `no_backoff`: backoff counts as zero.
  bool TryOne(bool no_backoff);

  // The extender answers a held bind. Empty `error`: the pod is bound.
  void AnswerBind(CallId call, const std::string& error);
  // What an open bind call asks for; nullopt if there is none of that id.
  std::optional<ExtenderBind> HeldBind(CallId call) const;
  // The extender went away: every held bind fails with `error`.
  void FailHeldBinds(const std::string& error);

  // Does what time has brought, and when it next brings something; absl::InfiniteFuture() if never.
  void Flush() { queue_.Flush(clock_->Now()); }
  absl::Time NextFlush() const { return queue_.NextFlush(); }

  void Pause(const NamespacedName& pod) { paused_.insert(pod); }
  void Resume(const NamespacedName& pod) { paused_.erase(pod); }
  bool paused(const NamespacedName& pod) const { return paused_.contains(pod); }
  void Refuse(const NamespacedName& pod, const std::string& node) { cache_.Refuse(pod, node); }

  // Something changed that is none of this scheduler's own doing: the counts of tries begin anew.
  void NoteChange() { ++epoch_; }

  // A pod that was never tried has an empty record.
  AttemptRecord RecordOf(const PodUid& uid) const;
  // Held binds of pods that are gone: the extender must end those by itself.
  std::vector<NamespacedName> OrphanedBinds() const;
  // Pods that were not tried again because of kTriesMax, and whether kTriesTotalMax kept any back.
  const std::set<NamespacedName>& exhausted() const { return exhausted_; }
  bool all_tries_used() const { return all_tries_used_; }
  int64_t attempts() const { return tries_total_; }  // at all pods

  static constexpr int kTriesMax = 100;              // of one pod, without anything having changed
  static constexpr int64_t kTriesTotalMax = 100000;  // of all pods together

 private:
  struct BindingCycle {
    std::shared_ptr<const PodObject> pod;
    std::string node;
  };
  struct Tries {
    int64_t epoch = -1;
    int count = 0;
  };

  void ObservePod(const Change<PodObject>& change);
  void ObserveNode(const Change<NodeObject>& change);
  void ObserveUnassigned(const Change<PodObject>& change);
  void ObserveAssigned(const Change<PodObject>& change);
  bool Ours(const std::shared_ptr<const PodObject>& pod) const;
  void Move(const SchedulerEvent& event);
  bool MayTry(const QueuedPod& pod);
  void CountTry(const PodUid& uid);
  void SetNominated(std::shared_ptr<const PodObject> pod);

  void Attempt(const QueuedPod& queued);
  // The nodes that are left, by name; `*error` if the extender failed.
  std::vector<std::string> FindNodes(const PodObject& pod, AttemptDiagnosis* diagnosis,
                                     std::string* error);
  std::vector<std::string> FilterNodes(const PodObject& pod, const std::vector<std::string>& nodes,
                                       AttemptDiagnosis* diagnosis);
  std::vector<std::string> AskExtender(const PodObject& pod, const std::vector<std::string>& nodes,
                                       AttemptDiagnosis* diagnosis, std::string* error);
  std::string SelectNode(const PodObject& pod, const std::vector<std::string>& nodes);
  void Assume(const QueuedPod& queued, const std::string& node);
  void FailUnschedulable(const QueuedPod& queued, const AttemptDiagnosis& diagnosis);
  void FailForNoNodes(const QueuedPod& queued);
  void FailWithError(const PodObject& pod, const std::string& error);
  void FailBinding(const BindingCycle& cycle, const std::string& error);

  const std::string scheduler_name_;
  ManifestCluster* const cluster_;
  Extender* const extender_;
  k8s::Clock* const clock_;
  const std::function<void(const AttemptOutcome&)> observer_;
  SchedulingQueue queue_;
  SchedulerCache cache_;
  std::map<CallId, BindingCycle> bindings_;  // held calls
  CallId last_call_ = 0;
  std::map<PodUid, AttemptRecord> records_;
  std::set<NamespacedName> paused_;
  std::map<PodUid, Tries> tries_;
  std::set<NamespacedName> exhausted_;
  bool all_tries_used_ = false;
  int64_t epoch_ = 0;
  int64_t tries_total_ = 0;
};

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_SIMULATE_KUBE_SCHEDULER_MODEL_H_
