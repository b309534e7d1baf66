// A wait that can be ended from elsewhere.
//
// Thread-safety: all methods from any thread.
#ifndef GANGPACK_SERVER_KUBERNETES_PAUSE_H_
#define GANGPACK_SERVER_KUBERNETES_PAUSE_H_

#include "absl/base/thread_annotations.h"
#include "absl/time/time.h"
#include "server/mutex.h"

namespace gangpack::server {

class Pause {
 public:
  // True when `duration` has passed; false at once when Stop() is or has been called.
  bool For(absl::Duration duration);

  // For good.
  void Stop();
  bool stopped();

 private:
  Mutex mutex_;
  CondVar changed_;
  bool stopped_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_KUBERNETES_PAUSE_H_
