#include "server/mutex.h"

#include <chrono>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace gangpack::server {
namespace {

TEST(Mutex, KeepsThreadsApart) {
  Mutex mutex;
  int count = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int j = 0; j < 10'000; ++j) {
        const MutexLock lock(&mutex);
        ++count;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(count, 40'000);
}

TEST(CondVar, WakesAWaiterThatHoldsTheMutexAgain) {
  Mutex mutex;
  CondVar changed;
  int stage = 0;
  std::thread other([&] {
    const MutexLock lock(&mutex);
    changed.Wait(&mutex, [&] { return stage == 1; });
    stage = 2;
    changed.SignalAll();
  });
  {
    const MutexLock lock(&mutex);
    stage = 1;
    changed.Signal();
    EXPECT_TRUE(
        changed.WaitFor(&mutex, std::chrono::milliseconds(30'000), [&] { return stage == 2; }));
  }
  other.join();
}

TEST(CondVar, AWaitForNothingEndsAfterItsTimeWithTheMutexHeld) {
  Mutex mutex;
  CondVar changed;
  int count = 0;
  std::thread other;
  {
    const MutexLock lock(&mutex);
    EXPECT_FALSE(changed.WaitFor(&mutex, std::chrono::milliseconds(1), [] { return false; }));
    other = std::thread([&] {
      const MutexLock its_lock(&mutex);
      ++count;
    });
    for (int i = 0; i < 1000; ++i) std::this_thread::yield();
    EXPECT_EQ(count, 0) << "the other thread got a mutex that is held";
  }
  other.join();
  EXPECT_EQ(count, 1);
}

}  // namespace
}  // namespace gangpack::server
