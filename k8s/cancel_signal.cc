#include "k8s/cancel_signal.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cstdint>

namespace gangpack::k8s {

CancelSignal::CancelSignal() : fd_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

CancelSignal::~CancelSignal() {
  if (fd_ >= 0) close(fd_);
}

void CancelSignal::Cancel() {
  if (cancelled_.exchange(true) || fd_ < 0) return;
  // The counter starts at 0 and is written once, so this neither blocks nor fails.
  const uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(fd_, &one, sizeof(one));
}

}  // namespace gangpack::k8s
