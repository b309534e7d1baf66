// The port through which time comes in: read once per entry point, by the driver, and passed down
// as a value.
#ifndef GANGPACK_K8S_CLOCK_H_
#define GANGPACK_K8S_CLOCK_H_

#include "absl/time/clock.h"
#include "absl/time/time.h"

namespace gangpack::k8s {

class Clock {
 public:
  virtual ~Clock() = default;
  virtual absl::Time Now() = 0;
};

class SystemClock final : public Clock {
 public:
  absl::Time Now() override { return absl::Now(); }
};

}  // namespace gangpack::k8s

#endif  // GANGPACK_K8S_CLOCK_H_
