// A mutex, its scoped lock and its condition, spelled as Abseil's and annotated for clang's
// -Wthread-safety.
//
// Why not absl::Mutex: Debian's archive of it is not instrumented, so ThreadSanitizer does not see
// that it orders anything, and reports whatever it guards as a race.
#ifndef GANGPACK_SERVER_MUTEX_H_
#define GANGPACK_SERVER_MUTEX_H_

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "absl/base/thread_annotations.h"

namespace gangpack::server {

class ABSL_LOCKABLE Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void Lock() ABSL_EXCLUSIVE_LOCK_FUNCTION() { mutex_.lock(); }
  void Unlock() ABSL_UNLOCK_FUNCTION() { mutex_.unlock(); }
  // Tells the analysis what it cannot see, as in the predicate of a wait. Checks nothing.
  void AssertHeld() const ABSL_ASSERT_EXCLUSIVE_LOCK() {}

 private:
  friend class CondVar;
  std::mutex mutex_;
};

class ABSL_SCOPED_LOCKABLE MutexLock {
 public:
  explicit MutexLock(Mutex* mutex) ABSL_EXCLUSIVE_LOCK_FUNCTION(mutex) : mutex_(mutex) {
    mutex_->Lock();
  }
  ~MutexLock() ABSL_UNLOCK_FUNCTION() { mutex_->Unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex* const mutex_;
};

class CondVar {
 public:
  // Waits until `done()`, which is called with the mutex held.
  template <typename Done>
  void Wait(Mutex* mutex, Done done) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex) {
    std::unique_lock lock(mutex->mutex_, std::adopt_lock);
    changed_.wait(lock, done);
    lock.release();
  }
  // The same, no longer than `timeout`. The last word of `done()`.
  template <typename Done>
  bool WaitFor(Mutex* mutex, std::chrono::milliseconds timeout, Done done)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex) {
    std::unique_lock lock(mutex->mutex_, std::adopt_lock);
    const bool is_done = changed_.wait_for(lock, timeout, done);
    lock.release();
    return is_done;
  }
  void Signal() { changed_.notify_one(); }
  void SignalAll() { changed_.notify_all(); }

 private:
  std::condition_variable changed_;
};

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_MUTEX_H_
