#include "server/deadline_timer.h"

#include <algorithm>

namespace gangpack::server {

DeadlineTimer::DeadlineTimer(EngineDriver* driver, k8s::Clock* clock)
    : driver_(driver), clock_(clock) {
  driver_->SetDeadlineListener([this](absl::Time deadline) {
    const MutexLock lock(&mutex_);
    deadline_ = deadline;
    changed_.Signal();
  });
  const MutexLock lock(&stop_mutex_);
  thread_ = std::thread([this] { Run(); });
}

void DeadlineTimer::Stop() {
  driver_->SetDeadlineListener(nullptr);
  const MutexLock stop_lock(&stop_mutex_);
  {
    const MutexLock lock(&mutex_);
    stopping_ = true;
    changed_.Signal();
  }
  if (thread_.joinable()) thread_.join();
}

void DeadlineTimer::Run() {
  while (AwaitDue()) driver_->Tick();
}

bool DeadlineTimer::AwaitDue() {
  const MutexLock lock(&mutex_);
  const auto over = [this] {
    mutex_.AssertHeld();
    return stopping_;
  };
  if (changed_.WaitFor(&mutex_, kTickEvery, over)) return false;
  for (;;) {
    const absl::Duration left = deadline_ - clock_->Now();
    if (stopping_) return false;
    if (left <= absl::ZeroDuration()) return true;
    const absl::Time before = deadline_;
    const std::chrono::milliseconds wait =
        left < absl::FromChrono(kRecheck)
            ? absl::ToChronoMilliseconds(left) + std::chrono::milliseconds(1)
            : kRecheck;
    changed_.WaitFor(&mutex_, wait, [this, before] {
      mutex_.AssertHeld();
      return stopping_ || deadline_ != before;
    });
  }
}

}  // namespace gangpack::server
