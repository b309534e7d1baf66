// How long to wait before trying again: twice as long after each failure, up to a limit, spread by
// a random number that is handed in.
//
// Determinism: the same calls give the same delays. Not thread-safe.

#ifndef GANGPACK_K8S_BACKOFF_H_
#define GANGPACK_K8S_BACKOFF_H_

#include "absl/time/time.h"

namespace gangpack::k8s {

struct BackoffOptions {
  absl::Duration initial = absl::Milliseconds(500);
  absl::Duration max = absl::Seconds(30);
  // A success that lasted at least this long ends the memory of earlier failures.
  absl::Duration reset_after = absl::Seconds(10);
};

class Backoff {
 public:
  explicit Backoff(const BackoffOptions& options) : options_(options) {}

  // The delay before the next try. The nth failure in a row gives between half and the whole of
  // initial * 2^(n-1) or max, whichever is less. `jitter_permille`, from 0 to 1000, says where.
  absl::Duration Failed(int jitter_permille);

  // Something worked for that long before it ended.
  void Worked(absl::Duration lasted);
  void Reset() { failures_ = 0; }

  // In a row.
  int failures() const { return failures_; }

 private:
  BackoffOptions options_;
  int failures_ = 0;
};

}  // namespace gangpack::k8s

#endif  // GANGPACK_K8S_BACKOFF_H_
