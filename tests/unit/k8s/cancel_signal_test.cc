#include "k8s/cancel_signal.h"

#include <poll.h>

#include "gtest/gtest.h"

namespace gangpack::k8s {
namespace {

bool IsReadable(const CancelSignal& signal) {
  pollfd polled = {signal.fd(), POLLIN, 0};
  return poll(&polled, 1, 0) == 1;
}

TEST(CancelSignalTest, OnceCancelledItStaysSo) {
  CancelSignal signal;
  EXPECT_FALSE(signal.cancelled());
  EXPECT_FALSE(IsReadable(signal));
  signal.Cancel();
  signal.Cancel();
  EXPECT_TRUE(signal.cancelled());
  EXPECT_TRUE(IsReadable(signal));
  EXPECT_TRUE(IsReadable(signal));
}

}  // namespace
}  // namespace gangpack::k8s
