// Carries the engine's wishes out against the API server, and finds out what came of them.
//
// Bind: the binding is posted. Where it was refused as a conflict, or no clear answer came, the pod
// is read: bound to that node is success whoever did it; bound elsewhere, being deleted, gated or
// another one is an error; unbound may be tried again. Wake: one merge patch of the annotation
// kWakeAnnotation with the pod's UID. Clear: one status patch.
// Limits: what fails for want of an answer, with 5xx or with 429, is tried again with growing
// delays, no sooner than Retry-After says, for as long as Options says.
// Errors: of Bind kAborted (the pod is not to be bound there), kPermissionDenied and the like (as
// the server said), kUnavailable (it could not be asked in time), kCancelled (stopping). Of the
// others NotFound and a pod of another UID are success: there is nobody to wake any more.
// Thread-safety: all methods from any thread at once; each blocks until it is done.
// Not here: which pods, and in what order (effect_executor.h).
#ifndef GANGPACK_SERVER_KUBERNETES_POD_WRITER_H_
#define GANGPACK_SERVER_KUBERNETES_POD_WRITER_H_

#include <functional>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/effects.h"
#include "k8s/api_client.h"
#include "k8s/backoff.h"
#include "k8s/clock.h"
#include "server/cluster_writer.h"

namespace gangpack::server {

// Its value changes with each wake, and says when that was.
inline constexpr absl::string_view kWakeAnnotation = "gangpack.io/wake";

class PodWriter final : public ClusterWriter {
 public:
  struct Options {
    // Between two tries. No random part: the lanes' tries are spread by themselves.
    k8s::BackoffOptions backoff = {absl::Milliseconds(200), absl::Seconds(5), absl::Seconds(10)};
    // No try begins later than this after the first.
    absl::Duration patience = absl::Minutes(1);
    int tries_max = 30;
    // The longest Retry-After that is waited for.
    absl::Duration retry_after_max = absl::Seconds(30);
  };

  // True when the time has passed, false when nothing is to be tried any more.
  using Wait = std::function<bool(absl::Duration)>;

  PodWriter(const Options& options, k8s::ApiClient* client, k8s::Clock* clock, Wait wait)
      : options_(options), client_(client), clock_(clock), wait_(std::move(wait)) {}

  absl::Status Bind(const BindPod& bind) override;
  absl::Status Wake(const WakePod& wake) override;
  absl::Status Clear(const ClearNomination& clear) override;

 private:
  // Tries again while `attempt` ends in a way that may be another one the next time.
  absl::Status Persist(absl::FunctionRef<absl::Status()> attempt);
  absl::Status TryToBind(const BindPod& bind);
  // What became of a binding that ended with `refused`, by reading the pod.
  absl::Status LookAtBinding(const BindPod& bind, const absl::Status& refused);

  const Options options_;
  k8s::ApiClient* const client_;
  k8s::Clock* const clock_;
  const Wait wait_;
};

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_KUBERNETES_POD_WRITER_H_
