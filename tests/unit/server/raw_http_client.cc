#include "tests/unit/server/raw_http_client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/ascii.h"

namespace gangpack::server {
namespace {

constexpr int kDeadlineMs = 30'000;

}  // namespace

std::string PostText(std::string_view path, std::string_view body) {
  return "POST " + std::string(path) +
         " HTTP/1.1\r\nHost: x\r\nUser-Agent: Go-http-client/1.1\r\nContent-Length: " +
         std::to_string(body.size()) +
         "\r\nContent-Type: application/json\r\nAccept-Encoding: gzip\r\n\r\n" + std::string(body);
}

std::string GetText(std::string_view path) {
  return "GET " + std::string(path) + " HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n";
}

RawHttpClient::RawHttpClient(int port) : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0) HangUp();
}

RawHttpClient::~RawHttpClient() { HangUp(); }

RawHttpClient::RawHttpClient(RawHttpClient&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), received_(std::move(other.received_)) {}

bool RawHttpClient::Send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count < 0) return false;
    bytes.remove_prefix(static_cast<size_t>(count));
  }
  return true;
}

bool RawHttpClient::Fill() {
  pollfd readable = {fd_, POLLIN, 0};
  if (poll(&readable, 1, kDeadlineMs) <= 0) return false;
  char bytes[16384];
  const ssize_t count = recv(fd_, bytes, sizeof(bytes), 0);
  if (count <= 0) return false;
  received_.append(bytes, static_cast<size_t>(count));
  return true;
}

RawAnswer RawHttpClient::ReadHead() {
  RawAnswer answer;
  size_t end;
  while ((end = received_.find("\r\n\r\n")) == std::string::npos) {
    if (!Fill()) return answer;
  }
  const std::string head = received_.substr(0, end + 2);
  received_.erase(0, end + 4);
  size_t line = head.find("\r\n") + 2;
  while (line < head.size()) {
    const size_t line_end = head.find("\r\n", line);
    const size_t colon = head.find(": ", line);
    answer.headers[absl::AsciiStrToLower(head.substr(line, colon - line))] =
        head.substr(colon + 2, line_end - colon - 2);
    line = line_end + 2;
  }
  answer.status = std::atoi(head.substr(9, 3).c_str());
  answer.reason = head.substr(13, head.find("\r\n") - 13);
  return answer;
}

RawAnswer RawHttpClient::ReceiveHead() { return ReadHead(); }

RawAnswer RawHttpClient::Receive() {
  RawAnswer answer = ReadHead();
  const size_t length = static_cast<size_t>(std::atoll(answer.headers["content-length"].c_str()));
  while (received_.size() < length) {
    if (!Fill()) return RawAnswer();
  }
  answer.body = received_.substr(0, length);
  received_.erase(0, length);
  return answer;
}

RawAnswer RawHttpClient::Call(std::string_view request) {
  return Send(request) ? Receive() : RawAnswer();
}

RawAnswer RawHttpClient::Post(std::string_view path, std::string_view body) {
  return Call(PostText(path, body));
}

RawAnswer RawHttpClient::Get(std::string_view path) { return Call(GetText(path)); }

bool RawHttpClient::SeesEnd() {
  if (!received_.empty()) return false;
  pollfd readable = {fd_, POLLIN, 0};
  if (poll(&readable, 1, kDeadlineMs) <= 0) return false;
  char byte;
  return recv(fd_, &byte, 1, 0) <= 0;
}

void RawHttpClient::HangUp() {
  if (fd_ >= 0) close(std::exchange(fd_, -1));
}

void RawHttpClient::EndSending() { shutdown(fd_, SHUT_WR); }

std::string RawHttpClient::ReceiveBytes(size_t count) {
  while (received_.size() < count && Fill()) {
  }
  const std::string bytes = received_.substr(0, count);
  received_.erase(0, bytes.size());
  return bytes;
}

void RawHttpClient::Reset() {
  const linger at_once = {1, 0};
  setsockopt(fd_, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
  HangUp();
}

}  // namespace gangpack::server
