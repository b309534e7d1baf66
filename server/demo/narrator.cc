#include "server/demo/narrator.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <variant>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "core/pod.h"
#include "server/demo/wrapped_text.h"
#include "server/transition_name.h"

namespace gangpack::server {
namespace {

constexpr char kScheduler[] = "kube-scheduler";
constexpr char kGangpack[] = "gangpack";
constexpr char kCluster[] = "cluster";

constexpr size_t kWidth = 118;
constexpr size_t kIndent = 26;        // where the text of a line begins
constexpr int kToldOfEachGang = 2;    // of what every member goes through
constexpr size_t kNamedTogether = 2;  // of objects that are created or deleted together

bool IsBound(const std::shared_ptr<const PodObject>& pod) {
  return pod != nullptr && !pod->pod.node_name.empty();
}

// "a is created", "a and b are created", "a and 17 more are created".
std::string Together(const std::vector<std::string>& names, const std::string& what) {
  if (names.size() == 1) return absl::StrCat(names[0], " is ", what);
  if (names.size() <= kNamedTogether) {
    return absl::StrCat(names[0], " and ", names[1], " are ", what);
  }
  return absl::StrCat(names[0], " and ", names.size() - 1, " more are ", what);
}

}  // namespace

Narrator::Narrator(std::ostream* out, k8s::Clock* clock)
    : clock_(clock), start_(clock->Now()), out_(out) {}

void Narrator::Line(absl::string_view who, absl::string_view what) {
  const int64_t ms = absl::ToInt64Milliseconds(clock_->Now() - start_);
  *out_ << absl::StrFormat("%3d.%03ds  %-14s  ", ms / 1000, ms % 1000, who)
        << WrapText(what, kWidth, kIndent) << std::endl;
}

void Narrator::Title(absl::string_view title) {
  const MutexLock lock(&mutex_);
  told_failures_.clear();
  told_.clear();
  left_out_ = 0;
  *out_ << "\n-- " << WrapText(title, kWidth, 3) << std::endl;
}

void Narrator::Say(absl::string_view who, absl::string_view what) {
  const MutexLock lock(&mutex_);
  Line(who, what);
}

bool Narrator::IsTold(Kind kind, const std::string& gang) {
  if (++told_[{kind, gang}] <= kToldOfEachGang) return true;
  ++left_out_;
  return false;
}

std::string Narrator::GangOf(const NamespacedName& pod) const {
  const auto gang = gangs_.find(pod);
  return gang == gangs_.end() ? "" : gang->second;
}

void Narrator::Attempt(const AttemptOutcome& outcome) {
  const MutexLock lock(&mutex_);
  const std::string pod = outcome.pod.ToString();
  const std::string gang = GangOf(outcome.pod);
  if (outcome.kind == AttemptOutcome::Kind::kAssumed) {
    if (!IsTold(Kind::kAttempt, gang)) return;
    Line(kScheduler, absl::StrCat(pod, " -> ", outcome.node, ", calls bind"));
    return;
  }
  if (told_failures_.contains(outcome.text)) {
    ++left_out_;
    return;
  }
  if (!IsTold(Kind::kFailure, gang)) return;
  told_failures_.insert(outcome.text);
  const bool refused = outcome.kind == AttemptOutcome::Kind::kUnschedulable;
  Line(kScheduler,
       absl::StrCat(pod, refused ? " FailedScheduling: " : " SchedulerError: ", outcome.text));
}

void Narrator::Transition(const GangTransition& transition) {
  const MutexLock lock(&mutex_);
  const std::string gang = transition.gang.ToString();
  if (transition.kind == GangTransitionKind::kWaiting && !IsTold(Kind::kWaiting, gang)) return;
  Line(kGangpack,
       absl::StrCat("gang ", gang, " ", TransitionName(transition.kind), ": ", transition.text));
}

void Narrator::TellNode(const Change<NodeObject>& change) {
  if (change.before == nullptr || change.after == nullptr) return;
  const Node& node = change.after->node;
  if (change.before->node.unschedulable == node.unschedulable) return;
  Line(kCluster,
       absl::StrCat("node ", node.name, node.unschedulable ? " is cordoned" : " is uncordoned"));
}

void Narrator::TellBound(const PodObject& pod) {
  if (!IsTold(Kind::kBound, GangOf(pod.pod.name))) return;
  Line(kCluster, absl::StrCat(pod.pod.name.ToString(), " is bound to ", pod.pod.node_name));
}

void Narrator::Collect(const ClusterEvent& event,
                       std::vector<std::pair<std::string, Names>>* what) {
  std::string key;  // objects that share it are told together
  std::string name;
  const auto created_or_deleted = [&](const auto& change, const std::string& object) {
    const bool created = change.before == nullptr;
    if (!created && change.after != nullptr) return false;
    name = object;
    key = created ? "created" : "deleted";
    return true;
  };
  if (const auto* node = std::get_if<Change<NodeObject>>(&event)) {
    const Node& object = (node->after != nullptr ? node->after : node->before)->node;
    if (!created_or_deleted(*node, absl::StrCat("node ", object.name))) return;
    key += " node";
  } else if (const auto* group = std::get_if<Change<PodGroupObject>>(&event)) {
    const PodGroup& object = (group->after != nullptr ? group->after : group->before)->group;
    if (!created_or_deleted(*group, absl::StrCat("PodGroup ", object.name.ToString()))) return;
    key += " group";
  } else if (const auto* pod = std::get_if<Change<PodObject>>(&event)) {
    const Pod& object = (pod->after != nullptr ? pod->after : pod->before)->pod;
    if (!created_or_deleted(*pod, absl::StrCat("pod ", object.name.ToString()))) return;
    absl::StrAppend(&key, " pod ", GangOf(object.name), object.node_name.empty() ? "" : " bound");
    if (pod->before == nullptr && IsBound(pod->after)) name += " on " + object.node_name;
  } else {
    return;
  }
  const auto same = std::find_if(what->begin(), what->end(),
                                 [&key](const auto& told) { return told.first == key; });
  if (same != what->end()) {
    same->second.push_back(name);
  } else {
    what->push_back({key, {name}});
  }
}

void Narrator::Events(const std::vector<ClusterEvent>& events) {
  const MutexLock lock(&mutex_);
  std::vector<std::pair<std::string, Names>> collected;
  for (const ClusterEvent& event : events) {
    if (const auto* node = std::get_if<Change<NodeObject>>(&event)) TellNode(*node);
    if (const auto* pod = std::get_if<Change<PodObject>>(&event); pod && pod->after != nullptr) {
      const Pod& object = pod->after->pod;
      const auto label = object.labels.find(std::string(kPodGroupLabel));
      gangs_[object.name] =
          label == object.labels.end()
              ? ""
              : NamespacedName{object.name.namespace_name, label->second}.ToString();
      if (pod->before != nullptr && IsBound(pod->after) && !IsBound(pod->before)) {
        TellBound(*pod->after);
      }
    }
    Collect(event, &collected);
  }
  for (const auto& [key, names] : collected) {
    Line(kCluster, Together(names, key.substr(0, key.find(' '))));
  }
}

void Narrator::LeftOut() {
  const MutexLock lock(&mutex_);
  if (left_out_ == 0) return;
  Line("demo", absl::StrCat("left out: ", left_out_, left_out_ == 1 ? " line" : " lines",
                            " like these about other pods and attempts"));
}

}  // namespace gangpack::server
