// A call whose answer comes later, from another thread: the permit wait of a gang member.
//
// Terms: the serving thread is the one that runs the handler; the answering thread is whoever knows
// the answer.
// Invariant: a call ends exactly once. Either its answer was accepted, or it was abandoned and
// every later answer is refused, so the answering side always learns which.
// Ownership: shared by both sides; the descriptor inside goes with the last of them.
// Thread-safety: Answer() from any thread, once or more; the rest from the serving thread.
// Cost: one descriptor and one blocked thread per held call.
// Not here: when a member's wait ends (core/permit_book.h).
#ifndef GANGPACK_SERVER_HELD_CALL_H_
#define GANGPACK_SERVER_HELD_CALL_H_

#include <memory>
#include <optional>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "server/http_message.h"
#include "server/mutex.h"

namespace gangpack::server {

enum class HoldEnd {
  kAnswered,
  kHungUp,    // The caller closed its connection, or its half of it.
  kStopping,  // The listener is being stopped.
};

class HeldCall {
 public:
  // Errors: kResourceExhausted if no descriptor is left.
  static absl::StatusOr<std::shared_ptr<HeldCall>> Create();
  ~HeldCall();
  HeldCall(const HeldCall&) = delete;
  HeldCall& operator=(const HeldCall&) = delete;

  // True if this answer is the one that ends the call; false if the call had ended before.
  bool Answer(HttpAnswer answer);

  // True if the call has now ended without an answer; false if an answer was there first.
  bool Abandon();

  // The accepted answer, if there is one. Moves it out.
  std::optional<HttpAnswer> TakeAnswer();

  // Becomes readable when the call is answered.
  int answered_fd() const { return answered_fd_; }

 private:
  explicit HeldCall(int answered_fd) : answered_fd_(answered_fd) {}

  const int answered_fd_;
  Mutex mutex_;
  bool ended_ ABSL_GUARDED_BY(mutex_) = false;
  std::optional<HttpAnswer> answer_ ABSL_GUARDED_BY(mutex_);
};

// Blocks a handler until its call ends.
class CallWaiter {
 public:
  virtual ~CallWaiter() = default;

  // After kAnswered, TakeAnswer() has the answer. After the others the call is abandoned. An answer
  // that comes at the same moment as the hang-up wins. Bytes of a further request on the connection
  // are no hang-up.
  virtual HoldEnd Wait(HeldCall& call) = 0;
};

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_HELD_CALL_H_
