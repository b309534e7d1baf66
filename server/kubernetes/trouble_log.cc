#include "server/kubernetes/trouble_log.h"

#include <iterator>

namespace gangpack::server {

void TroubleLog::Report(const std::string& report) {
  const size_t colon = report.find(": ");
  const std::string cause = colon == std::string::npos ? report : report.substr(colon + 2);
  const absl::Time now = clock_->Now();
  const MutexLock lock(&mutex_);
  for (auto it = causes_.begin(); it != causes_.end();) {
    it = now - it->second > kSameCauseWithin ? causes_.erase(it) : std::next(it);
  }
  if (causes_.contains(cause) || causes_.size() >= kCausesMax) return;
  if (now - minute_ > absl::Minutes(1)) {
    minute_ = now;
    lines_ = 0;
  }
  if (++lines_ > kLinesPerMinute) return;
  causes_[cause] = now;
  sink_(report);
}

}  // namespace gangpack::server
