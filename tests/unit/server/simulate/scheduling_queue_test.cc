#include "server/simulate/scheduling_queue.h"

#include <memory>
#include <optional>
#include <string>

#include "gtest/gtest.h"

namespace gangpack::server {
namespace {

class SchedulingQueueTest : public testing::Test {
 protected:
  static std::shared_ptr<const PodObject> PodOf(const std::string& name, int32_t priority = 0,
                                                int gates = 0) {
    PodObject object;
    object.pod.uid.value = name;
    object.pod.name = {"ns", name};
    object.pod.priority = priority;
    object.pod.gates = gates;
    return std::make_shared<const PodObject>(object);
  }
  static PodUid Uid(const std::string& name) { return {name}; }

  // The name of the next pod, empty if there is none.
  std::string Pop(bool no_backoff = false) {
    const auto popped = queue_.Pop(
        no_backoff, [this](const QueuedPod& pod) { return pod.object->pod.name.name != paused_; });
    return popped.has_value() ? popped->object->pod.name.name : "";
  }
  void Wake() {
    queue_.Requeue(now_, [](const QueuedPod&) { return true; });
  }

  const absl::Time start_ = absl::FromUnixSeconds(1000);
  absl::Time now_ = start_;
  SchedulingQueue queue_{start_};
  std::string paused_;
};

TEST_F(SchedulingQueueTest, HigherPriorityFirstThenTheOneQueuedFirst) {
  queue_.Add(PodOf("b"), now_);
  queue_.Add(PodOf("a"), now_);
  queue_.Add(PodOf("high", 10), now_);
  EXPECT_EQ(Pop(), "high");
  EXPECT_EQ(Pop(), "b");
  EXPECT_EQ(Pop(), "a");
  EXPECT_EQ(Pop(), "");
}

TEST_F(SchedulingQueueTest, APodThatWasRefusedQueuesBehindThoseThatWaited) {
  queue_.Add(PodOf("a"), now_);
  queue_.Add(PodOf("b"), now_);
  EXPECT_EQ(Pop(), "a");
  queue_.Park(Uid("a"), kRejectedByExtender, now_);
  Wake();
  EXPECT_EQ(Pop(true), "b");
  EXPECT_EQ(Pop(true), "a");
}

TEST_F(SchedulingQueueTest, AParkedPodIsNotTriedUntilItIsRequeued) {
  queue_.Add(PodOf("a"), now_);
  Pop();
  queue_.Park(Uid("a"), kRejectedByFit, now_);
  EXPECT_EQ(Pop(true), "");
  queue_.Requeue(now_, [](const QueuedPod& pod) { return pod.rejectors == kRejectedByExtender; });
  EXPECT_EQ(Pop(true), "");
  queue_.Requeue(now_, [](const QueuedPod& pod) { return pod.rejectors == kRejectedByFit; });
  EXPECT_EQ(Pop(true), "a");
}

TEST_F(SchedulingQueueTest, ABackoffIsCutShortWhenNothingIsActive) {
  queue_.Add(PodOf("refused"), now_);
  Pop();
  queue_.Park(Uid("refused"), kRejectedByExtender, now_);
  queue_.Add(PodOf("fresh"), now_);
  Wake();
  EXPECT_EQ(Pop(), "fresh");
  EXPECT_EQ(Pop(), "refused");
}

TEST_F(SchedulingQueueTest, AnErrorBackoffIsNotCutShort) {
  queue_.Add(PodOf("a"), now_);
  Pop();
  queue_.BackOffAfterError(Uid("a"), now_);
  EXPECT_EQ(Pop(), "");
  EXPECT_EQ(queue_.NextFlush(), start_ + absl::Seconds(1));
  now_ = start_ + absl::Milliseconds(999);
  queue_.Flush(now_);
  EXPECT_EQ(Pop(), "");
  now_ = start_ + absl::Seconds(1);
  queue_.Flush(now_);
  EXPECT_EQ(Pop(), "a");
}

TEST_F(SchedulingQueueTest, BackoffCountsAsZeroWhereAsked) {
  queue_.Add(PodOf("a"), now_);
  Pop();
  queue_.BackOffAfterError(Uid("a"), now_);
  EXPECT_EQ(Pop(true), "a");
}

TEST_F(SchedulingQueueTest, ErrorBackoffDoublesToTwoSecondsAndEndsOnWholeSeconds) {
  queue_.Add(PodOf("a"), now_);
  for (const int seconds : {1, 2, 2}) {
    Pop();
    const absl::Time failed = now_ + absl::Milliseconds(300);
    queue_.BackOffAfterError(Uid("a"), failed);
    EXPECT_EQ(queue_.NextFlush(), now_ + absl::Seconds(seconds + 1));
    now_ = queue_.NextFlush();
    queue_.Flush(now_);
  }
}

TEST_F(SchedulingQueueTest, ParkedPodsComeBackAfterMoreThanFiveMinutesAtAFlush) {
  queue_.Add(PodOf("a"), now_);
  Pop();
  queue_.Park(Uid("a"), kRejectedByFit, now_);
  EXPECT_EQ(queue_.NextFlush(), start_ + absl::Seconds(330));
  queue_.Flush(start_ + absl::Seconds(329));
  EXPECT_EQ(Pop(), "");
  queue_.Flush(start_ + absl::Seconds(330));
  EXPECT_EQ(Pop(), "a");
}

TEST_F(SchedulingQueueTest, AGatedPodIsNotTriedUntilItsLastGateGoes) {
  queue_.Add(PodOf("a", 0, 2), now_);
  EXPECT_EQ(Pop(true), "");
  queue_.Update(PodOf("a", 0, 1), now_);
  EXPECT_EQ(Pop(true), "");
  Wake();
  EXPECT_EQ(Pop(true), "");
  queue_.Update(PodOf("a", 0, 0), now_);
  EXPECT_EQ(Pop(), "a");
}

TEST_F(SchedulingQueueTest, WhatIsNotEligibleStaysAndDoesNotBlock) {
  queue_.Add(PodOf("a", 5), now_);
  queue_.Add(PodOf("b"), now_);
  paused_ = "a";
  EXPECT_EQ(Pop(), "b");
  EXPECT_EQ(Pop(), "");
  paused_ = "";
  EXPECT_EQ(Pop(), "a");
}

TEST_F(SchedulingQueueTest, ARemovedPodIsForgottenWhereverItIs) {
  queue_.Add(PodOf("active"), now_);
  queue_.Add(PodOf("tried", 1), now_);
  EXPECT_EQ(Pop(), "tried");
  queue_.Remove(Uid("tried"));
  queue_.Park(Uid("tried"), kRejectedByFit, now_);
  queue_.Remove(Uid("active"));
  Wake();
  EXPECT_EQ(Pop(true), "");
  EXPECT_EQ(queue_.Find(Uid("active")), nullptr);
}

}  // namespace
}  // namespace gangpack::server
