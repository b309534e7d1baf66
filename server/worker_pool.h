// Threads with small stacks that are started when work arrives and none is idle, and that end when
// they have been idle for a while.
//
// Why not a fixed pool: a held bind occupies a thread for minutes, and there may be none or a
// thousand of them.
// Thread-safety: Run() from any thread. Shutdown() from one that is not a worker.
// Errors: where a thread is needed and cannot be started, Run() returns false: behind calls that
// are held, the work might wait for minutes.
// Cost: Run() O(1) plus the start of a thread where needed; an idle thread holds `stack_bytes` of
// address space.
#ifndef GANGPACK_SERVER_WORKER_POOL_H_
#define GANGPACK_SERVER_WORKER_POOL_H_

#include <pthread.h>

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "server/mutex.h"

namespace gangpack::server {

class WorkerPool {
 public:
  struct Options {
    size_t threads_max = 64;
    size_t stack_bytes = 512 * 1024;
    std::chrono::milliseconds idle_timeout{10'000};
  };

  explicit WorkerPool(const Options& options) : options_(options) {}
  ~WorkerPool() { Shutdown(); }
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  // Runs `work` on a worker, as soon as one is free. False if there is none for it, or after
  // Shutdown().
  bool Run(std::function<void()> work);

  // Runs what is queued, then ends and joins all threads.
  void Shutdown();

  size_t threads() const;

 private:
  static void* ThreadMain(void* pool);
  void Work();
  // Waits for work; nothing where none came in time, or where none will.
  std::function<void()> TakeWork();
  bool StartThread() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void JoinEnded() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const Options options_;
  mutable Mutex mutex_;
  CondVar work_arrived_;
  CondVar thread_ended_;
  std::deque<std::function<void()>> queue_ ABSL_GUARDED_BY(mutex_);
  std::vector<pthread_t> ended_ ABSL_GUARDED_BY(mutex_);  // Ended, not yet joined.
  size_t threads_ ABSL_GUARDED_BY(mutex_) = 0;
  size_t idle_ ABSL_GUARDED_BY(mutex_) = 0;
  bool shut_down_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_WORKER_POOL_H_
