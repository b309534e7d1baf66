// Brings the facts of several watches to the engine in batches: what has come while one batch was
// being taken in is the next one.
//
// Terms: a pod of a call is one that kube-scheduler has asked about, with its JSON, before our
// watch has shown it. Invariants: facts are applied in the order of Push, at most kBatchMax at a
// time; at most kQueuedMax wait, and Push blocks where there are more. A pod of a call is never put
// over what the watch says of that UID, now or later; nor is one taken in that the watch has said
// is gone, as long as it is among the last kGoneMax. Ownership: the sink must outlive Stop.
// Thread-safety: all methods from any thread, but Start and Stop from one. Cost: a thread; Offer
// O(batch). Not here: where facts come from (watch_loop.h).
#ifndef GANGPACK_SERVER_KUBERNETES_FACT_FEED_H_
#define GANGPACK_SERVER_KUBERNETES_FACT_FEED_H_

#include <cstddef>
#include <deque>
#include <optional>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/functional/function_ref.h"
#include "core/facts.h"
#include "core/ids.h"
#include "server/cluster.h"
#include "server/mutex.h"

namespace gangpack::server {

class FactFeed {
 public:
  static constexpr size_t kBatchMax = 1'000;
  static constexpr size_t kQueuedMax = 4'000;
  static constexpr size_t kGoneMax = 10'000;

  FactFeed() = default;
  ~FactFeed() { Stop(); }
  FactFeed(const FactFeed&) = delete;
  FactFeed& operator=(const FactFeed&) = delete;

  void Start(FactSink* sink);
  // What is queued is dropped.
  void Stop();

  void Push(std::vector<Fact> facts);

  // Takes the pod of a call in, if `is_unknown` says that the engine still does not know it. False
  // if it does, or if the watch knows better, or soon will.
  bool Offer(const Pod& pod, absl::FunctionRef<bool()> is_unknown);

 private:
  void Run(FactSink* sink);
  // The next facts; none when it is over.
  std::vector<Fact> TakeBatch();
  // Notes what it says of a pod, before it is applied.
  void Note(const Fact& fact) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void NoteGone(const PodUid& uid) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool BeginOffer(const PodUid& uid);
  void EndOffer(const PodUid& uid);
  // What the watch has said of the pod since it was last asked; if nothing, the offer is over.
  std::optional<Fact> LaterFact(const PodUid& uid);

  Mutex mutex_;
  CondVar changed_;
  std::deque<Fact> queue_ ABSL_GUARDED_BY(mutex_);
  const std::vector<Fact>* batch_ ABSL_GUARDED_BY(mutex_) = nullptr;  // being applied
  // Pods of calls that are being taken in, and the last thing the watch has said of each since.
  absl::flat_hash_map<PodUid, std::optional<Fact>> offers_ ABSL_GUARDED_BY(mutex_);
  std::deque<PodUid> gone_order_ ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_set<PodUid> gone_ ABSL_GUARDED_BY(mutex_);
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  FactSink* sink_ = nullptr;
  std::thread thread_;
};

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_KUBERNETES_FACT_FEED_H_
