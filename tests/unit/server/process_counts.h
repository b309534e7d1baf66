// What this process holds, as /proc/self tells, and a wait for something to come true.
#ifndef GANGPACK_TESTS_UNIT_SERVER_PROCESS_COUNTS_H_
#define GANGPACK_TESTS_UNIT_SERVER_PROCESS_COUNTS_H_

#include <chrono>
#include <cstdint>
#include <thread>

namespace gangpack::server {

struct ProcessCounts {
  int64_t descriptors = 0;
  int64_t threads = 0;

  friend bool operator==(const ProcessCounts&, const ProcessCounts&) = default;
};

ProcessCounts CountProcess();

// VmRSS.
int64_t ResidentBytes();

// Far above any healthy run; false is a failed test and never a hanging one.
template <typename Condition>
bool Comes(Condition condition) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::yield();
  }
  return true;
}

}  // namespace gangpack::server

#endif  // GANGPACK_TESTS_UNIT_SERVER_PROCESS_COUNTS_H_
