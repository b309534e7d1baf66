// A listening HTTP/1.1 socket whose handlers may hold their calls: each connection has a thread of
// its own while it lives, and a handler learns at once that its caller hung up.
//
// Terms: a connection is idle while it waits for its caller: between two requests, and until a
// request that has begun has arrived as a whole.
// Invariants: (1) at most `connections_max` connections are served; past that the longest idle one
// is closed, of those that never sent a whole request if there is any, so that strangers who send
// slowly or nothing cannot crowd out a caller that works; if no one is idle the new one is answered
// 503. (2) Every answer has a Content-Length
// and leaves in as few segments as it can, with TCP_NODELAY. (3) After Stop() every thread and
// descriptor is gone.
// Ownership: owns its sockets and threads. What the handler refers to must outlive Stop().
// Thread-safety: Stop() and the counters from any thread that is not a handler's. The handler is
// called by many threads at once.
// Errors: Start() alone reports any. What a caller does wrong is answered to the caller, as JSON.
// Limits: a request that cannot be read is answered 400, 408, 413, 414, 415, 417, 431, 501, 503 or
// 505 and its connection closed.
// Process-wide: SIGPIPE is ignored from the first Start() on; threads here take no signals but
// those of their own faults.
// Not here: paths and verbs (http_server.h).
#ifndef GANGPACK_SERVER_HTTP_LISTENER_H_
#define GANGPACK_SERVER_HTTP_LISTENER_H_

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/body_budget.h"
#include "server/call_connection.h"
#include "server/http_message.h"
#include "server/mutex.h"
#include "server/worker_pool.h"

namespace gangpack::server {

struct HttpListenerOptions {
  std::string address = "127.0.0.1";  // A numeric IPv4 or IPv6 address.
  int port = 0;                       // 0: any free one.
  size_t connections_max = 64;
  int64_t body_bytes_max = 64 * 1024 * 1024;
  // Of all bodies at once, without the first MiB of each; body_bytes_max at least.
  int64_t bodies_bytes_max = 256 * 1024 * 1024;
  // Longer than the 90 s after which kube-scheduler itself closes an idle connection, so that it
  // never writes into one that is just being closed here.
  std::chrono::milliseconds idle_timeout{120'000};
  std::chrono::milliseconds head_timeout{10'000};     // For request line and headers, once begun.
  std::chrono::milliseconds request_timeout{30'000};  // For all of it, to the end of the body.
  std::chrono::milliseconds write_timeout{10'000};    // For each part of an answer to be taken.
  std::chrono::milliseconds thread_idle_timeout{10'000};
  size_t thread_stack_bytes = 512 * 1024;
};

class HttpListener {
 public:
  // Errors: kInvalidArgument for an address that is not numeric, kUnavailable if it cannot be
  // listened on.
  static absl::StatusOr<std::unique_ptr<HttpListener>> Start(const HttpListenerOptions& options,
                                                             HttpHandler handler);
  ~HttpListener();
  HttpListener(const HttpListener&) = delete;
  HttpListener& operator=(const HttpListener&) = delete;

  int port() const { return port_; }

  // Accepts nothing more, closes idle connections, ends waits with HoldEnd::kStopping, lets running
  // handlers answer, and returns when all of them have.
  void Stop();
  // The beginning of Stop(), which then has less to wait for.
  void RequestStop();

  size_t connections() const;
  size_t idle_connections() const;
  size_t threads() const { return workers_.threads(); }

 private:
  class RequestReader;

  // A connection from accept() to close().
  struct Connection {
    Connection(int fd, int stop_fd, const CallConnection::Limits& limits, BodyBudget* bodies,
               bool refused)
        : stream(fd, stop_fd, limits, bodies), refused(refused) {}

    CallConnection stream;
    const bool refused;  // Past connections_max: it is told so and closed.
    // Guarded by mutex_.
    bool proven = false;                   // Sent a whole request.
    bool evicted = false;                  // It no longer counts.
    std::list<Connection*>* in = nullptr;  // Where it is while it is idle.
    std::list<Connection*>::iterator place;
  };

  HttpListener(const HttpListenerOptions& options, HttpHandler handler);
  absl::Status Listen();
  void AcceptLoop();
  void Admit(int fd);
  void Serve(Connection& connection);
  void SetIdle(Connection& connection);
  void SetBusy(Connection& connection);
  void LeaveIdle(Connection& connection) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool EvictLongestIdle() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Forget(Connection& connection);

  const HttpListenerOptions options_;
  BodyBudget bodies_;
  std::unique_ptr<RequestReader> reader_;
  int listen_fd_ = -1;
  int stop_fd_ = -1;
  int port_ = 0;
  std::atomic<bool> stopping_{false};
  Mutex stop_mutex_;  // One Stop() at a time.

  mutable Mutex mutex_;
  // The longest idle first.
  std::list<Connection*> unproven_ ABSL_GUARDED_BY(mutex_);
  std::list<Connection*> idle_ ABSL_GUARDED_BY(mutex_);
  size_t served_ ABSL_GUARDED_BY(mutex_) = 0;  // Neither refused nor evicted.
  size_t refused_ ABSL_GUARDED_BY(mutex_) = 0;

  WorkerPool workers_;
};

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_HTTP_LISTENER_H_
