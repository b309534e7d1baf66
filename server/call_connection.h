// One accepted TCP connection: the byte stream the HTTP library reads and writes, and the place
// where a handler waits for its answer or for the caller to hang up.
//
// Ownership: owns the socket; `stop_fd` (readable for ever once the listener is stopping) belongs
// to the listener.
// Thread-safety: one serving thread; Evict() alone may be called from another.
// Errors: a stream that failed says so once and the connection is closed; nothing is thrown.
// Cost: what is written is sent as one segment where it fits; one buffer of kBufferBytes each way,
// none while a call is held.
// Not here: which connections there are (http_listener.h), what a request means.
#ifndef GANGPACK_SERVER_CALL_CONNECTION_H_
#define GANGPACK_SERVER_CALL_CONNECTION_H_

#include <httplib.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "server/body_budget.h"
#include "server/held_call.h"
#include "server/http_message.h"
#include "server/request_head.h"

namespace gangpack::server {

class CallConnection final : public httplib::Stream, public CallWaiter {
 public:
  struct Limits {
    int64_t body_bytes_max = 0;
    std::chrono::milliseconds idle_timeout{0};     // Between two requests.
    std::chrono::milliseconds head_timeout{0};     // From the first byte of a request to its body.
    std::chrono::milliseconds request_timeout{0};  // From the first byte of a request to its last.
    std::chrono::milliseconds write_timeout{0};    // Without any byte going out.
    // How long a body that nobody wants is read, so that the caller gets to the answer.
    std::chrono::milliseconds linger_time{5000};
    std::chrono::milliseconds evicted_grace{300};  // To send the rest once evicted.
  };
  static constexpr int kEmptyLineBytesMax = 1024;  // Before a request.

  // Takes `fd`, a non-blocking socket. `bodies` must outlive it.
  CallConnection(int fd, int stop_fd, const Limits& limits, BodyBudget* bodies);
  ~CallConnection() override;
  CallConnection(const CallConnection&) = delete;
  CallConnection& operator=(const CallConnection&) = delete;

  // Blocks until a request begins. False if none will: closed, idle for too long, evicted or
  // stopping.
  bool AwaitRequest();
  // Receives the head of the request that has begun. Nothing if the caller went away.
  std::optional<std::variant<RequestHead, RequestRefusal>> ReceiveHead();
  // Receives the body, and makes the library read the request from now on. Nothing if all is well,
  // else what the caller is to be told; status 0 if it went away.
  std::optional<RequestRefusal> ReceiveBody(const RequestHead& head);
  // Sends what was written. False if the connection is of no further use.
  bool FinishRequest();
  // Sends a whole answer without the library, as the last one on this connection.
  void Refuse(const RequestRefusal& refusal);

  // Ends AwaitRequest(); a request that has already arrived is still served, and one that is
  // arriving as far as it comes soon.
  void Evict();

  std::string_view body() const { return body_; }

  // Belong to whoever runs the library: the path of the request while it is routed by another, and
  // whether its handler was reached.
  std::string path;
  bool handled = false;

  HoldEnd Wait(HeldCall& call) override;

  bool is_readable() const override { return true; }
  bool is_writable() const override { return !failed_; }
  ssize_t read(char* ptr, size_t size) override;
  ssize_t write(const char* ptr, size_t size) override;
  using httplib::Stream::write;
  // The addresses would cost two system calls a request, and no handler asks for them.
  void get_remote_ip_and_port(std::string& ip, int& port) const override;
  void get_local_ip_and_port(std::string& ip, int& port) const override;
  socket_t socket() const override { return fd_; }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr size_t kBufferBytes = 16 * 1024;
  // Of memory, between two requests.
  static constexpr auto kBodyBytesKept = static_cast<size_t>(BodyBudget::kFreeBytes);

  bool has_buffered() const { return in_begin_ < in_.size(); }
  // Waits for `events` on the socket. False at the deadline; a stop brings that near, once and for
  // all where it waits for the caller to send.
  bool AwaitSocket(short events, Clock::time_point deadline);
  // Appends what has arrived to in_. False at the end of the stream, on an error, and at the
  // deadline.
  bool Receive(Clock::time_point deadline);
  bool Send(std::string_view bytes);
  bool Flush();
  std::optional<RequestRefusal> ReceiveChunks();
  // After the body has grown. Nothing if there is memory for it.
  std::optional<RequestRefusal> ShareOfBody();
  void ReleaseBody();
  // What comes of a Receive() for the body that failed.
  RequestRefusal NoBody() const;
  // Gives memory back that a held call has no use for.
  void ReleaseBuffers();
  // Reads on for a while, or the connection would be reset for what the caller still sends, and the
  // answer lost with it.
  void Linger(std::chrono::milliseconds time);
  bool IsStopping() const;
  // Whether the connection was evicted too long ago to receive more. Who never ceases to send could
  // otherwise go on, since what has arrived can be received after Evict() as before.
  bool IsEvictedForGood();

  const int fd_;
  const int stop_fd_;
  const Limits limits_;
  std::string in_;  // Received; from in_begin_ on not yet consumed.
  size_t in_begin_ = 0;
  std::string out_;
  std::string head_;  // The rewritten head, from head_begin_ on not yet read by the library.
  size_t head_begin_ = 0;
  std::string body_;
  BodyShare body_share_;
  bool failed_ = false;
  Clock::time_point request_deadline_;
  std::optional<Clock::time_point> stop_deadline_;
  std::atomic<bool> evicted_ = false;
  std::optional<Clock::time_point> evicted_deadline_;
};

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_CALL_CONNECTION_H_
