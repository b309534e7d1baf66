#include "server/doctor/timeout_check.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "server/simulate/go_duration.h"

namespace gangpack::server {
namespace {

constexpr absl::Duration kFarAbove = absl::Hours(24);
// Go cannot hold twice as much as that.
constexpr absl::Duration kGangTimeoutMax = absl::Hours(24 * 365 * 100);

std::string TimeoutText(const SchedulerExtender& entry) {
  return absl::StrCat(entry.path, ".httpTimeout is ", ShortDuration(entry.http_timeout),
                      entry.timeout_is_default ? ", the default" : "");
}

Finding CheckFilterTimeout(const SchedulerExtender& filter) {
  const std::string change = absl::StrCat(filter.path, ".httpTimeout: 2s");
  if (filter.http_timeout == absl::InfiniteDuration()) {
    return {Severity::kError, "filter-timeout", TimeoutText(filter),
            "a call that is never answered stops the only scheduling loop for ever", change};
  }
  if (filter.http_timeout > kFilterTimeoutMax) {
    return {Severity::kWarning, "filter-timeout", TimeoutText(filter),
            "a filter call holds up the only scheduling loop: while we hang, each pod takes so "
            "long",
            change};
  }
  if (filter.http_timeout < kFilterTimeoutMin) {
    return {Severity::kWarning, "filter-timeout", TimeoutText(filter),
            "an answer that comes later, on a busy machine, counts as an error, which costs the "
            "pod its nomination and a second of backoff or more",
            change};
  }
  return Good("filter-timeout", TimeoutText(filter));
}

Finding CheckBindTimeout(const SchedulerExtender& bind, const SchedulerNeeds& needs) {
  const absl::Duration by_default = needs.configuration.policy.permit_timeout;
  const bool of_group = needs.group_timeout > by_default;
  const absl::Duration longest = of_group ? needs.group_timeout : by_default;
  const std::string gangs = absl::StrCat(
      of_group ? absl::StrCat("PodGroup ", needs.group, " waits") : std::string("gangs wait"),
      " up to ", ShortDuration(longest));
  const std::string found = absl::StrCat(TimeoutText(bind), "; ", gangs);
  const std::string change = absl::StrCat(bind.path, ".httpTimeout: ", BindTimeoutFor(longest));
  if (bind.http_timeout <= longest) {
    return {Severity::kError, "bind-timeout", found,
            absl::StrCat("a bind is held until the gang is complete: kube-scheduler hangs up "
                         "after ",
                         ShortDuration(bind.http_timeout),
                         " and tries the member again, so that the gang waits less long than it "
                         "should, or never has all members waiting at once"),
            change};
  }
  if (bind.http_timeout < longest + kBindTimeoutMargin) {
    return {Severity::kWarning, "bind-timeout", found,
            absl::StrCat("less than ", ShortDuration(kBindTimeoutMargin),
                         " is left for the bindings of a gang that becomes complete at the last "
                         "moment"),
            change};
  }
  return Good("bind-timeout", found);
}

}  // namespace

std::string ShortDuration(absl::Duration duration) {
  if (duration == absl::InfiniteDuration()) return "none";
  std::string text = FormatGoDuration(duration);
  if (absl::EndsWith(text, "m0s")) text.resize(text.size() - 2);
  if (absl::EndsWith(text, "h0m")) text.resize(text.size() - 2);
  return text;
}

std::string BindTimeoutFor(absl::Duration gang_timeout) {
  if (gang_timeout > kGangTimeoutMax) return "-1s";
  return ShortDuration(std::max(kFarAbove, gang_timeout * 2));
}

void CheckTimeouts(const ExtenderPair& ours, const SchedulerNeeds& needs,
                   std::vector<Finding>* findings) {
  findings->push_back(CheckFilterTimeout(ours.filter));
  findings->push_back(CheckBindTimeout(ours.bind, needs));
}

}  // namespace gangpack::server
