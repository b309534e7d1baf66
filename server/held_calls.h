// The bind calls that are being held, by the id under which the engine knows them.
//
// Ownership: shares each call with its serving thread.
// Thread-safety: all methods from any thread.
// Errors: none. An answer for a call that has gone is dropped: its caller hung up a moment before.
// Cost: O(1) each.
// Not here: the wait itself (held_call.h), when it ends (core/permit_book.h).
#ifndef GANGPACK_SERVER_HELD_CALLS_H_
#define GANGPACK_SERVER_HELD_CALLS_H_

#include <cstddef>
#include <memory>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "core/effects.h"
#include "core/ids.h"
#include "server/held_call.h"
#include "server/mutex.h"

namespace gangpack::server {

class HeldCalls {
 public:
  // The id is new: no other call has had it in this process's use of this object.
  CallId Add(std::shared_ptr<HeldCall> call);

  // Carries the effect out: the call is answered with an ExtenderBindingResult and forgotten.
  void Answer(const AnswerCall& answer);

  // The call has ended otherwise. Does nothing if it was answered.
  void Forget(CallId id);

  size_t size() const;

 private:
  mutable Mutex mutex_;
  CallId last_id_ ABSL_GUARDED_BY(mutex_) = 0;
  absl::flat_hash_map<CallId, std::shared_ptr<HeldCall>> calls_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_HELD_CALLS_H_
