#include "server/worker_pool.h"

#include <pthread.h>
#include <signal.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <future>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace gangpack::server {
namespace {

// Work that says when it runs and ends when it is told to.
class Gate {
 public:
  void Pass() {
    std::unique_lock lock(mutex_);
    ++inside_;
    changed_.notify_all();
    changed_.wait(lock, [this] { return open_; });
  }
  bool AwaitInside(int count) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(30), [&] { return inside_ >= count; });
  }
  void Open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  int inside() {
    const std::lock_guard lock(mutex_);
    return inside_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int inside_ = 0;
  bool open_ = false;
};

TEST(WorkerPool, GrowsWithTheWorkUpToItsLimitAndQueuesTheRest) {
  Gate gate;
  WorkerPool pool({.threads_max = 3});
  EXPECT_EQ(pool.threads(), 0u);
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(pool.Run([&] { gate.Pass(); }));
  EXPECT_TRUE(gate.AwaitInside(3));
  EXPECT_EQ(pool.threads(), 3u);
  EXPECT_EQ(gate.inside(), 3);
  gate.Open();
  EXPECT_TRUE(gate.AwaitInside(4));
}

TEST(WorkerPool, AnIdleThreadIsUsedAgain) {
  std::set<std::thread::id> used;
  WorkerPool pool({.threads_max = 200, .idle_timeout = std::chrono::minutes(1)});
  for (int i = 0; i < 100; ++i) {
    std::promise<std::thread::id> done;
    ASSERT_TRUE(pool.Run([&] { done.set_value(std::this_thread::get_id()); }));
    used.insert(done.get_future().get());
  }
  EXPECT_LE(used.size(), 8u) << "one, and few more where work came before it was idle again";
}

TEST(WorkerPool, ShrinksToNothingWhenIdle) {
  Gate gate;
  WorkerPool pool({.threads_max = 8, .idle_timeout = std::chrono::milliseconds(1)});
  for (int i = 0; i < 8; ++i) ASSERT_TRUE(pool.Run([&] { gate.Pass(); }));
  ASSERT_TRUE(gate.AwaitInside(8));
  gate.Open();
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (pool.threads() > 0 && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::yield();
  }
  EXPECT_EQ(pool.threads(), 0u);
  std::promise<void> done;
  ASSERT_TRUE(pool.Run([&] { done.set_value(); }));
  done.get_future().get();
}

TEST(WorkerPool, ShutdownRunsWhatIsQueuedAndAcceptsNoMore) {
  std::atomic<int> done = 0;
  WorkerPool pool({.threads_max = 2});
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(pool.Run([&] { ++done; }));
  pool.Shutdown();
  EXPECT_EQ(done, 100);
  EXPECT_EQ(pool.threads(), 0u);
  EXPECT_FALSE(pool.Run([&] { ++done; }));
  EXPECT_EQ(done, 100);
}

TEST(WorkerPool, ThreadsHaveTheStackAskedForAndTakeNoSignals) {
  size_t stack_bytes = 0;
  bool blocks_termination = false;
  {
    WorkerPool pool({.stack_bytes = 320 * 1024});
    ASSERT_TRUE(pool.Run([&] {
      pthread_attr_t attributes;
      pthread_getattr_np(pthread_self(), &attributes);
      pthread_attr_getstacksize(&attributes, &stack_bytes);
      pthread_attr_destroy(&attributes);
      sigset_t blocked;
      pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
      blocks_termination = sigismember(&blocked, SIGTERM) == 1;
    }));
  }
  // The C library may hand out a somewhat larger stack of a thread that has ended, but not one of
  // its default 8 MiB.
  EXPECT_GE(stack_bytes, size_t{320 * 1024});
  EXPECT_LT(stack_bytes, size_t{4 * 320 * 1024});
  EXPECT_TRUE(blocks_termination);
  sigset_t mine;
  pthread_sigmask(SIG_SETMASK, nullptr, &mine);
  EXPECT_EQ(sigismember(&mine, SIGTERM), 0);
}

}  // namespace
}  // namespace gangpack::server
