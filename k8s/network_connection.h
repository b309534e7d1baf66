// A TCP connection to one server, with TLS where it has that, through an HTTP proxy where there is
// one. Every wait ends at its time limit or when it is cancelled.
//
// Errors, all of one line: kCancelled; kDeadlineExceeded for a limit that passed; kUnavailable for
// the rest, such as "connection refused" or a certificate that is not trusted. After an error the
// connection is of no further use.
// Ownership: owns its socket until ReleaseSocket(). Not thread-safe; the signal may be raised from
// any thread.
// Process-wide: a socket that the peer has closed must not raise SIGPIPE, so https_transport.h
// ignores that signal.
// Not here: HTTP (http_connection.h).

#ifndef GANGPACK_K8S_NETWORK_CONNECTION_H_
#define GANGPACK_K8S_NETWORK_CONNECTION_H_

#include <netdb.h>
#include <openssl/ssl.h>

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "k8s/cancel_signal.h"
#include "k8s/tls_context.h"
#include "k8s/url.h"

namespace gangpack::k8s {

struct NetworkTarget {
  Url url;
  std::string tls_server_name;  // Expected in the certificate; empty: the host of the URL.
  std::optional<Url> proxy;     // An HTTP proxy, for https alone.
};

class NetworkConnection {
 public:
  // What limits the waits from here on. `signal` must outlive them.
  struct Limits {
    absl::Duration silence;  // The longest wait for one read or write.
    absl::Duration total;    // For all waits together, from SetLimits on.
    const CancelSignal* signal = nullptr;
  };

  NetworkConnection() = default;
  ~NetworkConnection();
  NetworkConnection(const NetworkConnection&) = delete;
  NetworkConnection& operator=(const NetworkConnection&) = delete;

  void SetLimits(const Limits& limits);

  // Name lookup has the limits of the system's resolver and cannot be cancelled. `tls` is null for
  // http. `limit` is for all of the rest.
  absl::Status Connect(const NetworkTarget& target, const TlsContext* tls, absl::Duration limit);

  // At least one byte, or 0 where the peer has closed in order.
  absl::StatusOr<size_t> Read(char* bytes, size_t size);
  absl::Status Write(absl::string_view bytes);

  // Nothing has come unasked, which would be the end of the connection.
  bool IsIdle() const;

  // Whether Read has returned any byte since the last SetLimits.
  bool has_received() const { return has_received_; }

  int socket() const { return socket_; }
  // From here on someone else closes the socket, after CloseTls().
  void ReleaseSocket() { owned_ = false; }
  // Tells the peer, without waiting for its answer.
  void CloseTls();

 private:
  using SteadyTime = std::chrono::steady_clock::time_point;

  absl::Status ConnectTcp(const Url& url);
  absl::Status ConnectTo(const addrinfo& address);
  absl::Status ConnectThroughProxy(const Url& proxy, const Url& url);
  absl::Status StartTls(const TlsContext& tls, const std::string& server_name);
  absl::Status HandshakeError(int ssl_error) const;
  // Until the socket has one of `events`.
  absl::Status Wait(short events);
  absl::Status WaitForTls(int ssl_error);
  void Close();

  int socket_ = -1;
  bool owned_ = true;
  SSL* ssl_ = nullptr;
  Limits limits_;
  SteadyTime end_ = SteadyTime::max();
  bool has_received_ = false;
};

}  // namespace gangpack::k8s

#endif  // GANGPACK_K8S_NETWORK_CONNECTION_H_
