// The log of what was decided: one line per decision, `event=NAME key=value ...`.
//
// Events: start, synchronised, serving, stopping, stopped; hold_taken, hold_adopted, hold_moved,
// hold_released, gang_complete, gang_unwound, gang_forming, gang_blocked, gang_broken, bind_failed.
// With verbosity 1 also
// member_waits and bound; with 2 also filter, with its time. Below that, nothing is logged per
// call or per node.
//
// Terms: a line is logfmt: a value that is empty or has spaces, quotes, `=` or control characters
// is quoted as in Go, so a line is always one line whatever objects are named.
// Invariant: gang_forming, gang_blocked and gang_broken come at most once a minute per gang and
// reason; the next such line has suppressed=N, those that were left out since, if it comes within
// ten minutes.
// Ownership: the clock must outlive the log. Thread-safety: all methods from any thread; the sink
// is called by one at a time. Errors: none. Cost: O(line); memory grows with the gangs that were
// blocked in the last minutes.
// Not here: when transitions happen (core/gang_life.h), numbers (metrics.h).
#ifndef GANGPACK_SERVER_DECISION_LOG_H_
#define GANGPACK_SERVER_DECISION_LOG_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/calls.h"
#include "core/effects.h"
#include "k8s/clock.h"
#include "server/mutex.h"

namespace gangpack::server {

enum class LogSeverity { kInfo, kWarning };

class DecisionLog {
 public:
  using Sink = std::function<void(LogSeverity severity, const std::string& line)>;
  using Field = std::pair<absl::string_view, std::string>;

  static constexpr absl::Duration kBlockedEvery = absl::Minutes(1);
  static constexpr absl::Duration kForgottenAfter = absl::Minutes(10);

  DecisionLog(Sink sink, int verbosity, k8s::Clock* clock);
  DecisionLog(const DecisionLog&) = delete;
  DecisionLog& operator=(const DecisionLog&) = delete;

  void OnTransition(const GangTransition& transition);
  void OnBound(const BindPod& bind, const absl::Status& status);
  // Every call with verbosity 2; else nothing, at no cost.
  void OnFilter(const FilterRequest& request, const FilterDecision& decision, absl::Duration took);

  // A line of the process's own life.
  void Event(absl::string_view event, const std::vector<Field>& fields);

 private:
  struct Blocked {
    absl::Time last = absl::InfinitePast();
    int64_t suppressed = 0;
  };

  void OnNewReason(absl::string_view event, const GangTransition& transition);
  void ForgetOld(absl::Time now) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Write(LogSeverity severity, absl::string_view event, const std::vector<Field>& fields)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const Sink sink_;
  const int verbosity_;
  k8s::Clock* const clock_;
  Mutex mutex_;
  std::map<std::pair<NamespacedName, ReasonCode>, Blocked> blocked_ ABSL_GUARDED_BY(mutex_);
  absl::Time forgotten_ ABSL_GUARDED_BY(mutex_) = absl::InfinitePast();
};

// The value as it stands in a line: as it is, or quoted.
std::string LogValue(absl::string_view value);

// Lines go to glog, which the program has write to standard error.
void WriteToGlog(LogSeverity severity, const std::string& line);

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_DECISION_LOG_H_
