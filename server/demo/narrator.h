// Says what happens while it happens, one line each, with the time since the start.
//
// Under one title the same reason is told once, for the first pod that fails for it.
// Thread-safety: all methods from any thread; lines are never mixed.
#ifndef GANGPACK_SERVER_DEMO_NARRATOR_H_
#define GANGPACK_SERVER_DEMO_NARRATOR_H_

#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/effects.h"
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
  // Pods that got a node, were created or were deleted.
  void Events(const std::vector<ClusterEvent>& events);

 private:
  void Line(absl::string_view who, absl::string_view what) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  k8s::Clock* const clock_;
  const absl::Time start_;
  Mutex mutex_;
  std::ostream* const out_ ABSL_PT_GUARDED_BY(mutex_);
  std::set<std::string> told_failures_ ABSL_GUARDED_BY(mutex_);  // under this title
};

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_DEMO_NARRATOR_H_
