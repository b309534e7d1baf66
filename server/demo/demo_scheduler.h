// kube-scheduler at work on a cluster that others change at the same time, calling its extender
// over the network: the model of the simulator, in real time.
//
// Ownership: cluster and clock must outlive it. Thread-safety: the thread that calls Run does all
// the scheduling; the rest of the public methods belong to it too. The cluster stays locked during
// one attempt, calls of filter included; the extender must not need it to answer those. Binds are
// open while the cluster is free. Not here: what kube-scheduler does
// (simulate/kube_scheduler_model.h).
#ifndef GANGPACK_SERVER_DEMO_DEMO_SCHEDULER_H_
#define GANGPACK_SERVER_DEMO_DEMO_SCHEDULER_H_

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/time/time.h"
#include "core/ids.h"
#include "k8s/clock.h"
#include "server/demo/http_extender.h"
#include "server/embedded_cluster.h"
#include "server/mutex.h"
#include "server/simulate/kube_scheduler_model.h"

namespace gangpack::server {

class DemoScheduler {
 public:
  // `observer` is called during Run, with every outcome of an attempt.
  DemoScheduler(const std::string& scheduler_name, EmbeddedCluster* cluster, k8s::Clock* clock,
                std::function<void(const AttemptOutcome&)> observer);

  void Connect(const std::string& filter_url, const std::string& bind_url) {
    extender_.Connect(filter_url, bind_url);
  }

  // Schedules until there is no pod to try, it is `done`, and nothing has come in since that was
  // asked; false if nothing at all has happened for `quiet`, or the time is over, before that.
  bool Run(absl::FunctionRef<bool()> done, absl::Duration quiet, absl::Time end);

  // Bind calls whose answers have not come.
  int open_binds() const { return open_binds_; }

  void Pause(const NamespacedName& pod) { model_->Pause(pod); }
  void Resume(const NamespacedName& pod) { model_->Resume(pod); }
  // kube-scheduler's own filters refuse the node for the pod from now on.
  void Refuse(const NamespacedName& pod, const std::string& node) { model_->Refuse(pod, node); }

 private:
  struct Inbox {
    std::vector<ClusterEvent> events;
    std::vector<std::pair<CallId, std::string>> answers;
    bool empty() const { return events.empty() && answers.empty(); }
  };

  void TakeIn(const Inbox& inbox);
  bool TryOne();
  void AwaitNews(absl::Time until);
  Inbox TakeInbox();
  bool HasNews();

  EmbeddedCluster* const cluster_;
  k8s::Clock* const clock_;
  Mutex mutex_;
  CondVar arrived_;
  Inbox inbox_ ABSL_GUARDED_BY(mutex_);
  int open_binds_ = 0;
  std::optional<KubeSchedulerModel> model_;  // used with the cluster locked
  HttpExtender extender_;  // the last member: its open binds use the others until they end
};

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_DEMO_DEMO_SCHEDULER_H_
