#include "server/deadline_timer.h"

#include <poll.h>

#include <memory>
#include <optional>
#include <string>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/effect_executor.h"
#include "server/held_call.h"
#include "server/held_calls.h"

namespace gangpack::server {
namespace {

using ::testing::HasSubstr;

constexpr int kDeadlineMs = 30'000;

// Two nodes and a gang of two, in real time.
class RealTimeWorld {
 public:
  explicit RealTimeWorld(absl::Duration permit_timeout)
      : executor_({.cluster = &cluster_, .calls = &calls, .on_transition = {}}),
        driver(PolicyWith(permit_timeout), &clock, &executor_) {
    executor_.Start(&driver);
    for (const char* name : {"a1", "a2"}) {
      Node node;
      node.name = name;
      node.labels["rack"] = "a";
      node.allocatable = {{"cpu", 1000}, {"pods", 10}};
      driver.Apply({NodeChanged{node}});
    }
    PodGroup group;
    group.name = {"ns", "g"};
    group.uid = "g";
    group.min_member = 2;
    driver.Apply({PodGroupChanged{group}});
    for (const char* name : {"w-0", "w-1"}) {
      Pod pod;
      pod.uid.value = name;
      pod.name = {"ns", name};
      pod.labels[std::string(kPodGroupLabel)] = "g";
      pod.scheduler_name = Policy().scheduler_name;
      driver.Apply({PodChanged{pod}});
    }
    driver.Apply({Synchronised{}});
  }

  std::shared_ptr<HeldCall> Bind(const char* pod, const char* node) {
    const std::shared_ptr<HeldCall> call = *HeldCall::Create();
    driver.Bind({.call = calls.Add(call), .uid = {pod}, .pod = {"ns", pod}, .node = node});
    return call;
  }

 private:
  static Policy PolicyWith(absl::Duration permit_timeout) {
    Policy policy;
    policy.default_topology_key = "rack";
    policy.permit_timeout = permit_timeout;
    return policy;
  }

  class NoWrites final : public ClusterWriter {
   public:
    absl::Status Bind(const BindPod&) override { return absl::OkStatus(); }
    absl::Status Wake(const WakePod&) override { return absl::OkStatus(); }
    absl::Status Clear(const ClearNomination&) override { return absl::OkStatus(); }
  };
  NoWrites cluster_;

 public:
  k8s::SystemClock clock;
  HeldCalls calls;

 private:
  EffectExecutor executor_;

 public:
  EngineDriver driver;
};

bool IsAnsweredInTime(const HeldCall& call) {
  pollfd fd = {call.answered_fd(), POLLIN, 0};
  return poll(&fd, 1, kDeadlineMs) == 1;
}

TEST(DeadlineTimerTest, AWaitEndsByItselfWhenItsTimeIsOver) {
  RealTimeWorld world(absl::Milliseconds(30));
  DeadlineTimer timer(&world.driver, &world.clock);
  const std::shared_ptr<HeldCall> call = world.Bind("w-0", "a1");
  ASSERT_TRUE(IsAnsweredInTime(*call));
  EXPECT_THAT(call->TakeAnswer()->body, HasSubstr("gang ns/g unwound after a member failed"));
}

TEST(DeadlineTimerTest, ADeadlineThatWasSetBeforeItCameIsMetToo) {
  RealTimeWorld world(absl::Milliseconds(30));
  const std::shared_ptr<HeldCall> call = world.Bind("w-0", "a1");
  DeadlineTimer timer(&world.driver, &world.clock);
  EXPECT_TRUE(IsAnsweredInTime(*call));
}

TEST(DeadlineTimerTest, AFarDeadlineDoesNotKeepItFromStopping) {
  RealTimeWorld world(absl::Hours(1));
  DeadlineTimer timer(&world.driver, &world.clock);
  const std::shared_ptr<HeldCall> call = world.Bind("w-0", "a1");
  const absl::Time begin = absl::Now();
  timer.Stop();
  timer.Stop();
  EXPECT_LT(absl::Now() - begin, absl::FromChrono(DeadlineTimer::kRecheck));
  EXPECT_FALSE(call->TakeAnswer().has_value()) << "the wait was not over";
}

TEST(DeadlineTimerTest, AfterStopNothingEndsByItself) {
  RealTimeWorld world(absl::Milliseconds(1));
  DeadlineTimer timer(&world.driver, &world.clock);
  timer.Stop();
  const std::shared_ptr<HeldCall> call = world.Bind("w-0", "a1");
  pollfd fd = {call->answered_fd(), POLLIN, 0};
  EXPECT_EQ(poll(&fd, 1, 50), 0);
}

}  // namespace
}  // namespace gangpack::server
