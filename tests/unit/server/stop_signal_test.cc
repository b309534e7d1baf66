#include "server/stop_signal.h"

#include <signal.h>
#include <unistd.h>

#include <future>
#include <set>
#include <string>
#include <thread>

#include "gtest/gtest.h"

namespace gangpack::server {
namespace {

// Sent to the process as `kill PID` does; it stays pending while every thread blocks it.
void SendToProcess(int signal) { ASSERT_EQ(kill(getpid(), signal), 0); }

bool IsBlockedHere(int signal) {
  sigset_t blocked;
  EXPECT_EQ(pthread_sigmask(SIG_BLOCK, nullptr, &blocked), 0);
  return sigismember(&blocked, signal) == 1;
}

bool IsPending(int signal) {
  sigset_t pending;
  EXPECT_EQ(sigpending(&pending), 0);
  return sigismember(&pending, signal) == 1;
}

TEST(StopSignalTest, EachOfTheTwoIsToldByItsName) {
  StopSignal stop;
  SendToProcess(SIGTERM);
  EXPECT_EQ(stop.Wait(), "SIGTERM");
  SendToProcess(SIGINT);
  EXPECT_EQ(stop.Wait(), "SIGINT");
}

TEST(StopSignalTest, OneThatComesDuringTheWaitEndsIt) {
  StopSignal stop;
  auto name = std::async(std::launch::async, [&stop] { return stop.Wait(); });
  SendToProcess(SIGTERM);
  EXPECT_EQ(name.get(), "SIGTERM");
  EXPECT_FALSE(IsPending(SIGTERM)) << "it was taken, and is told once";
}

TEST(StopSignalTest, ASecondOneDoesNotCutShortWhatTheFirstAskedFor) {
  StopSignal stop;
  SendToProcess(SIGTERM);
  EXPECT_EQ(stop.Wait(), "SIGTERM");
  SendToProcess(SIGTERM);
  SendToProcess(SIGINT);
  EXPECT_TRUE(IsPending(SIGTERM));
  EXPECT_TRUE(IsPending(SIGINT));
  const std::set<std::string> both = {stop.Wait(), stop.Wait()};
  EXPECT_EQ(both, (std::set<std::string>{"SIGINT", "SIGTERM"}));
}

TEST(StopSignalTest, ThreadsThatAreStartedAfterItBlockTheTwoAndNoOther) {
  std::thread([] {
    sigset_t none;
    sigemptyset(&none);
    ASSERT_EQ(pthread_sigmask(SIG_SETMASK, &none, nullptr), 0) << "as a process begins";
    StopSignal stop;
    std::thread([] {
      // The real-time signals behind these are the C library's and the sanitizers' own.
      for (int signal = 1; signal <= SIGSYS; ++signal) {
        EXPECT_EQ(IsBlockedHere(signal), signal == SIGTERM || signal == SIGINT) << signal;
      }
    }).join();
  }).join();
}

}  // namespace
}  // namespace gangpack::server
