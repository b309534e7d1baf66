#include "server/http_listener.h"

#include <errno.h>
#include <fcntl.h>
#include <httplib.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "core/status_macros.h"
#include "server/call_connection.h"
#include "server/http_message.h"
#include "server/mutex.h"
#include "server/request_head.h"

namespace gangpack::server {
namespace {

// Connections past the limit that are told so at the same time; any more are just closed.
constexpr size_t kRefusedMax = 8;
// Threads beyond the connections: for accept(), for refusals, and for evicted connections on their
// way out.
constexpr size_t kExtraThreads = 1 + kRefusedMax + 16;
// A refused connection that asks nothing gives its place to the next soon.
constexpr std::chrono::milliseconds kRefusedIdleTimeout{1000};
constexpr int kAcceptRetryMs = 10;
// A caller on another host may vanish without a word: half a minute of silence, then three
// questions.
constexpr int kKeepAliveIdleS = 30;
constexpr int kKeepAliveIntervalS = 10;
constexpr int kKeepAliveProbes = 3;

void SetOption(int fd, int level, int option, int value) {
  (void)setsockopt(fd, level, option, &value, sizeof(value));  // Best effort: each is a refinement.
}

HttpAnswer CallHandler(const HttpHandler& handler, const HttpRequest& request, CallWaiter& waiter) {
  try {
    return handler(request, waiter);
  } catch (const std::exception& thrown) {
    return JsonErrorAnswer(500, thrown.what());
  }
}

}  // namespace

// The HTTP library, used for reading a request from a stream and writing the answer; the sockets
// are ours. Handlers are found by the library through regular expressions that recurse for every
// byte of the path, so the path it routes by is always "/", and its own handlers are entered with
// the real one beside it.
class HttpListener::RequestReader : private httplib::Server {
 public:
  RequestReader(const HttpListenerOptions& options, HttpHandler handler)
      : handler_(std::move(handler)) {
    set_keep_alive_timeout(options.idle_timeout.count() / 1000);
    set_keep_alive_max_count(1'000'000);  // Only announced; there is no such limit.
    const Handler handle = [this](const httplib::Request& request, httplib::Response& response) {
      Handle(request, response);
    };
    Get("/", handle);  // HEAD too.
    Post("/", handle);
    Put("/", handle);
    Patch("/", handle);
    Delete("/", handle);
    Options("/", handle);
    set_error_handler([](const httplib::Request&, httplib::Response& response) {
      if (current_->handled) return;  // The handler's own answer.
      const HttpAnswer answer = JsonErrorAnswer(response.status, "the request could not be read");
      response.set_content(answer.body, answer.content_type);
    });
  }

  // Reads the request that `connection` has received, runs the handler, and leaves the answer in
  // `connection`. False if the connection cannot be used again.
  bool Process(CallConnection& connection, bool close) {
    current_ = &connection;
    bool closed = false;
    const bool processed =
        process_request(connection, close, closed, [](httplib::Request& request) {
          current_->path = std::move(request.path);
          request.path.assign(1, '/');
        });
    current_ = nullptr;
    return processed && !closed;
  }

 private:
  void Handle(const httplib::Request& request, httplib::Response& response) {
    current_->handled = true;
    HttpAnswer answer = CallHandler(
        handler_, {request.method, current_->path, request.params, current_->body()}, *current_);
    response.status = answer.status;
    for (const auto& [name, value] : answer.headers) response.set_header(name, value);
    response.set_header("Content-Type", answer.content_type);
    response.body = std::move(answer.body);
  }

  const HttpHandler handler_;
  // The library hands its handlers no more than the request; its thread is what tells them the
  // connection.
  static thread_local CallConnection* current_;
};

thread_local CallConnection* HttpListener::RequestReader::current_ = nullptr;

absl::StatusOr<std::unique_ptr<HttpListener>> HttpListener::Start(
    const HttpListenerOptions& options, HttpHandler handler) {
  std::unique_ptr<HttpListener> listener(new HttpListener(options, std::move(handler)));
  GP_RETURN_IF_ERROR(listener->Listen());
  if (!listener->workers_.Run([raw = listener.get()] { raw->AcceptLoop(); })) {
    return absl::UnavailableError("no thread to accept connections with");
  }
  return listener;
}

HttpListener::HttpListener(const HttpListenerOptions& options, HttpHandler handler)
    : options_(options),
      bodies_(std::max(options.bodies_bytes_max, options.body_bytes_max)),
      reader_(std::make_unique<RequestReader>(options, std::move(handler))),
      workers_({.threads_max = options.connections_max + kExtraThreads,
                .stack_bytes = options.thread_stack_bytes,
                .idle_timeout = options.thread_idle_timeout}) {}

HttpListener::~HttpListener() {
  Stop();
  if (listen_fd_ >= 0) close(listen_fd_);
  if (stop_fd_ >= 0) close(stop_fd_);
}

absl::Status HttpListener::Listen() {
  const std::string where = absl::StrCat(options_.address, " port ", options_.port);
  addrinfo hints = {};
  hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (getaddrinfo(options_.address.c_str(), std::to_string(options_.port).c_str(), &hints,
                  &found) != 0) {
    return absl::InvalidArgumentError(where + ": expected a numeric address and a port");
  }
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> address(found, &freeaddrinfo);
  stop_fd_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  listen_fd_ = socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (listen_fd_ >= 0) SetOption(listen_fd_, SOL_SOCKET, SO_REUSEADDR, 1);
  sockaddr_storage bound = {};
  socklen_t bound_size = sizeof(bound);
  auto* const bound_address = reinterpret_cast<sockaddr*>(&bound);
  if (stop_fd_ < 0 || listen_fd_ < 0 ||
      bind(listen_fd_, address->ai_addr, address->ai_addrlen) != 0 ||
      listen(listen_fd_, SOMAXCONN) != 0 ||
      getsockname(listen_fd_, bound_address, &bound_size) != 0) {
    return absl::UnavailableError(absl::StrCat(where, ": ", std::string(strerror(errno))));
  }
  port_ = ntohs(bound.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6*>(&bound)->sin6_port
                                            : reinterpret_cast<sockaddr_in*>(&bound)->sin_port);
  return absl::OkStatus();
}

void HttpListener::Stop() {
  const MutexLock lock(&stop_mutex_);
  RequestStop();
  workers_.Shutdown();
}

void HttpListener::RequestStop() {
  stopping_ = true;
  if (stop_fd_ >= 0) (void)eventfd_write(stop_fd_, 1);
}

size_t HttpListener::connections() const {
  const MutexLock lock(&mutex_);
  return served_;
}

size_t HttpListener::idle_connections() const {
  const MutexLock lock(&mutex_);
  return unproven_.size() + idle_.size();
}

void HttpListener::AcceptLoop() {
  for (;;) {
    pollfd fds[] = {{listen_fd_, POLLIN, 0}, {stop_fd_, POLLIN, 0}};
    (void)poll(fds, 2, -1);
    if (stopping_) break;
    const int fd = accept4(listen_fd_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd >= 0) {
      Admit(fd);
    } else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
      // The listening socket stays readable, so this would spin until a descriptor is free again.
      {
        const MutexLock lock(&mutex_);
        EvictLongestIdle();
      }
      (void)poll(&fds[1], 1, kAcceptRetryMs);
    }
  }
  // What waits in the queue of the socket is to learn at once that nobody will come for it.
  close(std::exchange(listen_fd_, -1));
}

void HttpListener::Admit(int fd) {
  SetOption(fd, IPPROTO_TCP, TCP_NODELAY, 1);
  SetOption(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
  SetOption(fd, IPPROTO_TCP, TCP_KEEPIDLE, kKeepAliveIdleS);
  SetOption(fd, IPPROTO_TCP, TCP_KEEPINTVL, kKeepAliveIntervalS);
  SetOption(fd, IPPROTO_TCP, TCP_KEEPCNT, kKeepAliveProbes);
  bool refused = false;
  {
    const MutexLock lock(&mutex_);
    refused = served_ >= options_.connections_max && !EvictLongestIdle();
    if (refused && refused_ >= kRefusedMax) {
      close(fd);
      return;
    }
    ++(refused ? refused_ : served_);
  }
  const auto idle_timeout =
      refused ? std::min(options_.idle_timeout, kRefusedIdleTimeout) : options_.idle_timeout;
  const CallConnection::Limits limits = {options_.body_bytes_max, idle_timeout,
                                         options_.head_timeout, options_.request_timeout,
                                         options_.write_timeout};
  const auto connection = std::make_shared<Connection>(fd, stop_fd_, limits, &bodies_, refused);
  SetIdle(*connection);
  if (!workers_.Run([this, connection] {
        try {
          Serve(*connection);
        } catch (const std::exception&) {
          // The library ran out of memory, say. That costs the caller its connection and nobody
          // else anything.
        }
        Forget(*connection);
      })) {
    Forget(*connection);
  }
}

void HttpListener::Serve(Connection& connection) {
  CallConnection& stream = connection.stream;
  while (stream.AwaitRequest()) {
    const auto head = stream.ReceiveHead();
    if (!head.has_value()) return;
    if (const auto* refusal = std::get_if<RequestRefusal>(&*head)) return stream.Refuse(*refusal);
    if (connection.refused) {
      return stream.Refuse(
          {503, absl::StrCat("more than ", options_.connections_max, " connections")});
    }
    const auto& request = std::get<RequestHead>(*head);
    if (const std::optional<RequestRefusal> refusal = stream.ReceiveBody(request)) {
      if (refusal->status != 0) stream.Refuse(*refusal);
      return;
    }
    SetBusy(connection);
    const bool reusable = reader_->Process(stream, request.close || stopping_);
    if (!stream.FinishRequest() || !reusable || request.close || stopping_) return;
    SetIdle(connection);
  }
}

void HttpListener::SetIdle(Connection& connection) {
  const MutexLock lock(&mutex_);
  if (connection.refused || connection.evicted) return;
  connection.in = connection.proven ? &idle_ : &unproven_;
  connection.place = connection.in->insert(connection.in->end(), &connection);
}

void HttpListener::SetBusy(Connection& connection) {
  const MutexLock lock(&mutex_);
  connection.proven = true;
  LeaveIdle(connection);
}

void HttpListener::LeaveIdle(Connection& connection) {
  if (connection.in != nullptr) std::exchange(connection.in, nullptr)->erase(connection.place);
}

bool HttpListener::EvictLongestIdle() {
  if (unproven_.empty() && idle_.empty()) return false;
  Connection& connection = unproven_.empty() ? *idle_.front() : *unproven_.front();
  LeaveIdle(connection);
  connection.evicted = true;
  connection.stream.Evict();
  --served_;
  return true;
}

void HttpListener::Forget(Connection& connection) {
  const MutexLock lock(&mutex_);
  LeaveIdle(connection);
  if (connection.refused) {
    --refused_;
  } else if (!connection.evicted) {
    --served_;
  }
}

}  // namespace gangpack::server
