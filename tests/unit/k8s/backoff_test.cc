#include "k8s/backoff.h"

#include "absl/time/time.h"
#include "gtest/gtest.h"

namespace gangpack::k8s {
namespace {

constexpr int kLeastJitter = 0;
constexpr int kMostJitter = 1000;

BackoffOptions Options() { return {absl::Seconds(1), absl::Seconds(10), absl::Seconds(30)}; }

TEST(BackoffTest, EachFailureInARowDoublesTheDelayUpToTheLimit) {
  Backoff backoff(Options());
  EXPECT_EQ(backoff.Failed(kMostJitter), absl::Seconds(1));
  EXPECT_EQ(backoff.Failed(kMostJitter), absl::Seconds(2));
  EXPECT_EQ(backoff.Failed(kMostJitter), absl::Seconds(4));
  EXPECT_EQ(backoff.Failed(kMostJitter), absl::Seconds(8));
  EXPECT_EQ(backoff.Failed(kMostJitter), absl::Seconds(10));
  EXPECT_EQ(backoff.failures(), 5);
}

TEST(BackoffTest, JitterSpreadsOverTheUpperHalf) {
  Backoff backoff(Options());
  EXPECT_EQ(backoff.Failed(kLeastJitter), absl::Milliseconds(500));
  EXPECT_EQ(backoff.Failed(500), absl::Milliseconds(1500));
  EXPECT_EQ(backoff.Failed(kMostJitter), absl::Seconds(4));
}

TEST(BackoffTest, JitterOutsideItsRangeCountsAsTheNearestEnd) {
  Backoff backoff(Options());
  EXPECT_EQ(backoff.Failed(-1), absl::Milliseconds(500));
  EXPECT_EQ(backoff.Failed(1001), absl::Seconds(2));
}

TEST(BackoffTest, ManyFailuresStayAtTheLimit) {
  Backoff backoff(Options());
  for (int i = 0; i < 1000; ++i) backoff.Failed(kMostJitter);
  EXPECT_EQ(backoff.Failed(kMostJitter), absl::Seconds(10));
}

TEST(BackoffTest, ALongSuccessEndsTheRowAndAShortOneDoesNot) {
  Backoff backoff(Options());
  backoff.Failed(kMostJitter);
  backoff.Worked(absl::Seconds(30) - absl::Nanoseconds(1));
  EXPECT_EQ(backoff.Failed(kMostJitter), absl::Seconds(2));
  backoff.Worked(absl::Seconds(30));
  EXPECT_EQ(backoff.failures(), 0);
  EXPECT_EQ(backoff.Failed(kMostJitter), absl::Seconds(1));
}

TEST(BackoffTest, ResetEndsTheRow) {
  Backoff backoff(Options());
  backoff.Failed(kMostJitter);
  backoff.Reset();
  EXPECT_EQ(backoff.Failed(kMostJitter), absl::Seconds(1));
}

}  // namespace
}  // namespace gangpack::k8s
