// A caller of an HTTP server on this machine, as kube-scheduler is one: one request at a time on a
// connection that is kept.
//
// Ownership: owns its socket. Thread-safety: none; the benchmark has one thread.
// Errors: what goes wrong ends the program with a message, since a figure of a failed call is none.
#ifndef GANGPACK_TESTS_BENCH_HTTP_LOAD_H_
#define GANGPACK_TESTS_BENCH_HTTP_LOAD_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gangpack::bench {

// Prints the message with what errno says, and ends the program.
[[noreturn]] void Fail(std::string_view what);

class BenchConnection {
 public:
  // Connects to the port on 127.0.0.1.
  explicit BenchConnection(int port);
  ~BenchConnection();
  BenchConnection(BenchConnection&& other) noexcept;
  BenchConnection(const BenchConnection&) = delete;

  void Send(std::string_view request);
  // The body of the next answer, which must be a 200. A view until the next call.
  std::string_view Receive();
  std::string_view Call(std::string_view request);

 private:
  int fd_;
  std::vector<char> buffer_;
};

// A POST with the headers that kube-scheduler sends.
std::string PostRequest(std::string_view path, std::string_view body);

// The times of many calls, made in rounds.
class Latencies {
 public:
  void BeginRound() { rounds_.emplace_back(); }
  void Add(int64_t nanoseconds) { rounds_.back().push_back(nanoseconds); }
  // `percent` of the calls of a round took no longer; the median of all rounds, so that a moment in
  // which the machine did something else does not count. Microseconds.
  double Percentile(double percent) const;
  // Of one caller that calls without a pause.
  double CallsPerSecond() const;

 private:
  std::vector<std::vector<int64_t>> rounds_;
};

// A round of `count` calls, one after the other.
void Measure(BenchConnection& connection, std::string_view request, int count, Latencies& out);

}  // namespace gangpack::bench

#endif  // GANGPACK_TESTS_BENCH_HTTP_LOAD_H_
