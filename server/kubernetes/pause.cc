#include "server/kubernetes/pause.h"

#include <algorithm>

namespace gangpack::server {

bool Pause::For(absl::Duration duration) {
  // Rounded up, so that a wait that is repeated until a time has come does not spin.
  const absl::Duration wait =
      std::clamp(absl::Ceil(duration, absl::Milliseconds(1)), absl::ZeroDuration(), absl::Hours(1));
  const MutexLock lock(&mutex_);
  return !changed_.WaitFor(&mutex_, absl::ToChronoMilliseconds(wait), [this] {
    mutex_.AssertHeld();
    return stopped_;
  });
}

void Pause::Stop() {
  const MutexLock lock(&mutex_);
  stopped_ = true;
  changed_.SignalAll();
}

bool Pause::stopped() {
  const MutexLock lock(&mutex_);
  return stopped_;
}

}  // namespace gangpack::server
