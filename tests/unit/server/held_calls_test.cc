#include "server/held_calls.h"

#include <memory>

#include "core/effects.h"
#include "core/ids.h"
#include "gtest/gtest.h"
#include "server/held_call.h"

namespace gangpack::server {
namespace {

TEST(HeldCalls, EachCallHasAnIdOfItsOwnThatIsNotZero) {
  HeldCalls calls;
  const CallId first = calls.Add(*HeldCall::Create());
  EXPECT_NE(first, 0u);
  calls.Forget(first);
  EXPECT_GT(calls.Add(*HeldCall::Create()), first);
}

TEST(HeldCalls, AnAnswerGoesToItsCallAloneAsABindingResult) {
  HeldCalls calls;
  const std::shared_ptr<HeldCall> bound = *HeldCall::Create();
  const std::shared_ptr<HeldCall> failed = *HeldCall::Create();
  const std::shared_ptr<HeldCall> waiting = *HeldCall::Create();
  const CallId bound_id = calls.Add(bound);
  const CallId failed_id = calls.Add(failed);
  calls.Add(waiting);
  calls.Answer({.call = failed_id, .error = "gang ns/g unwound"});
  calls.Answer({.call = bound_id, .error = ""});
  EXPECT_EQ(bound->TakeAnswer()->body, "{\"Error\":\"\"}");
  EXPECT_EQ(failed->TakeAnswer()->body, "{\"Error\":\"gang ns/g unwound\"}");
  EXPECT_FALSE(waiting->TakeAnswer().has_value());
  EXPECT_EQ(calls.size(), 1u);
}

TEST(HeldCalls, AnAnswerForACallThatHasGoneIsDropped) {
  HeldCalls calls;
  const std::shared_ptr<HeldCall> call = *HeldCall::Create();
  const CallId id = calls.Add(call);
  calls.Forget(id);
  calls.Forget(id);
  calls.Answer({.call = id, .error = "too late"});
  EXPECT_FALSE(call->TakeAnswer().has_value());
  EXPECT_EQ(calls.size(), 0u);
}

}  // namespace
}  // namespace gangpack::server
