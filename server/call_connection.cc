#include "server/call_connection.h"

#include <errno.h>
#include <httplib.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "server/chunked_body.h"
#include "server/held_call.h"
#include "server/http_message.h"
#include "server/request_head.h"

namespace gangpack::server {
namespace {

using std::chrono::milliseconds;

// Once the listener stops, a caller gets this long to send the rest of its request, and to take
// each part of an answer.
constexpr milliseconds kStopGrace{300};
// How long the end of an unwanted body is waited for while nothing comes.
constexpr milliseconds kLingerIdleTime{1000};

// The position behind the empty line that ends a head; npos if it has not arrived.
size_t EndOfHead(std::string_view bytes) {
  const size_t lf = bytes.find("\n\n");
  const size_t crlf = bytes.find("\n\r\n");
  if (lf == std::string_view::npos && crlf == std::string_view::npos) return lf;
  return lf < crlf ? lf + 2 : crlf + 3;
}

int PollRestarting(pollfd* fds, nfds_t count, int timeout_ms) {
  int ready;
  do {
    ready = poll(fds, count, timeout_ms);
  } while (ready < 0 && errno == EINTR);
  return ready;
}

}  // namespace

CallConnection::CallConnection(int fd, int stop_fd, const Limits& limits, BodyBudget* bodies)
    : fd_(fd), stop_fd_(stop_fd), limits_(limits), body_share_(bodies) {}

CallConnection::~CallConnection() { close(fd_); }

bool CallConnection::AwaitRequest() {
  const Clock::time_point deadline = Clock::now() + limits_.idle_timeout;
  for (int empty_line_bytes = 0;;) {
    // Empty lines before a request are allowed, and left over by careless callers.
    for (; has_buffered() && (in_[in_begin_] == '\r' || in_[in_begin_] == '\n'); ++in_begin_) {
      if (++empty_line_bytes > kEmptyLineBytesMax) return false;
    }
    if (has_buffered()) return true;
    pollfd fds[] = {{fd_, POLLIN, 0}, {stop_fd_, POLLIN, 0}};
    const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now());
    if (left.count() <= 0 || PollRestarting(fds, 2, static_cast<int>(left.count())) <= 0) {
      return false;
    }
    if (fds[0].revents == 0 || !Receive(deadline)) return false;
  }
}

std::optional<std::variant<RequestHead, RequestRefusal>> CallConnection::ReceiveHead() {
  const Clock::time_point now = Clock::now();
  request_deadline_ = now + limits_.request_timeout;
  const Clock::time_point head_deadline = std::min(request_deadline_, now + limits_.head_timeout);
  for (;;) {
    const std::string_view bytes = std::string_view(in_).substr(in_begin_);
    const size_t end = EndOfHead(bytes.substr(0, kRequestHeadBytesMax));
    if (end != std::string_view::npos) {
      auto head = ReadRequestHead(bytes.substr(0, end), limits_.body_bytes_max);
      in_begin_ += end;
      return head;
    }
    if (bytes.size() >= kRequestHeadBytesMax) {
      return RequestRefusal{431,
                            "head larger than " + std::to_string(kRequestHeadBytesMax) + " bytes"};
    }
    if (!Receive(head_deadline)) {
      if (failed_) return std::nullopt;
      return RequestRefusal{408, "the head of the request did not arrive in time"};
    }
  }
}

std::optional<RequestRefusal> CallConnection::ReceiveBody(const RequestHead& head) {
  head_ = head.text;
  head_begin_ = 0;
  handled = false;
  if (head.expects_continue && !has_buffered()) out_ += "HTTP/1.1 100 Continue\r\n\r\n";
  if (!Flush()) return NoBody();
  if (head.chunked) return ReceiveChunks();
  const auto length = static_cast<size_t>(head.content_length);
  body_.reserve(std::min(length, kBodyBytesKept));
  for (;;) {
    const size_t count = std::min(length - body_.size(), in_.size() - in_begin_);
    // What has come so far is worth the memory for the rest.
    if (body_.size() + count > kBodyBytesKept) body_.reserve(length);
    body_.append(in_, in_begin_, count);
    in_begin_ += count;
    if (auto refusal = ShareOfBody()) return refusal;
    if (body_.size() == length) return std::nullopt;
    if (!Receive(request_deadline_)) return NoBody();
  }
}

std::optional<RequestRefusal> CallConnection::ReceiveChunks() {
  ChunkedBody chunks(limits_.body_bytes_max);
  for (;;) {
    std::string_view bytes = std::string_view(in_).substr(in_begin_);
    const ChunkedBody::Progress progress = chunks.Take(bytes, body_);
    in_begin_ = in_.size() - bytes.size();
    if (auto refusal = ShareOfBody()) return refusal;
    switch (progress) {
      case ChunkedBody::Progress::kDone:
        return std::nullopt;
      case ChunkedBody::Progress::kMalformed:
        return RequestRefusal{
            400, "body: expected chunks, each its size in hexadecimal, its bytes and CR LF"};
      case ChunkedBody::Progress::kTooLarge:
        return RequestRefusal{
            413, "body larger than " + std::to_string(limits_.body_bytes_max) + " bytes"};
      case ChunkedBody::Progress::kNeedsMore:
        if (!Receive(request_deadline_)) return NoBody();
    }
  }
}

std::optional<RequestRefusal> CallConnection::ShareOfBody() {
  if (body_share_.Grow(static_cast<int64_t>(body_.size()))) return std::nullopt;
  return RequestRefusal{503, "no memory is left for a large body: too many come at once"};
}

void CallConnection::ReleaseBody() {
  body_.clear();
  if (body_.capacity() > kBodyBytesKept) body_.shrink_to_fit();
  body_share_.Release();
}

RequestRefusal CallConnection::NoBody() const {
  if (failed_) return {0, ""};
  return {408, "the body of the request did not arrive in time"};
}

bool CallConnection::FinishRequest() {
  ReleaseBody();
  return Flush() && handled;
}

void CallConnection::Refuse(const RequestRefusal& refusal) {
  ReleaseBody();
  const HttpAnswer answer = JsonErrorAnswer(refusal.status, refusal.message);
  const std::string status = std::to_string(refusal.status);
  out_ += "HTTP/1.1 " + status + " " + std::string(ReasonPhrase(refusal.status)) +
          "\r\nConnection: close\r\nContent-Type: " + answer.content_type +
          "\r\nContent-Length: " + std::to_string(answer.body.size()) + "\r\n\r\n" + answer.body;
  // Who was too slow has had its time.
  if (Flush()) Linger(refusal.status == 408 ? kLingerIdleTime : limits_.linger_time);
}

void CallConnection::Linger(milliseconds time) {
  shutdown(fd_, SHUT_WR);
  const Clock::time_point deadline = Clock::now() + time;
  // Who never ceases to send makes no Receive() wait, where deadline and stop would be seen.
  for (Clock::time_point now = Clock::now(); now < deadline && !IsStopping(); now = Clock::now()) {
    in_.clear();
    in_begin_ = 0;
    if (!Receive(std::min(deadline, now + kLingerIdleTime))) return;
  }
}

bool CallConnection::IsStopping() const {
  pollfd stop = {stop_fd_, POLLIN, 0};
  return PollRestarting(&stop, 1, 0) > 0;
}

void CallConnection::Evict() {
  evicted_ = true;
  shutdown(fd_, SHUT_RD);
}

bool CallConnection::IsEvictedForGood() {
  if (!evicted_) return false;
  const Clock::time_point now = Clock::now();
  if (!evicted_deadline_.has_value()) evicted_deadline_ = now + limits_.evicted_grace;
  return now >= *evicted_deadline_;
}

HoldEnd CallConnection::Wait(HeldCall& call) {
  ReleaseBuffers();
  // Only the end of the stream is asked for: that a further request has arrived is no reason to
  // wake.
  pollfd fds[] = {{fd_, POLLRDHUP, 0}, {call.answered_fd(), POLLIN, 0}, {stop_fd_, POLLIN, 0}};
  PollRestarting(fds, 3, -1);
  if (fds[1].revents != 0 || !call.Abandon()) return HoldEnd::kAnswered;
  if (fds[0].revents != 0) {
    failed_ = true;
    return HoldEnd::kHungUp;
  }
  return HoldEnd::kStopping;
}

void CallConnection::ReleaseBuffers() {
  in_.erase(0, in_begin_);
  in_begin_ = 0;
  in_.shrink_to_fit();
  // The handler still has views of the body.
}

ssize_t CallConnection::read(char* ptr, size_t size) {
  const size_t count = std::min(size, head_.size() - head_begin_);
  std::memcpy(ptr, head_.data() + head_begin_, count);
  head_begin_ += count;
  return static_cast<ssize_t>(count);
}

ssize_t CallConnection::write(const char* ptr, size_t size) {
  if (size > kBufferBytes) {  // It goes out from where it is, behind what was collected.
    if (!Flush() || !Send({ptr, size})) return -1;
    return static_cast<ssize_t>(size);
  }
  out_.append(ptr, size);
  return static_cast<ssize_t>(size);
}

void CallConnection::get_remote_ip_and_port(std::string& ip, int& port) const {
  ip.clear();
  port = 0;
}

void CallConnection::get_local_ip_and_port(std::string& ip, int& port) const {
  ip.clear();
  port = 0;
}

bool CallConnection::AwaitSocket(short events, Clock::time_point deadline) {
  bool stop_seen = false;
  if (events == POLLIN && stop_deadline_.has_value()) {
    stop_seen = true;
    deadline = std::min(deadline, *stop_deadline_);
  }
  for (;;) {
    const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now());
    if (left.count() <= 0) return false;
    pollfd fds[] = {{fd_, events, 0}, {stop_seen ? -1 : stop_fd_, POLLIN, 0}};
    const int ready = PollRestarting(fds, 2, static_cast<int>(left.count()));
    if (ready <= 0) return false;
    if (fds[0].revents != 0) return true;
    stop_seen = true;
    const Clock::time_point stop_deadline = Clock::now() + kStopGrace;
    if (events == POLLIN) stop_deadline_ = stop_deadline;
    deadline = std::min(deadline, stop_deadline);
  }
}

bool CallConnection::Receive(Clock::time_point deadline) {
  if (IsEvictedForGood()) {
    failed_ = true;
    return false;
  }
  in_.erase(0, in_begin_);
  in_begin_ = 0;
  const size_t kept = in_.size();
  in_.resize(kept + kBufferBytes);
  ssize_t count;
  bool timed_out = false;
  for (;;) {
    count = recv(fd_, in_.data() + kept, kBufferBytes, 0);
    if (count >= 0 || (errno != EINTR && errno != EAGAIN)) break;
    if (errno == EAGAIN && !AwaitSocket(POLLIN, deadline)) {
      timed_out = true;
      break;
    }
  }
  in_.resize(kept + static_cast<size_t>(std::max<ssize_t>(count, 0)));
  if (count > 0) return true;
  if (!timed_out) failed_ = true;  // Closed or broken.
  return false;
}

bool CallConnection::Send(std::string_view bytes) {
  while (!failed_ && !bytes.empty()) {
    const ssize_t count = send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count >= 0) {
      bytes.remove_prefix(static_cast<size_t>(count));
    } else if (errno == EAGAIN) {
      failed_ = !AwaitSocket(POLLOUT, Clock::now() + limits_.write_timeout);
    } else if (errno != EINTR) {
      failed_ = true;
    }
  }
  return !failed_;
}

bool CallConnection::Flush() {
  if (out_.empty()) return !failed_;
  const bool sent = Send(out_);
  out_.clear();
  return sent;
}

}  // namespace gangpack::server
