// How long kube-scheduler must wait for an answer: shortly for filter, which its only loop waits
// for, and longer than any gang for bind, which is held until the gang is complete.
//
// Not here: the other rules of the entries (extender_check.h).
#ifndef GANGPACK_SERVER_DOCTOR_TIMEOUT_CHECK_H_
#define GANGPACK_SERVER_DOCTOR_TIMEOUT_CHECK_H_

#include <string>
#include <vector>

#include "absl/time/time.h"
#include "server/doctor/finding.h"
#include "server/doctor/scheduler_config.h"
#include "server/doctor/scheduler_needs.h"

namespace gangpack::server {

// A filter call holds up kube-scheduler's only loop for so long at most, and one that is given up
// is an error, which costs the pod its nomination.
inline constexpr absl::Duration kFilterTimeoutMin = absl::Seconds(1);
inline constexpr absl::Duration kFilterTimeoutMax = kDefaultExtenderTimeout;
// What the bindings of a gang may take once its last member waits.
inline constexpr absl::Duration kBindTimeoutMargin = absl::Minutes(1);

// Two different ones.
struct ExtenderPair {
  const SchedulerExtender& filter;
  const SchedulerExtender& bind;
};

void CheckTimeouts(const ExtenderPair& ours, const SchedulerNeeds& needs,
                   std::vector<Finding>* findings);

// The httpTimeout of the bind entry that is far above a gang timeout: 24h, or twice that timeout;
// "-1s", which is none, above a hundred years.
std::string BindTimeoutFor(absl::Duration gang_timeout);

// "24h" and "1m30s", where FormatGoDuration has "24h0m0s". "none" for InfiniteDuration.
std::string ShortDuration(absl::Duration duration);

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_DOCTOR_TIMEOUT_CHECK_H_
