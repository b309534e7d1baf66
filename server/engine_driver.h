// The sole owner of the engine and its mutex: every transport, watch and timer goes through here,
// and `now` is stamped here.
//
// Effects are drained under the mutex and handed to the sink in order; the sink only queues them.
// They are carried out after the mutex is free (effect_executor.h). Thread-safety: all methods may
// be called from any thread. Time never runs backwards for the engine.
#ifndef GANGPACK_SERVER_ENGINE_DRIVER_H_
#define GANGPACK_SERVER_ENGINE_DRIVER_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "core/engine.h"
#include "k8s/clock.h"
#include "server/mutex.h"

namespace gangpack::server {

// Receives the engine's effects, in order. Push is called with the driver's mutex held: queue,
// never act or call back.
class EffectSink {
 public:
  virtual ~EffectSink() = default;
  virtual void Push(std::vector<Effect> effects) = 0;
};

// Is told of each call when it has been decided, and how long that took by the driver's clock.
// Called by many threads at once; OnBind with the driver's mutex held: count, never act or call
// back.
class CallObserver {
 public:
  virtual ~CallObserver() = default;
  virtual void OnFilter(const FilterRequest& request, const FilterDecision& decision,
                        absl::Duration took) = 0;
  virtual void OnPrioritize(absl::Duration took) = 0;
  virtual void OnBind(absl::Duration took) = 0;  // until the answer, or the hang-up
};

class EngineDriver {
 public:
  // `clock`, `sink` and `observer`, which may be nullptr, must outlive the driver.
  EngineDriver(Policy policy, k8s::Clock* clock, EffectSink* sink,
               CallObserver* observer = nullptr);

  // Takes facts in and judges what depends on them, in slices: the mutex is released between
  // slices, so that filter calls come first.
  void Apply(const std::vector<Fact>& facts);

  FilterDecision Filter(const FilterRequest& request);
  std::vector<int64_t> Prioritize(const FilterRequest& request);

  // The answer comes as an AnswerCall effect with request.call.
  void Bind(const BindRequest& request);

  // Ends what is due now; returns the next deadline (absl::InfiniteFuture() if there is none).
  absl::Time Tick();
  absl::Time NextDeadline();

  // Called with each new next deadline (absl::InfinitePast(): Tick is due now), with the driver's
  // mutex held: note it, never act or call back. nullptr: nobody is. Once it returns, the listener
  // before is not called any more.
  void SetDeadlineListener(std::function<void(absl::Time)> listener);

  bool synchronised();
  // Copies of everything, page by page, one list at a time: the mutex is released between pages, so
  // that a filter call waits for one page at most. What that comes to when something changes
  // meanwhile is said in core/views.h.
  std::vector<PodView> Pods();
  std::vector<GangView> Gangs();
  std::vector<DomainView> Domains();
  std::vector<ReservationView> Reservations();
  absl::Status CheckInvariants();

 private:
  absl::Time Now() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Drain() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void WorkInSlices() ABSL_LOCKS_EXCLUDED(mutex_);
  void AnnounceDeadline() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The bind call has ended. Does nothing if it had before.
  void ObserveBind(CallId call) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  k8s::Clock* const clock_;
  EffectSink* const sink_;
  CallObserver* const observer_;
  Mutex views_mutex_ ABSL_ACQUIRED_BEFORE(next_);  // Whose turn it is to copy views.
  // Held while waiting for mutex_, so that whoever releases that and wants it again, slice by
  // slice, comes after the call that waits: a mutex alone is not fair.
  Mutex next_ ABSL_ACQUIRED_BEFORE(mutex_);
  Mutex mutex_;
  Engine engine_ ABSL_GUARDED_BY(mutex_);
  absl::Time last_now_ ABSL_GUARDED_BY(mutex_) = absl::InfinitePast();
  // When the bind calls came that are not answered yet; empty without an observer.
  absl::flat_hash_map<CallId, absl::Time> binds_since_ ABSL_GUARDED_BY(mutex_);
  std::function<void(absl::Time)> deadline_listener_ ABSL_GUARDED_BY(mutex_);
  absl::Time announced_deadline_ ABSL_GUARDED_BY(mutex_) = absl::InfiniteFuture();
};

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_ENGINE_DRIVER_H_
