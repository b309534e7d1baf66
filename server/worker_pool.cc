#include "server/worker_pool.h"

#include <pthread.h>
#include <signal.h>

#include <functional>
#include <utility>
#include <vector>

#include "server/mutex.h"

namespace gangpack::server {

bool WorkerPool::Run(std::function<void()> work) {
  const MutexLock lock(&mutex_);
  if (shut_down_) return false;
  JoinEnded();
  queue_.push_back(std::move(work));
  // An idle thread may have been promised to work that is queued already, so the two are compared.
  if (queue_.size() > idle_ && threads_ < options_.threads_max && !StartThread()) {
    queue_.pop_back();
    return false;
  }
  work_arrived_.Signal();
  return true;
}

void WorkerPool::Shutdown() {
  const MutexLock lock(&mutex_);
  shut_down_ = true;
  work_arrived_.SignalAll();
  thread_ended_.Wait(&mutex_, [this] {
    mutex_.AssertHeld();
    return threads_ == 0;
  });
  JoinEnded();
}

size_t WorkerPool::threads() const {
  const MutexLock lock(&mutex_);
  return threads_;
}

bool WorkerPool::StartThread() {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, options_.stack_bytes);
  // Signals are for the main thread, except those that tell of a thread's own fault. A new thread
  // inherits the mask of its creator.
  sigset_t blocked, before;
  sigfillset(&blocked);
  for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGPROF}) {
    sigdelset(&blocked, fault);
  }
  pthread_sigmask(SIG_SETMASK, &blocked, &before);
  pthread_t thread;
  const bool started = pthread_create(&thread, &attributes, &ThreadMain, this) == 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&attributes);
  if (started) ++threads_;
  return started;
}

void WorkerPool::JoinEnded() {
  for (const pthread_t thread : std::exchange(ended_, {})) pthread_join(thread, nullptr);
}

void* WorkerPool::ThreadMain(void* pool) {
  static_cast<WorkerPool*>(pool)->Work();
  return nullptr;
}

void WorkerPool::Work() {
  while (const std::function<void()> work = TakeWork()) work();
}

std::function<void()> WorkerPool::TakeWork() {
  const MutexLock lock(&mutex_);
  ++idle_;
  work_arrived_.WaitFor(&mutex_, options_.idle_timeout, [this] {
    mutex_.AssertHeld();
    return !queue_.empty() || shut_down_;
  });
  --idle_;
  if (!queue_.empty()) {
    std::function<void()> work = std::move(queue_.front());
    queue_.pop_front();
    return work;
  }
  // The thread ends. Each joins the one before, so at most one stack outlives its thread.
  JoinEnded();
  --threads_;
  ended_.push_back(pthread_self());
  thread_ended_.SignalAll();
  return nullptr;
}

}  // namespace gangpack::server
