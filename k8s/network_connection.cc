#include "k8s/network_connection.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/x509_vfy.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "core/status_macros.h"

namespace gangpack::k8s {
namespace {

constexpr size_t kMaxProxyAnswerBytes = 16 * 1024;

absl::Status ErrnoStatus(int error) { return absl::UnavailableError(std::strerror(error)); }

// A peer that vanished without a word is noticed after some 30 s, while one that merely has nothing
// to say stays connected.
void SetSocketOptions(int socket) {
  const auto set = [socket](int level, int option, int value) {
    setsockopt(socket, level, option, &value, sizeof(value));
  };
  set(IPPROTO_TCP, TCP_NODELAY, 1);
  set(SOL_SOCKET, SO_KEEPALIVE, 1);
  set(IPPROTO_TCP, TCP_KEEPIDLE, 15);
  set(IPPROTO_TCP, TCP_KEEPINTVL, 5);
  set(IPPROTO_TCP, TCP_KEEPCNT, 3);
}

}  // namespace

NetworkConnection::~NetworkConnection() { Close(); }

void NetworkConnection::Close() {
  CloseTls();
  if (owned_ && socket_ >= 0) close(socket_);
  socket_ = -1;
}

void NetworkConnection::CloseTls() {
  if (ssl_ == nullptr) return;
  ERR_clear_error();
  SSL_shutdown(ssl_);
  ERR_clear_error();
  SSL_free(ssl_);
  ssl_ = nullptr;
}

void NetworkConnection::SetLimits(const Limits& limits) {
  limits_ = limits;
  end_ = limits.total >= absl::Hours(24 * 365)
             ? SteadyTime::max()
             : std::chrono::steady_clock::now() + absl::ToChronoMilliseconds(limits.total);
  has_received_ = false;
}

absl::Status NetworkConnection::Connect(const NetworkTarget& target, const TlsContext* tls,
                                        absl::Duration limit) {
  Close();
  owned_ = true;
  const Limits later = limits_;
  const SteadyTime later_end = end_;
  SetLimits({limit, std::min(limit, limits_.total), limits_.signal});
  const Url& first_hop = target.proxy.has_value() ? *target.proxy : target.url;
  absl::Status status = ConnectTcp(first_hop);
  if (status.ok() && target.proxy.has_value()) {
    status = ConnectThroughProxy(*target.proxy, target.url);
  }
  if (status.ok() && tls != nullptr) {
    status =
        StartTls(*tls, target.tls_server_name.empty() ? target.url.host : target.tls_server_name);
  }
  limits_ = later;
  end_ = later_end;
  has_received_ = false;
  if (!status.ok()) Close();
  return status;
}

absl::Status NetworkConnection::ConnectTcp(const Url& url) {
  addrinfo hints = {};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int error = getaddrinfo(url.host.c_str(), std::to_string(url.port).c_str(), &hints, &found);
  if (error != 0) {
    return absl::UnavailableError(
        absl::StrCat("the name ", url.host, " is not known: ", gai_strerror(error)));
  }
  absl::Status status;
  for (const addrinfo* address = found; address != nullptr; address = address->ai_next) {
    status = ConnectTo(*address);
    if (status.ok() || absl::IsCancelled(status) || absl::IsDeadlineExceeded(status)) break;
  }
  freeaddrinfo(found);
  return status;
}

absl::Status NetworkConnection::ConnectTo(const addrinfo& address) {
  if (socket_ >= 0) close(socket_);
  socket_ = ::socket(address.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (socket_ < 0) return ErrnoStatus(errno);
  SetSocketOptions(socket_);
  if (connect(socket_, address.ai_addr, address.ai_addrlen) == 0) return absl::OkStatus();
  if (errno != EINPROGRESS) return ErrnoStatus(errno);
  GP_RETURN_IF_ERROR(Wait(POLLOUT));
  int error = 0;
  socklen_t size = sizeof(error);
  getsockopt(socket_, SOL_SOCKET, SO_ERROR, &error, &size);
  return error == 0 ? absl::OkStatus() : ErrnoStatus(error);
}

absl::Status NetworkConnection::ConnectThroughProxy(const Url& proxy, const Url& url) {
  std::string request =
      absl::StrCat("CONNECT ", url.Authority(), " HTTP/1.1\r\nHost: ", url.Authority(), "\r\n");
  if (!proxy.user_info.empty()) {
    absl::StrAppend(&request, "Proxy-Authorization: Basic ", absl::Base64Escape(proxy.user_info),
                    "\r\n");
  }
  GP_RETURN_IF_ERROR(Write(absl::StrCat(request, "\r\n")));
  // The server speaks only after the client, so nothing follows the head of the answer.
  std::string answer;
  while (!absl::StrContains(answer, "\r\n\r\n")) {
    char bytes[1024];
    GP_ASSIGN_OR_RETURN(const size_t size, Read(bytes, sizeof(bytes)));
    answer.append(bytes, size);
    if (size == 0 || answer.size() > kMaxProxyAnswerBytes) break;
  }
  int status = 0;
  const bool is_http = absl::StartsWith(answer, "HTTP/1.") && answer.size() > 12 &&
                       absl::SimpleAtoi(answer.substr(9, 3), &status);
  if (is_http && status == 200) return absl::OkStatus();
  return absl::UnavailableError(
      absl::StrCat("the proxy ", proxy.Authority(), " does not connect: ",
                   is_http ? answer.substr(9, answer.find("\r\n") - 9) : "its answer is not HTTP"));
}

absl::Status NetworkConnection::StartTls(const TlsContext& tls, const std::string& server_name) {
  ERR_clear_error();
  ssl_ = tls.NewClient(server_name);
  if (ssl_ == nullptr || SSL_set_fd(ssl_, socket_) != 1) {
    return absl::UnavailableError(absl::StrCat("TLS: ", TakeOpensslError()));
  }
  while (true) {
    ERR_clear_error();
    const int result = SSL_do_handshake(ssl_);
    if (result == 1) return absl::OkStatus();
    const int error = SSL_get_error(ssl_, result);
    if (error != SSL_ERROR_WANT_READ && error != SSL_ERROR_WANT_WRITE) {
      return HandshakeError(error);
    }
    GP_RETURN_IF_ERROR(WaitForTls(error));
  }
}

absl::Status NetworkConnection::HandshakeError(int ssl_error) const {
  const long verified = SSL_get_verify_result(ssl_);
  if (verified != X509_V_OK) {
    return absl::UnavailableError(absl::StrCat("the certificate of the server is not trusted: ",
                                               X509_verify_cert_error_string(verified)));
  }
  if (ssl_error == SSL_ERROR_SYSCALL && ERR_peek_error() == 0) {
    return absl::UnavailableError("the server closed the connection during the TLS handshake");
  }
  const bool no_tls = ERR_GET_REASON(ERR_peek_error()) == SSL_R_WRONG_VERSION_NUMBER;
  return absl::UnavailableError(absl::StrCat("TLS handshake: ", TakeOpensslError(),
                                             no_tls ? " (a server without TLS?)" : ""));
}

absl::StatusOr<size_t> NetworkConnection::Read(char* bytes, size_t size) {
  while (true) {
    if (ssl_ == nullptr) {
      const ssize_t count = recv(socket_, bytes, size, 0);
      if (count > 0) has_received_ = true;
      if (count >= 0) return static_cast<size_t>(count);
      if (errno == EINTR) continue;
      if (errno != EAGAIN && errno != EWOULDBLOCK) return ErrnoStatus(errno);
      GP_RETURN_IF_ERROR(Wait(POLLIN));
      continue;
    }
    ERR_clear_error();
    size_t count = 0;
    if (SSL_read_ex(ssl_, bytes, size, &count) == 1) {
      has_received_ = true;
      return count;
    }
    const int error = SSL_get_error(ssl_, 0);
    if (error == SSL_ERROR_ZERO_RETURN) return size_t{0};
    GP_RETURN_IF_ERROR(WaitForTls(error));
  }
}

absl::Status NetworkConnection::Write(absl::string_view bytes) {
  while (!bytes.empty()) {
    if (ssl_ == nullptr) {
      const ssize_t count = send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (count >= 0) {
        bytes.remove_prefix(static_cast<size_t>(count));
      } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
        GP_RETURN_IF_ERROR(Wait(POLLOUT));
      } else if (errno != EINTR) {
        return ErrnoStatus(errno);
      }
      continue;
    }
    ERR_clear_error();
    size_t count = 0;
    if (SSL_write_ex(ssl_, bytes.data(), bytes.size(), &count) == 1) {
      bytes.remove_prefix(count);
      continue;
    }
    GP_RETURN_IF_ERROR(WaitForTls(SSL_get_error(ssl_, 0)));
  }
  return absl::OkStatus();
}

absl::Status NetworkConnection::WaitForTls(int ssl_error) {
  switch (ssl_error) {
    case SSL_ERROR_WANT_READ:
      return Wait(POLLIN);
    case SSL_ERROR_WANT_WRITE:
      return Wait(POLLOUT);
    case SSL_ERROR_SYSCALL:
      return absl::UnavailableError(errno != 0 ? std::strerror(errno)
                                               : "the server cut the connection off");
    default:
      return absl::UnavailableError(absl::StrCat("TLS: ", TakeOpensslError()));
  }
}

absl::Status NetworkConnection::Wait(short events) {
  const SteadyTime start = std::chrono::steady_clock::now();
  const SteadyTime silence_end = start + absl::ToChronoMilliseconds(limits_.silence);
  const SteadyTime end = std::min(silence_end, end_);
  while (true) {
    if (limits_.signal != nullptr && limits_.signal->cancelled()) {
      return absl::CancelledError("cancelled");
    }
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    if (left.count() <= 0) {
      return absl::DeadlineExceededError(
          end == silence_end
              ? absl::StrCat("nothing came for ", absl::FormatDuration(limits_.silence))
              : absl::StrCat("no end after ", absl::FormatDuration(limits_.total)));
    }
    pollfd polled[2] = {{socket_, events, 0},
                        {limits_.signal == nullptr ? -1 : limits_.signal->fd(), POLLIN, 0}};
    const int wait_ms = static_cast<int>(std::min<int64_t>(left.count(), 3'600'000));
    const int ready = poll(polled, 2, wait_ms);
    if (ready < 0 && errno != EINTR) return ErrnoStatus(errno);
    if (ready > 0 && polled[0].revents != 0 && polled[1].revents == 0) return absl::OkStatus();
  }
}

bool NetworkConnection::IsIdle() const {
  if (socket_ < 0 || (ssl_ != nullptr && SSL_pending(ssl_) > 0)) return false;
  pollfd polled = {socket_, POLLIN, 0};
  return poll(&polled, 1, 0) == 0;
}

}  // namespace gangpack::k8s
