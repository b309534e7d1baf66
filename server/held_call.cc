#include "server/held_call.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <memory>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/http_message.h"
#include "server/mutex.h"

namespace gangpack::server {

absl::StatusOr<std::shared_ptr<HeldCall>> HeldCall::Create() {
  const int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (fd < 0) return absl::ResourceExhaustedError("no file descriptor left to hold a call");
  return std::shared_ptr<HeldCall>(new HeldCall(fd));
}

HeldCall::~HeldCall() { close(answered_fd_); }

bool HeldCall::Answer(HttpAnswer answer) {
  const MutexLock lock(&mutex_);
  if (ended_) return false;
  ended_ = true;
  answer_ = std::move(answer);
  (void)eventfd_write(answered_fd_, 1);  // Fails only at 2^64 - 2 events.
  return true;
}

bool HeldCall::Abandon() {
  const MutexLock lock(&mutex_);
  if (ended_) return !answer_.has_value();
  ended_ = true;
  return true;
}

std::optional<HttpAnswer> HeldCall::TakeAnswer() {
  const MutexLock lock(&mutex_);
  return std::exchange(answer_, std::nullopt);
}

}  // namespace gangpack::server
