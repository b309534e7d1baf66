#include "k8s/http_connection.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <exception>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace gangpack::k8s {
namespace {

// A page of 500 of the largest objects stays below that.
constexpr size_t kMaxBodyBytes = size_t{1} << 30;
constexpr size_t kReadBytes = 64 * 1024;

}  // namespace

// What httplib reads from and writes to. Reads are buffered, since it takes heads byte by byte.
class HttpConnection::NetworkStream final : public httplib::Stream {
 public:
  NetworkStream(NetworkConnection* network, absl::Status* status)
      : network_(network), status_(status) {}

  bool is_readable() const override { return true; }
  bool is_writable() const override { return true; }

  ssize_t read(char* bytes, size_t size) override {
    if (begin_ == end_) {
      const absl::StatusOr<size_t> count = network_->Read(buffer_.get(), kReadBytes);
      if (!count.ok()) return Fail(count.status());
      if (*count == 0) return 0;
      begin_ = 0;
      end_ = *count;
    }
    const size_t count = std::min(size, end_ - begin_);
    std::memcpy(bytes, buffer_.get() + begin_, count);
    begin_ += count;
    return static_cast<ssize_t>(count);
  }

  ssize_t write(const char* bytes, size_t size) override {
    const absl::Status status = network_->Write(absl::string_view(bytes, size));
    return status.ok() ? static_cast<ssize_t>(size) : Fail(status);
  }

  void get_remote_ip_and_port(std::string&, int&) const override {}
  void get_local_ip_and_port(std::string&, int&) const override {}
  socket_t socket() const override { return network_->socket(); }

 private:
  ssize_t Fail(const absl::Status& status) {
    if (status_->ok()) *status_ = status;
    return -1;
  }

  NetworkConnection* network_;
  absl::Status* status_;
  std::unique_ptr<char[]> buffer_{new char[kReadBytes]};
  size_t begin_ = 0;
  size_t end_ = 0;
};

HttpConnection::HttpConnection(const NetworkTarget& target, std::shared_ptr<const TlsContext> tls)
    : httplib::ClientImpl(target.url.host, target.url.port), target_(target), tls_(std::move(tls)) {
  set_keep_alive(true);
  set_url_encode(false);
  set_decompress(false);
}

// The base closes the socket after this.
HttpConnection::~HttpConnection() { network_.CloseTls(); }

bool HttpConnection::create_and_connect_socket(Socket& socket, httplib::Error& error) {
  status_ = network_.Connect(target_, tls_.get(), connect_limit_);
  if (!status_.ok()) {
    error = httplib::Error::Connection;
    return false;
  }
  network_.ReleaseSocket();
  socket.sock = network_.socket();
  return true;
}

void HttpConnection::shutdown_ssl(Socket&, bool) { network_.CloseTls(); }

bool HttpConnection::process_socket(const Socket&,
                                    std::function<bool(httplib::Stream& stream)> callback) {
  NetworkStream stream(&network_, &status_);
  return callback(stream);
}

httplib::Request HttpConnection::MakeRequest(const HttpCall& call, HttpResponse* response) {
  httplib::Request request;
  request.method = call.request->method;
  request.path = target_.url.path + call.request->target;
  request.body = call.request->body;
  request.headers = {{"Host", target_.url.Authority()},
                     {"Accept", "application/json"},
                     {"Accept-Encoding", "identity"},
                     {"User-Agent", "gangpack"}};
  if (!call.authorization.empty()) request.headers.emplace("Authorization", call.authorization);
  if (!call.request->content_type.empty()) {
    request.headers.emplace("Content-Type", call.request->content_type);
  }
  request.response_handler = [&call, response](const httplib::Response& head) {
    response->status = head.status;
    int64_t seconds = 0;
    if (absl::SimpleAtoi(head.get_header_value("Retry-After"), &seconds) && seconds > 0) {
      response->retry_after = absl::Seconds(seconds);
    }
    if (call.sink != nullptr && head.status == 200) call.sink->opened();
    return true;
  };
  request.content_receiver = [this, &call, response](const char* bytes, size_t size, uint64_t,
                                                     uint64_t) {
    return Receive(call, absl::string_view(bytes, size), response);
  };
  return request;
}

bool HttpConnection::Receive(const HttpCall& call, absl::string_view bytes,
                             HttpResponse* response) {
  if (call.sink != nullptr && response->status == 200) {
    if (call.sink->received(bytes)) return true;
    status_ = absl::CancelledError("cancelled");
    return false;
  }
  if (response->body.size() + bytes.size() > kMaxBodyBytes) {
    status_ =
        absl::UnavailableError(absl::StrCat("the answer has more than ", kMaxBodyBytes, " bytes"));
    return false;
  }
  response->body.append(bytes.data(), bytes.size());
  return true;
}

absl::StatusOr<HttpResponse> HttpConnection::Send(const HttpCall& call) {
  HttpResponse response;
  status_ = absl::OkStatus();
  connect_limit_ = call.connect_limit;
  network_.SetLimits(call.limits);
  httplib::Request request = MakeRequest(call, &response);
  httplib::Response ignored;
  httplib::Error error = httplib::Error::Success;
  bool sent = false;
  try {
    sent = send(request, ignored, error);
  } catch (const std::exception& exception) {
    status_ = absl::UnavailableError(exception.what());
  }
  if (sent && status_.ok()) return response;
  if (status_.ok()) {
    status_ =
        absl::UnavailableError(network_.has_received() ? "the connection ended inside an answer"
                                                       : "the connection ended without an answer");
  }
  return absl::Status(status_.code(),
                      absl::StrCat(target_.url.ToString(), ": ", std::string(status_.message())));
}

}  // namespace gangpack::k8s
