// Says what happens while it happens, with the time since the start.
//
// Under one title the same reason is told once, for the first pod that fails for it; what many pods
// of one gang go through one by one is told of the first two. LeftOut says how much that was.
// Thread-safety: all methods from any thread; lines are never mixed.
#ifndef GANGPACK_SERVER_DEMO_NARRATOR_H_
#define GANGPACK_SERVER_DEMO_NARRATOR_H_

#include <map>
#include <ostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/effects.h"
#include "core/ids.h"
#include "k8s/clock.h"
#include "server/manifest/cluster_object.h"
#include "server/mutex.h"
#include "server/simulate/kube_scheduler_model.h"

namespace gangpack::server {

class Narrator {
 public:
  // Both must outlive it.
  Narrator(std::ostream* out, k8s::Clock* clock);

  void Title(absl::string_view title);
  void Say(absl::string_view who, absl::string_view what);

  void Attempt(const AttemptOutcome& outcome);
  void Transition(const GangTransition& transition);
  // What was created, deleted, bound and cordoned. What comes together is told together.
  void Events(const std::vector<ClusterEvent>& events);

  // Says how many lines there would have been under this title besides, if any.
  void LeftOut();

 private:
  enum class Kind { kAttempt, kFailure, kWaiting, kBound };
  using Names = std::vector<std::string>;

  void Line(absl::string_view who, absl::string_view what) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Whether this is among the first of its kind under this title; counts it otherwise.
  bool IsTold(Kind kind, const std::string& gang) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void TellNode(const Change<NodeObject>& change) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void TellBound(const PodObject& pod) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  std::string GangOf(const NamespacedName& pod) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // What becomes of the object is in `what`: "is created".
  void Collect(const ClusterEvent& event, std::vector<std::pair<std::string, Names>>* what)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  k8s::Clock* const clock_;
  const absl::Time start_;
  Mutex mutex_;
  std::ostream* const out_ ABSL_PT_GUARDED_BY(mutex_);
  std::map<NamespacedName, std::string> gangs_ ABSL_GUARDED_BY(mutex_);  // of the pods; or none
  // Under this title:
  std::set<std::string> told_failures_ ABSL_GUARDED_BY(mutex_);
  std::map<std::pair<Kind, std::string>, int> told_ ABSL_GUARDED_BY(mutex_);
  int left_out_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_DEMO_NARRATOR_H_
