// The cluster on paper (manifest/manifest_cluster.h) shared by several threads, with watches.
//
// Terms: a watch is told of every change, once, in order, as the watches of an API server are.
// Invariant: between two changes every watch is up to date.
// Ownership: whatever a watch refers to must outlive the last change. Thread-safety: all methods
// from any thread; a watch is called by whoever made the change, with the lock held: it must not
// come back here. Errors and cost: those of ManifestCluster, plus the watches'.
#ifndef GANGPACK_SERVER_EMBEDDED_CLUSTER_H_
#define GANGPACK_SERVER_EMBEDDED_CLUSTER_H_

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "core/facts.h"
#include "k8s/clock.h"
#include "server/cluster.h"
#include "server/manifest/cluster_object.h"
#include "server/manifest/manifest_cluster.h"
#include "server/mutex.h"

namespace gangpack::server {

class EmbeddedCluster final : public Cluster {
 public:
  using Watch = std::function<void(const std::vector<ClusterEvent>&)>;

  EmbeddedCluster(std::string scheduler_name, k8s::Clock* clock)
      : cluster_(std::move(scheduler_name), clock) {}

  // Runs `change` alone, then tells the watches what it has changed.
  void Change(absl::FunctionRef<void(ManifestCluster&)> change);

  // Gives what there is to `list`, page by page, and every later change to `watch`; nothing comes
  // in between.
  void ListAndWatch(absl::FunctionRef<void(std::vector<Fact>)> list, Watch watch);

  // The sink becomes one of the watches, for good.
  void Start(FactSink* sink) override;
  void Stop() override {}
  std::vector<WatchHealth> Watches() override { return {}; }
  // Whatever exists here has been told already.
  bool Offer(std::string_view, absl::FunctionRef<bool()>) override { return false; }
  void Record(const GangTransition&) override {}

  absl::Status Bind(const BindPod& bind) override;
  absl::Status Wake(const WakePod& wake) override;
  absl::Status Clear(const ClearNomination& clear) override;

 private:
  void TellWatches() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  Mutex mutex_;
  ManifestCluster cluster_ ABSL_GUARDED_BY(mutex_);
  std::vector<Watch> watches_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_EMBEDDED_CLUSTER_H_
