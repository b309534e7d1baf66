#include "server/kubernetes/pause.h"

#include <thread>

#include "absl/time/clock.h"
#include "gtest/gtest.h"

namespace gangpack::server {
namespace {

TEST(PauseTest, TrueWhenTheTimeHasPassed) {
  Pause pause;
  const absl::Time begin = absl::Now();
  EXPECT_TRUE(pause.For(absl::Microseconds(1'500)));
  EXPECT_GE(absl::Now() - begin, absl::Microseconds(1'500));
  EXPECT_FALSE(pause.stopped());
}

TEST(PauseTest, StopEndsAWaitAndEveryLaterOne) {
  Pause pause;
  bool passed = true;
  std::thread waiter([&] { passed = pause.For(absl::Hours(1)); });
  pause.Stop();
  waiter.join();
  EXPECT_FALSE(passed);
  EXPECT_FALSE(pause.For(absl::Hours(1)));
  EXPECT_TRUE(pause.stopped());
}

}  // namespace
}  // namespace gangpack::server
