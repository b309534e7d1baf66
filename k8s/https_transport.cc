#include "k8s/https_transport.h"

#include <algorithm>
#include <csignal>
#include <iterator>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "core/status_macros.h"

namespace gangpack::k8s {

class HttpsTransport::Cancellable {
 public:
  explicit Cancellable(HttpsTransport* transport) : transport_(transport) {
    absl::MutexLock lock(&transport_->mutex_);
    transport_->signals_.insert(&signal_);
    if (transport_->shut_down_) signal_.Cancel();
  }
  ~Cancellable() {
    absl::MutexLock lock(&transport_->mutex_);
    transport_->signals_.erase(&signal_);
  }
  Cancellable(const Cancellable&) = delete;
  Cancellable& operator=(const Cancellable&) = delete;

  CancelSignal& signal() { return signal_; }

 private:
  HttpsTransport* const transport_;
  CancelSignal signal_;
};

class HttpsTransport::Stream final : public ByteStream {
 public:
  Stream(HttpsTransport* transport, std::string target, absl::Duration silence_max)
      : transport_(transport),
        target_(std::move(target)),
        silence_max_(silence_max),
        cancellable_(transport) {}

  absl::StatusOr<HttpResponse> Run(const StreamSink& sink) override {
    const HttpsTransportOptions& options = transport_->options_;
    HttpRequest request;
    request.target = target_;
    return transport_->WithPass([&](const Pass& pass) -> absl::StatusOr<HttpResponse> {
      GP_ASSIGN_OR_RETURN(std::shared_ptr<const TlsContext> tls, transport_->TlsFor(pass));
      HttpConnection connection(options.target, std::move(tls));
      return connection.Send({&request,
                              pass.authorization,
                              &sink,
                              options.connect_limit,
                              {silence_max_, absl::InfiniteDuration(), &cancellable_.signal()}});
    });
  }

  void Cancel() override { cancellable_.signal().Cancel(); }

 private:
  HttpsTransport* const transport_;
  const std::string target_;
  const absl::Duration silence_max_;
  Cancellable cancellable_;
};

absl::StatusOr<std::unique_ptr<HttpsTransport>> HttpsTransport::Create(
    HttpsTransportOptions options, Credentials* credentials, Clock* clock) {
  if (options.target.proxy.has_value() && !options.target.url.tls) {
    return absl::InvalidArgumentError("a proxy for an http server, expected an https server");
  }
  std::signal(SIGPIPE, SIG_IGN);
  std::unique_ptr<HttpsTransport> transport(
      new HttpsTransport(std::move(options), credentials, clock));
  // Now, so that an unreadable certificate is no matter of the first call.
  GP_RETURN_IF_ERROR(transport->TlsFor(Pass()).status());
  return transport;
}

template <typename Send>
absl::StatusOr<HttpResponse> HttpsTransport::WithPass(Send send) {
  GP_ASSIGN_OR_RETURN(const Pass pass, credentials_->Get(clock_->Now()));
  absl::StatusOr<HttpResponse> response = send(pass);
  if (!response.ok() || response->status != 401 || !credentials_->Refused(pass)) return response;
  GP_ASSIGN_OR_RETURN(const Pass next, credentials_->Get(clock_->Now()));
  if (next == pass) return response;
  return send(next);
}

absl::StatusOr<HttpResponse> HttpsTransport::Call(const HttpRequest& request) {
  Cancellable cancellable(this);
  return WithPass([&](const Pass& pass) { return CallWith(request, pass, cancellable.signal()); });
}

absl::StatusOr<HttpResponse> HttpsTransport::CallWith(const HttpRequest& request, const Pass& pass,
                                                      const CancelSignal& signal) {
  GP_ASSIGN_OR_RETURN(const std::shared_ptr<const TlsContext> tls, TlsFor(pass));
  const HttpCall call = {&request,
                         pass.authorization,
                         nullptr,
                         options_.connect_limit,
                         {options_.silence_max, options_.call_limit, &signal}};
  std::unique_ptr<HttpConnection> connection = TakeIdle(tls.get());
  const bool used = connection != nullptr;
  if (!used) connection = std::make_unique<HttpConnection>(options_.target, tls);
  absl::StatusOr<HttpResponse> response = connection->Send(call);
  if (absl::IsUnavailable(response.status()) && used && !connection->has_received() &&
      request.method == "GET") {
    connection = std::make_unique<HttpConnection>(options_.target, tls);
    response = connection->Send(call);
  }
  if (response.ok()) GiveBack(std::move(connection));
  return response;
}

std::unique_ptr<ByteStream> HttpsTransport::OpenStream(std::string target,
                                                       absl::Duration silence_max) {
  return std::make_unique<Stream>(this, std::move(target), silence_max);
}

void HttpsTransport::Shutdown() {
  std::vector<Idle> idle;
  {
    absl::MutexLock lock(&mutex_);
    shut_down_ = true;
    for (CancelSignal* signal : signals_) signal->Cancel();
    idle.swap(idle_);
  }
}

absl::StatusOr<std::shared_ptr<const TlsContext>> HttpsTransport::TlsFor(const Pass& pass) {
  if (!options_.target.url.tls) return std::shared_ptr<const TlsContext>();
  absl::MutexLock lock(&mutex_);
  if (tls_ != nullptr && tls_pass_.certificate_pem == pass.certificate_pem &&
      tls_pass_.key_pem == pass.key_pem) {
    return tls_;
  }
  GP_ASSIGN_OR_RETURN(tls_, TlsContext::Create({options_.ca_pem, options_.insecure_skip_verify,
                                                pass.certificate_pem, pass.key_pem}));
  tls_pass_ = pass;
  return tls_;
}

std::unique_ptr<HttpConnection> HttpsTransport::TakeIdle(const TlsContext* tls) {
  const absl::Time oldest = clock_->Now() - options_.idle_max;
  std::vector<Idle> dropped;  // Closed after the mutex is free.
  absl::MutexLock lock(&mutex_);
  while (!idle_.empty()) {
    Idle idle = std::move(idle_.back());
    idle_.pop_back();
    // A connection shows the certificate with which it was opened.
    if (idle.since >= oldest && idle.connection->tls() == tls && idle.connection->IsReusable()) {
      return std::move(idle.connection);
    }
    dropped.push_back(std::move(idle));
  }
  return nullptr;
}

void HttpsTransport::GiveBack(std::unique_ptr<HttpConnection> connection) {
  if (!connection->IsReusable()) return;
  const absl::Time now = clock_->Now();
  absl::MutexLock lock(&mutex_);
  if (shut_down_ || idle_.size() >= options_.idle_connections_max) return;
  idle_.push_back({std::move(connection), now});
}

size_t HttpsTransport::idle_connections() const {
  absl::MutexLock lock(&mutex_);
  return idle_.size();
}

}  // namespace gangpack::k8s
