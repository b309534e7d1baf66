// The thread that tells the engine the time when something is due: permit waits and holds that end,
// and gangs that a filter call has marked to be judged.
//
// Ownership: driver and clock must outlive Stop. Thread-safety: all methods from any thread.
// Cost: one thread, asleep until the deadline or until it moves.
// Limits: a clock that is set back or forth is noticed within kRecheck.
// Not here: what is due (core/engine.h).
#ifndef GANGPACK_SERVER_DEADLINE_TIMER_H_
#define GANGPACK_SERVER_DEADLINE_TIMER_H_

#include <chrono>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/time/time.h"
#include "k8s/clock.h"
#include "server/engine_driver.h"
#include "server/mutex.h"

namespace gangpack::server {

class DeadlineTimer {
 public:
  static constexpr std::chrono::milliseconds kRecheck{1'000};
  // Between two ticks for deadlines that are due at once, so that a deadline that stays due costs
  // no more than this.
  static constexpr std::chrono::milliseconds kTickEvery{1};

  DeadlineTimer(EngineDriver* driver, k8s::Clock* clock);
  ~DeadlineTimer() { Stop(); }
  DeadlineTimer(const DeadlineTimer&) = delete;
  DeadlineTimer& operator=(const DeadlineTimer&) = delete;

  void Stop();

 private:
  void Run();
  // True when something is due, false when it is over.
  bool AwaitDue();

  EngineDriver* const driver_;
  k8s::Clock* const clock_;
  Mutex mutex_;
  CondVar changed_;
  absl::Time deadline_ ABSL_GUARDED_BY(mutex_) = absl::InfiniteFuture();
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  Mutex stop_mutex_;  // one Stop at a time
  std::thread thread_ ABSL_GUARDED_BY(stop_mutex_);
};

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_DEADLINE_TIMER_H_
