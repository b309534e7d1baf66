// One HTTP/1.1 connection to the API server: cpp-httplib's reading and writing of messages, over a
// NetworkConnection.
//
// Requests go one after the other; the connection stays open between them and is opened anew where
// it was closed. Not thread-safe; the CancelSignal may be raised from any thread.
// Errors: as transport.h has them. After one the connection is to be dropped.
// Why no httplib::SSLClient: it cannot be cancelled while it connects, looks for no address in a
// certificate under another name, and does not say why a server is not trusted.

#ifndef GANGPACK_K8S_HTTP_CONNECTION_H_
#define GANGPACK_K8S_HTTP_CONNECTION_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "httplib.h"
#include "k8s/cancel_signal.h"
#include "k8s/network_connection.h"
#include "k8s/tls_context.h"
#include "k8s/transport.h"

namespace gangpack::k8s {

struct HttpCall {
  const HttpRequest* request = nullptr;
  std::string authorization;         // The header's value; empty: none.
  const StreamSink* sink = nullptr;  // For the body of a 200. Null: it is gathered.
  absl::Duration connect_limit;
  NetworkConnection::Limits limits;
};

class HttpConnection final : private httplib::ClientImpl {
 public:
  // `tls` is null for http.
  HttpConnection(const NetworkTarget& target, std::shared_ptr<const TlsContext> tls);
  ~HttpConnection() override;

  absl::StatusOr<HttpResponse> Send(const HttpCall& call);

  // It is open, and nothing but the next request is awaited.
  bool IsReusable() const { return socket_.is_open() && network_.IsIdle(); }
  // Whether the last Send got any byte of an answer.
  bool has_received() const { return network_.has_received(); }
  const TlsContext* tls() const { return tls_.get(); }

 private:
  class NetworkStream;

  bool create_and_connect_socket(Socket& socket, httplib::Error& error) override;
  void shutdown_ssl(Socket& socket, bool gracefully) override;
  bool process_socket(const Socket& socket,
                      std::function<bool(httplib::Stream& stream)> callback) override;

  httplib::Request MakeRequest(const HttpCall& call, HttpResponse* response);
  bool Receive(const HttpCall& call, absl::string_view bytes, HttpResponse* response);

  const NetworkTarget target_;
  const std::shared_ptr<const TlsContext> tls_;
  NetworkConnection network_;
  absl::Duration connect_limit_;
  absl::Status status_;  // Of the Send that is going on: why it failed, where that is known.
};

}  // namespace gangpack::k8s

#endif  // GANGPACK_K8S_HTTP_CONNECTION_H_
