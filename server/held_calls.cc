#include "server/held_calls.h"

#include <cstddef>
#include <memory>
#include <utility>

#include "core/effects.h"
#include "core/ids.h"
#include "server/extender_codec.h"
#include "server/held_call.h"
#include "server/mutex.h"

namespace gangpack::server {

CallId HeldCalls::Add(std::shared_ptr<HeldCall> call) {
  const MutexLock lock(&mutex_);
  calls_.emplace(++last_id_, std::move(call));
  return last_id_;
}

void HeldCalls::Answer(const AnswerCall& answer) {
  std::shared_ptr<HeldCall> call;
  {
    const MutexLock lock(&mutex_);
    const auto found = calls_.find(answer.call);
    if (found == calls_.end()) return;
    call = std::move(found->second);
    calls_.erase(found);
  }
  call->Answer({.body = EncodeExtenderBindingResult({answer.error})});
}

void HeldCalls::Forget(CallId id) {
  const MutexLock lock(&mutex_);
  calls_.erase(id);
}

size_t HeldCalls::size() const {
  const MutexLock lock(&mutex_);
  return calls_.size();
}

}  // namespace gangpack::server
