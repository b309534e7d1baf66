// The memory for large bodies that the connections of a listener share.
//
// Why: each body has its limit, but as many connections as there may be times that limit is more
// than a machine has.
// Terms: the first kFreeBytes of each body cost nothing, so that calls with names alone are never
// refused for the large bodies of others.
// Invariant: what all shares hold together is at most the budget.
// Ownership: the budget must outlive its shares. A share gives back what it holds when it goes.
// Thread-safety: the budget from any thread; a share from one at a time.
// Cost: O(1); lock-free.
#ifndef GANGPACK_SERVER_BODY_BUDGET_H_
#define GANGPACK_SERVER_BODY_BUDGET_H_

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace gangpack::server {

class BodyBudget {
 public:
  static constexpr int64_t kFreeBytes = 1024 * 1024;

  explicit BodyBudget(int64_t bytes) : left_(bytes) {}

  int64_t bytes_left() const { return left_; }

 private:
  friend class BodyShare;

  std::atomic<int64_t> left_;
};

class BodyShare {
 public:
  explicit BodyShare(BodyBudget* budget) : budget_(*budget) {}
  ~BodyShare() { Release(); }
  BodyShare(const BodyShare&) = delete;
  BodyShare& operator=(const BodyShare&) = delete;

  // Makes the share that of a body which has grown to `bytes`. False, and nothing has changed, if
  // that is not left.
  bool Grow(int64_t bytes) {
    const int64_t more = std::max<int64_t>(bytes - BodyBudget::kFreeBytes - held_, 0);
    int64_t left = budget_.left_;
    do {
      if (left < more) return false;
    } while (!budget_.left_.compare_exchange_weak(left, left - more));
    held_ += more;
    return true;
  }

  void Release() {
    budget_.left_ += held_;
    held_ = 0;
  }

 private:
  BodyBudget& budget_;
  int64_t held_ = 0;
};

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_BODY_BUDGET_H_
