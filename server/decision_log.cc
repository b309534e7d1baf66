#include "server/decision_log.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "glog/logging.h"
#include "server/status_mapping.h"

namespace gangpack::server {
namespace {

using Field = DecisionLog::Field;

constexpr int kEachBind = 1;
constexpr int kEachFilter = 2;

bool MustBeQuoted(absl::string_view value) {
  return value.empty() || std::any_of(value.begin(), value.end(), [](char c) {
           return c == ' ' || c == '=' || c == '"' || c == '\\' ||
                  absl::ascii_iscntrl(static_cast<unsigned char>(c));
         });
}

std::vector<Field> FieldsOf(const GangTransition& transition, absl::string_view text_key) {
  std::vector<Field> fields = {{"gang", transition.gang.ToString()}};
  if (!transition.topology_key.empty()) {
    fields.emplace_back("topology_key", transition.topology_key);
  }
  if (!transition.domain.empty()) fields.emplace_back("domain", transition.domain);
  fields.emplace_back(text_key, transition.text);
  return fields;
}

}  // namespace

std::string LogValue(absl::string_view value) {
  if (!MustBeQuoted(value)) return std::string(value);
  std::string quoted = "\"";
  for (const char c : value) {
    if (c == '"' || c == '\\') {
      absl::StrAppend(&quoted, "\\", absl::string_view(&c, 1));
    } else if (c == '\n') {
      quoted += "\\n";
    } else if (c == '\t') {
      quoted += "\\t";
    } else if (absl::ascii_iscntrl(static_cast<unsigned char>(c))) {
      absl::StrAppend(&quoted, "\\x", absl::BytesToHexString(absl::string_view(&c, 1)));
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

void WriteToGlog(LogSeverity severity, const std::string& line) {
  if (severity == LogSeverity::kWarning) {
    LOG(WARNING) << line;
  } else {
    LOG(INFO) << line;
  }
}

DecisionLog::DecisionLog(Sink sink, int verbosity, k8s::Clock* clock)
    : sink_(std::move(sink)), verbosity_(verbosity), clock_(clock) {}

void DecisionLog::Write(LogSeverity severity, absl::string_view event,
                        const std::vector<Field>& fields) {
  std::string line = absl::StrCat("event=", event);
  for (const auto& [key, value] : fields) absl::StrAppend(&line, " ", key, "=", LogValue(value));
  sink_(severity, line);
}

void DecisionLog::Event(absl::string_view event, const std::vector<Field>& fields) {
  const MutexLock lock(&mutex_);
  Write(LogSeverity::kInfo, event, fields);
}

void DecisionLog::OnTransition(const GangTransition& transition) {
  const auto write = [&](absl::string_view event, absl::string_view text_key) {
    Event(event, FieldsOf(transition, text_key));
  };
  switch (transition.kind) {
    case GangTransitionKind::kPinned:
      return write("hold_taken", "detail");
    case GangTransitionKind::kAdopted:
      return write("hold_adopted", "detail");
    case GangTransitionKind::kMoved:
      return write("hold_moved", "detail");
    case GangTransitionKind::kWaiting:
      if (verbosity_ >= kEachBind) write("member_waits", "detail");
      return;
    case GangTransitionKind::kComplete:
      return write("gang_complete", "detail");
    case GangTransitionKind::kUnwound:
      return write("gang_unwound", "reason");
    case GangTransitionKind::kReleased:
      return write("hold_released", "reason");
    case GangTransitionKind::kForming:
      return OnNewReason("gang_forming", transition);
    case GangTransitionKind::kBlocked:
      return OnNewReason("gang_blocked", transition);
    case GangTransitionKind::kBroken:
      return OnNewReason("gang_broken", transition);
  }
}

void DecisionLog::OnNewReason(absl::string_view event, const GangTransition& transition) {
  std::vector<Field> fields = FieldsOf(transition, "reason");
  const absl::Time now = clock_->Now();
  const MutexLock lock(&mutex_);
  Blocked& blocked = blocked_[{transition.gang, transition.reason}];
  if (now - blocked.last < kBlockedEvery) {
    ++blocked.suppressed;
    return;
  }
  if (now - blocked.last > kForgottenAfter) blocked.suppressed = 0;
  if (blocked.suppressed > 0) fields.emplace_back("suppressed", absl::StrCat(blocked.suppressed));
  blocked = {now, 0};
  Write(LogSeverity::kInfo, event, fields);
  ForgetOld(now);
}

// Once a minute, so that gangs that are gone take no memory.
void DecisionLog::ForgetOld(absl::Time now) {
  if (now - forgotten_ < kBlockedEvery) return;
  forgotten_ = now;
  for (auto it = blocked_.begin(); it != blocked_.end();) {
    it = now - it->second.last > kForgottenAfter ? blocked_.erase(it) : std::next(it);
  }
}

void DecisionLog::OnBound(const BindPod& bind, const absl::Status& status) {
  if (status.ok() && verbosity_ < kEachBind) return;
  std::vector<Field> fields = {{"pod", bind.pod.ToString()}, {"node", bind.node}};
  if (!status.ok()) fields.emplace_back("error", ExtenderErrorOf(status));
  const MutexLock lock(&mutex_);
  Write(status.ok() ? LogSeverity::kInfo : LogSeverity::kWarning,
        status.ok() ? "bound" : "bind_failed", fields);
}

void DecisionLog::OnFilter(const FilterRequest& request, const FilterDecision& decision,
                           absl::Duration took) {
  if (verbosity_ < kEachFilter) return;
  Event("filter", {{"pod", request.pod.ToString()},
                   {"offered", absl::StrCat(request.node_names.size())},
                   {"accepted", absl::StrCat(decision.accepted.size())},
                   {"took", absl::FormatDuration(took)}});
}

}  // namespace gangpack::server
