// Carries the engine's effects out, after its mutex is free, in order per pod.
//
// Terms: a lane is a queue with a thread of its own. Effects on a pod go to the lane of its UID,
// those without a pod (answers to held calls, gang transitions) to the first lane, where nothing
// waits for the cluster unless it is the only one.
// Invariants: effects of one lane are carried out in the order of Push, but wakes come last: a pod
// that is woken a moment later loses nothing, one that waits to be bound does. A wake that is still
// queued when the pod is to be woken again counts for both, and none is sent to a pod that is being
// bound. Each BindPod is followed by one BindingFinished to the driver.
// Ownership: what Wiring and Start are given must outlive Stop. Thread-safety: Push and Stop from
// any thread; on_transition is called on the first lane. Errors: a binding that fails is a fact for
// the engine. A pod that is gone needs no wake and has no nomination; other failures of those are
// logged, since the next retry of kube-scheduler makes up for them. Limits: none on the queues; the
// engine emits a few effects per pod and call that it knows. Not here: whether a bind is allowed
// (core/), retries against the API server (the ClusterWriter).
#ifndef GANGPACK_SERVER_EFFECT_EXECUTOR_H_
#define GANGPACK_SERVER_EFFECT_EXECUTOR_H_

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "core/effects.h"
#include "core/ids.h"
#include "server/cluster_writer.h"
#include "server/engine_driver.h"
#include "server/held_calls.h"
#include "server/mutex.h"

namespace gangpack::server {

class EffectExecutor final : public EffectSink {
 public:
  struct Wiring {
    ClusterWriter* cluster;
    HeldCalls* calls;
    // Listeners; each may be empty. Transitions come in order; the others from all lanes.
    std::function<void(const GangTransition&)> on_transition = {};
    std::function<void(const Effect&)> on_effect = {};  // each, before it is carried out
    std::function<void(const BindPod&, const absl::Status&)> on_bound = {};  // and what came of it
    size_t lanes = 1;
  };

  explicit EffectExecutor(Wiring wiring);
  ~EffectExecutor() override { Stop(); }
  EffectExecutor(const EffectExecutor&) = delete;
  EffectExecutor& operator=(const EffectExecutor&) = delete;

  // Before it, effects are only queued.
  void Start(EngineDriver* driver);

  void Push(std::vector<Effect> effects) override;

  // Returns when every effect that was pushed before, and every one that came of those, has been
  // carried out.
  void AwaitIdle();

  // The same, no longer than `timeout`: false if something is left.
  bool AwaitIdleFor(absl::Duration timeout);

  // Carries out what is queued, then ends. Effects that come later are dropped.
  void Stop();

 private:
  struct Lane {
    std::deque<Effect> queue;  // but for wakes
    std::deque<PodUid> wake_order;
    absl::flat_hash_map<PodUid, WakePod> wakes;  // a UID of wake_order that is not here needs none
    CondVar changed;
    std::thread thread;
  };

  size_t LaneOf(const Effect& effect) const;
  // Takes `lane` as guarded by mutex_.
  void Enqueue(Effect effect, Lane* lane) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  std::optional<Effect> TakeNext(Lane* lane) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Finish(size_t effects) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Run(size_t index, EngineDriver* driver);
  void CarryOut(const Effect& effect, EngineDriver* driver);
  void Bind(const BindPod& bind, EngineDriver* driver);

  const Wiring wiring_;
  Mutex mutex_;
  std::vector<std::unique_ptr<Lane>> lanes_;  // the queues are guarded by mutex_
  CondVar idle_;
  size_t unfinished_ ABSL_GUARDED_BY(mutex_) = 0;  // queued, or being carried out
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_EFFECT_EXECUTOR_H_
