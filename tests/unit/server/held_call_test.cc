#include "server/held_call.h"

#include <poll.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "server/http_message.h"

namespace gangpack::server {
namespace {

bool SaysAnswered(const HeldCall& call) {
  pollfd fd = {call.answered_fd(), POLLIN, 0};
  return poll(&fd, 1, 0) == 1;
}

TEST(HeldCall, TheFirstAnswerIsKeptAndLaterOnesAreRefused) {
  const std::shared_ptr<HeldCall> call = *HeldCall::Create();
  EXPECT_FALSE(SaysAnswered(*call));
  EXPECT_TRUE(call->Answer({.body = "first"}));
  EXPECT_FALSE(call->Answer({.body = "second"}));
  EXPECT_TRUE(SaysAnswered(*call));
  EXPECT_EQ(call->TakeAnswer()->body, "first");
  EXPECT_FALSE(call->TakeAnswer().has_value());
}

TEST(HeldCall, AnAbandonedCallTakesNoAnswer) {
  const std::shared_ptr<HeldCall> call = *HeldCall::Create();
  EXPECT_TRUE(call->Abandon());
  EXPECT_FALSE(call->Answer({}));
  EXPECT_FALSE(SaysAnswered(*call));
  EXPECT_FALSE(call->TakeAnswer().has_value());
}

TEST(HeldCall, AnAnsweredCallCannotBeAbandoned) {
  const std::shared_ptr<HeldCall> call = *HeldCall::Create();
  EXPECT_TRUE(call->Answer({}));
  EXPECT_FALSE(call->Abandon());
  EXPECT_TRUE(call->TakeAnswer().has_value());
}

TEST(HeldCall, OfManyAnswersAtOnceExactlyOneIsAccepted) {
  for (int round = 0; round < 100; ++round) {
    const std::shared_ptr<HeldCall> call = *HeldCall::Create();
    std::atomic<int> accepted = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] { accepted += call->Answer({}) ? 1 : 0; });
    }
    const bool abandoned = call->Abandon();
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(accepted + (abandoned ? 1 : 0), 1);
  }
}

}  // namespace
}  // namespace gangpack::server
