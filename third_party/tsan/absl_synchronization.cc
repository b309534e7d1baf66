// Abseil's mutex, condition variable, notification and blocking counter for ThreadSanitizer builds.
//
// ThreadSanitizer must see every synchronisation. Debian's libabsl_synchronization is built without
// it and waits on a bare futex, so that each use of absl::Mutex would be reported as a race. Here
// the same members are defined on top of pthread locks, which ThreadSanitizer intercepts. The
// linker takes this object before Debian's archive and so never needs the archive's mutex.cc;
// should a member be missing here, the link fails with "multiple definition", and it is added here.
//
// Two differences, both within the documented contracts: CondVar::Signal() wakes every waiter, and
// waiters are served in no particular order.

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <shared_mutex>
#include <thread>

#include "absl/base/config.h"
#include "absl/base/internal/tsan_mutex_interface.h"
#include "absl/synchronization/blocking_counter.h"
#include "absl/synchronization/mutex.h"
#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"

namespace {

// Sleepers of one mutex or condition variable. `wakes` counts the calls of Wake(), so that a wake
// between the moment a sleeper reads it and the moment it sleeps is not lost.
class Sleepers {
 public:
  uint64_t WakesSeen() {
    std::lock_guard<std::mutex> lock(mutex_);
    return wakes_;
  }

  void Wake() {
    std::lock_guard<std::mutex> lock(mutex_);
    ++wakes_;
    changed_.notify_all();
  }

  // False when the deadline came first.
  bool SleepUntilWokenAfter(uint64_t wakes_seen, absl::Time deadline) {
    std::unique_lock<std::mutex> lock(mutex_);
    auto woken = [this, wakes_seen] { return wakes_ != wakes_seen; };
    if (deadline == absl::InfiniteFuture()) {
      changed_.wait(lock, woken);
      return true;
    }
    return changed_.wait_until(lock, absl::ToChronoTime(deadline), woken);
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  uint64_t wakes_ = 0;
};

struct Lock {
  std::shared_mutex mutex;
  std::atomic<std::thread::id> writer = std::thread::id();
  Sleepers sleepers;
};

// The word that Abseil keeps in the object holds a pointer to our state, made on first use.
template <typename State>
State& StateOf(std::atomic<intptr_t>& word) {
  intptr_t seen = word.load(std::memory_order_acquire);
  if (seen == 0) {
    State* fresh = new State;
    if (word.compare_exchange_strong(seen, reinterpret_cast<intptr_t>(fresh),
                                     std::memory_order_acq_rel)) {
      return *fresh;
    }
    delete fresh;
  }
  return *reinterpret_cast<State*>(seen);
}

void LockWriter(Lock& lock) {
  lock.mutex.lock();
  lock.writer.store(std::this_thread::get_id(), std::memory_order_relaxed);
}

// Wakes first: after unlock() another thread may already destroy the lock.
void UnlockWriter(Lock& lock) {
  lock.writer.store(std::thread::id(), std::memory_order_relaxed);
  lock.sleepers.Wake();
  lock.mutex.unlock();
}

bool HeldByThisThread(const Lock& lock) {
  return lock.writer.load(std::memory_order_relaxed) == std::this_thread::get_id();
}

// The caller holds the lock, as writer or reader, and holds it the same way again afterwards.
bool AwaitHeld(Lock& lock, const absl::Condition& condition, absl::Time deadline) {
  const bool writer = HeldByThisThread(lock);
  // Others may wait for what the caller wrote before this call. Later rounds write nothing, and
  // waking others from them would keep two waiters busy for ever.
  if (writer && !condition.Eval()) lock.sleepers.Wake();
  while (!condition.Eval()) {
    if (deadline != absl::InfiniteFuture() && absl::Now() >= deadline) return false;
    const uint64_t wakes_seen = lock.sleepers.WakesSeen();
    if (writer) {
      lock.writer.store(std::thread::id(), std::memory_order_relaxed);
      lock.mutex.unlock();
    } else {
      lock.mutex.unlock_shared();
    }
    lock.sleepers.SleepUntilWokenAfter(wakes_seen, deadline);
    writer ? LockWriter(lock) : lock.mutex.lock_shared();
  }
  return true;
}

}  // namespace

namespace absl {
ABSL_NAMESPACE_BEGIN

Mutex::~Mutex() {
  delete reinterpret_cast<::Lock*>(mu_.load(std::memory_order_acquire));
  ABSL_TSAN_MUTEX_DESTROY(this, __tsan_mutex_not_static);
}

void Mutex::Lock() { LockWriter(StateOf<::Lock>(mu_)); }
void Mutex::Unlock() { UnlockWriter(StateOf<::Lock>(mu_)); }
void Mutex::ReaderLock() { StateOf<::Lock>(mu_).mutex.lock_shared(); }
void Mutex::ReaderUnlock() { StateOf<::Lock>(mu_).mutex.unlock_shared(); }
bool Mutex::ReaderTryLock() { return StateOf<::Lock>(mu_).mutex.try_lock_shared(); }

bool Mutex::TryLock() {
  ::Lock& lock = StateOf<::Lock>(mu_);
  if (!lock.mutex.try_lock()) return false;
  lock.writer.store(std::this_thread::get_id(), std::memory_order_relaxed);
  return true;
}

void Mutex::AssertHeld() const {
  if (HeldByThisThread(StateOf<::Lock>(const_cast<Mutex*>(this)->mu_))) return;
  std::fprintf(stderr, "thread should hold write lock on Mutex %p\n",
               static_cast<const void*>(this));
  std::abort();
}

// Readers are not recorded, so there is nothing to compare with.
void Mutex::AssertReaderHeld() const {}
void Mutex::AssertNotHeld() const {}
void Mutex::ForgetDeadlockInfo() {}
void Mutex::EnableDebugLog(const char*) {}
void Mutex::EnableInvariantDebugging(void (*)(void*), void*) {}

void Mutex::Await(const Condition& condition) {
  AwaitHeld(StateOf<::Lock>(mu_), condition, InfiniteFuture());
}
bool Mutex::AwaitWithTimeout(const Condition& condition, Duration timeout) {
  return AwaitHeld(StateOf<::Lock>(mu_), condition, Now() + timeout);
}
bool Mutex::AwaitWithDeadline(const Condition& condition, Time deadline) {
  return AwaitHeld(StateOf<::Lock>(mu_), condition, deadline);
}

void Mutex::LockWhen(const Condition& condition) {
  Lock();
  Await(condition);
}
bool Mutex::LockWhenWithTimeout(const Condition& condition, Duration timeout) {
  return LockWhenWithDeadline(condition, Now() + timeout);
}
bool Mutex::LockWhenWithDeadline(const Condition& condition, Time deadline) {
  Lock();
  return AwaitWithDeadline(condition, deadline);
}
void Mutex::ReaderLockWhen(const Condition& condition) {
  ReaderLock();
  Await(condition);
}
bool Mutex::ReaderLockWhenWithTimeout(const Condition& condition, Duration timeout) {
  return ReaderLockWhenWithDeadline(condition, Now() + timeout);
}
bool Mutex::ReaderLockWhenWithDeadline(const Condition& condition, Time deadline) {
  ReaderLock();
  return AwaitWithDeadline(condition, deadline);
}

void ReleasableMutexLock::Release() {
  mu_->Unlock();
  mu_ = nullptr;
}

const Condition Condition::kTrue;
Condition::Condition() : eval_(nullptr), function_(nullptr), method_(nullptr), arg_(nullptr) {}
Condition::Condition(bool (*function)(void*), void* arg)
    : eval_(&CallVoidPtrFunction), function_(function), method_(nullptr), arg_(arg) {}
Condition::Condition(const bool* flag)
    : eval_([](const Condition* condition) { return *static_cast<bool*>(condition->arg_); }),
      function_(nullptr),
      method_(nullptr),
      arg_(const_cast<bool*>(flag)) {}
bool Condition::CallVoidPtrFunction(const Condition* condition) {
  return condition->function_(condition->arg_);
}
bool Condition::Eval() const { return eval_ == nullptr || eval_(this); }

CondVar::~CondVar() { delete reinterpret_cast<Sleepers*>(cv_.load(std::memory_order_acquire)); }
void CondVar::Signal() { SignalAll(); }
void CondVar::SignalAll() { StateOf<Sleepers>(cv_).Wake(); }
void CondVar::EnableDebugLog(const char*) {}
void CondVar::Wait(Mutex* mutex) { WaitWithDeadline(mutex, InfiniteFuture()); }
bool CondVar::WaitWithTimeout(Mutex* mutex, Duration timeout) {
  return WaitWithDeadline(mutex, Now() + timeout);
}
bool CondVar::WaitWithDeadline(Mutex* mutex, Time deadline) {
  Sleepers& sleepers = StateOf<Sleepers>(cv_);
  const uint64_t wakes_seen = sleepers.WakesSeen();
  ::Lock& lock = StateOf<::Lock>(mutex->mu_);
  const bool writer = HeldByThisThread(lock);
  writer ? mutex->Unlock() : mutex->ReaderUnlock();
  const bool woken = sleepers.SleepUntilWokenAfter(wakes_seen, deadline);
  writer ? mutex->Lock() : mutex->ReaderLock();
  return !woken;
}

Notification::~Notification() {
  // A waiter that was just released may destroy this while Notify() still holds the mutex.
  MutexLock lock(&mutex_);
}
void Notification::Notify() {
  MutexLock lock(&mutex_);
  notified_yet_.store(true, std::memory_order_release);
}
void Notification::WaitForNotification() const {
  WaitForNotificationWithDeadline(InfiniteFuture());
}
bool Notification::WaitForNotificationWithTimeout(Duration timeout) const {
  return WaitForNotificationWithDeadline(Now() + timeout);
}
bool Notification::WaitForNotificationWithDeadline(Time deadline) const {
  if (HasBeenNotified()) return true;
  MutexLock lock(&mutex_);
  return mutex_.AwaitWithDeadline(Condition(this, &Notification::HasBeenNotified), deadline);
}

BlockingCounter::BlockingCounter(int initial_count)
    : count_(initial_count), num_waiting_(0), done_(initial_count == 0) {}
bool BlockingCounter::DecrementCount() {
  MutexLock lock(&lock_);
  done_ = count_.fetch_sub(1, std::memory_order_acq_rel) == 1;
  return done_;
}
void BlockingCounter::Wait() {
  MutexLock lock(&lock_);
  lock_.Await(Condition(&done_));
}

void RegisterMutexProfiler(void (*)(int64_t)) {}
void RegisterMutexTracer(void (*)(const char*, const void*, int64_t)) {}
void RegisterCondVarTracer(void (*)(const char*, const void*)) {}
void EnableMutexInvariantDebugging(bool) {}
void SetMutexDeadlockDetectionMode(OnDeadlockCycle) {}

ABSL_NAMESPACE_END
}  // namespace absl
