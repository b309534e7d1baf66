#include "tests/bench/http_load.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gangpack::bench {
namespace {

constexpr size_t kBufferBytes = 1 << 20;
constexpr std::string_view kLengthHeader = "\r\nContent-Length: ";

int64_t PercentileOf(std::vector<int64_t> values, double percent) {
  const auto last = static_cast<double>(values.size() - 1);
  const auto place = values.begin() + static_cast<ptrdiff_t>(last * percent / 100);
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

}  // namespace

void Fail(std::string_view what) {
  std::fprintf(stderr, "http_bench: %.*s (%s)\n", static_cast<int>(what.size()), what.data(),
               std::strerror(errno));
  std::exit(1);
}

BenchConnection::BenchConnection(int port) : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (fd_ < 0 || connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0) {
    Fail("cannot connect");
  }
  const int on = 1;
  setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
}

BenchConnection::~BenchConnection() {
  if (fd_ >= 0) close(fd_);
}

BenchConnection::BenchConnection(BenchConnection&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), buffer_(std::move(other.buffer_)) {}

void BenchConnection::Send(std::string_view request) {
  while (!request.empty()) {
    const ssize_t count = send(fd_, request.data(), request.size(), MSG_NOSIGNAL);
    if (count < 0) Fail("cannot send");
    request.remove_prefix(static_cast<size_t>(count));
  }
}

std::string_view BenchConnection::Receive() {
  if (buffer_.empty()) buffer_.resize(kBufferBytes);
  size_t size = 0;
  size_t expected = 0;  // Unknown while 0.
  size_t head = 0;
  while (expected == 0 || size < expected) {
    const ssize_t count = recv(fd_, buffer_.data() + size, buffer_.size() - size, 0);
    if (count <= 0) Fail("the connection ended, or the answer is larger than 1 MiB");
    size += static_cast<size_t>(count);
    if (expected != 0) continue;
    const std::string_view received(buffer_.data(), size);
    head = received.find("\r\n\r\n");
    if (head == std::string_view::npos) continue;
    head += 4;
    const size_t length = received.substr(0, head).find(kLengthHeader);
    if (!received.starts_with("HTTP/1.1 200 ") || length == std::string_view::npos) {
      Fail(std::string("not a good answer: ") + std::string(received.substr(0, 400)));
    }
    expected =
        head + static_cast<size_t>(std::atoll(buffer_.data() + length + kLengthHeader.size()));
  }
  return std::string_view(buffer_.data() + head, expected - head);
}

std::string_view BenchConnection::Call(std::string_view request) {
  Send(request);
  return Receive();
}

std::string PostRequest(std::string_view path, std::string_view body) {
  return "POST " + std::string(path) +
         " HTTP/1.1\r\nHost: 127.0.0.1:8888\r\nUser-Agent: Go-http-client/1.1\r\nContent-Length: " +
         std::to_string(body.size()) +
         "\r\nContent-Type: application/json\r\nAccept-Encoding: gzip\r\n\r\n" + std::string(body);
}

double Latencies::Percentile(double percent) const {
  std::vector<int64_t> of_rounds;
  for (const std::vector<int64_t>& round : rounds_)
    of_rounds.push_back(PercentileOf(round, percent));
  return static_cast<double>(PercentileOf(std::move(of_rounds), 50)) / 1000;
}

double Latencies::CallsPerSecond() const {
  int64_t calls = 0;
  int64_t all = 0;
  for (const std::vector<int64_t>& round : rounds_) {
    calls += static_cast<int64_t>(round.size());
    all = std::accumulate(round.begin(), round.end(), all);
  }
  return static_cast<double>(calls) * 1e9 / static_cast<double>(all);
}

void Measure(BenchConnection& connection, std::string_view request, int count, Latencies& out) {
  out.BeginRound();
  for (int i = 0; i < count; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    connection.Call(request);
    out.Add((std::chrono::steady_clock::now() - begin) / std::chrono::nanoseconds(1));
  }
}

}  // namespace gangpack::bench
