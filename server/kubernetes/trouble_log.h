// Keeps the log short while the API server is in trouble: four watches meet the same one at once.
//
// Rules: what follows the first ": " of a report is its cause; a cause that was written within
// kSameCauseWithin is not written again, and at most kLinesPerMinute lines are. Remembers
// kCausesMax causes at most. Thread-safety: all methods from any thread; the sink is called by one
// at a time. Deterministic.
#ifndef GANGPACK_SERVER_KUBERNETES_TROUBLE_LOG_H_
#define GANGPACK_SERVER_KUBERNETES_TROUBLE_LOG_H_

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/time/time.h"
#include "k8s/clock.h"
#include "server/mutex.h"

namespace gangpack::server {

class TroubleLog {
 public:
  static constexpr absl::Duration kSameCauseWithin = absl::Minutes(1);
  static constexpr int kLinesPerMinute = 20;
  static constexpr size_t kCausesMax = 256;

  using Sink = std::function<void(const std::string& report)>;

  TroubleLog(Sink sink, k8s::Clock* clock) : sink_(std::move(sink)), clock_(clock) {}

  void Report(const std::string& report);

 private:
  const Sink sink_;
  k8s::Clock* const clock_;
  Mutex mutex_;
  std::map<std::string, absl::Time> causes_ ABSL_GUARDED_BY(mutex_);  // when each was written
  absl::Time minute_ ABSL_GUARDED_BY(mutex_) = absl::InfinitePast();
  int lines_ ABSL_GUARDED_BY(mutex_) = 0;  // since minute_
};

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_KUBERNETES_TROUBLE_LOG_H_
