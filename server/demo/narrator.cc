#include "server/demo/narrator.h"

#include <memory>
#include <variant>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "server/transition_name.h"

namespace gangpack::server {
namespace {

constexpr char kScheduler[] = "kube-scheduler";
constexpr char kGangpack[] = "gangpack";
constexpr char kCluster[] = "cluster";

bool IsBound(const std::shared_ptr<const PodObject>& pod) {
  return pod != nullptr && !pod->pod.node_name.empty();
}

}  // namespace

Narrator::Narrator(std::ostream* out, k8s::Clock* clock)
    : clock_(clock), start_(clock->Now()), out_(out) {}

void Narrator::Line(absl::string_view who, absl::string_view what) {
  const int64_t ms = absl::ToInt64Milliseconds(clock_->Now() - start_);
  *out_ << absl::StrFormat("%3d.%03ds  %-14s  ", ms / 1000, ms % 1000, who) << std::string(what)
        << std::endl;
}

void Narrator::Title(absl::string_view title) {
  const MutexLock lock(&mutex_);
  told_failures_.clear();
  *out_ << "\n== " << std::string(title) << std::endl;
}

void Narrator::Say(absl::string_view who, absl::string_view what) {
  const MutexLock lock(&mutex_);
  Line(who, what);
}

void Narrator::Attempt(const AttemptOutcome& outcome) {
  const MutexLock lock(&mutex_);
  const std::string pod = outcome.pod.ToString();
  if (outcome.kind == AttemptOutcome::Kind::kAssumed) {
    Line(kScheduler, absl::StrCat(pod, " -> ", outcome.node, ", calls bind"));
    return;
  }
  if (!told_failures_.insert(outcome.text).second) return;
  const bool refused = outcome.kind == AttemptOutcome::Kind::kUnschedulable;
  Line(kScheduler,
       absl::StrCat(pod, refused ? " FailedScheduling: " : " SchedulerError: ", outcome.text));
}

void Narrator::Transition(const GangTransition& transition) {
  const MutexLock lock(&mutex_);
  Line(kGangpack, absl::StrCat("gang ", transition.gang.ToString(), " ",
                               TransitionName(transition.kind), ": ", transition.text));
}

void Narrator::Events(const std::vector<ClusterEvent>& events) {
  const MutexLock lock(&mutex_);
  for (const ClusterEvent& event : events) {
    const auto* change = std::get_if<Change<PodObject>>(&event);
    if (change == nullptr) continue;
    if (change->after == nullptr) {
      Line(kCluster, absl::StrCat(change->before->pod.name.ToString(), " is deleted"));
    } else if (change->before == nullptr) {
      Line(kCluster,
           absl::StrCat(change->after->pod.name.ToString(), " is created",
                        IsBound(change->after) ? " on " : "", change->after->pod.node_name));
    } else if (IsBound(change->after) && !IsBound(change->before)) {
      Line(kCluster, absl::StrCat(change->after->pod.name.ToString(), " is bound to ",
                                  change->after->pod.node_name));
    }
  }
}

}  // namespace gangpack::server
