// The transport to a real API server: https or http over TCP, with connections that are used again.
//
// A call takes a connection that is idle, or opens one; at most `idle_connections_max` stay open
// between calls. A stream has a connection of its own. A GET that fails on a used connection before
// any byte of an answer is tried once more on a new one; nothing else is repeated, since it may
// have been carried out. An answer of 401 is asked for once more where the credentials change.
// Ownership: what Create is given must outlive it, and it must outlive its streams.
// Thread-safety: as transport.h says. Process-wide: SIGPIPE is ignored from the first Create() on.
// Errors: as transport.h has them.

#ifndef GANGPACK_K8S_HTTPS_TRANSPORT_H_
#define GANGPACK_K8S_HTTPS_TRANSPORT_H_

#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "k8s/cancel_signal.h"
#include "k8s/clock.h"
#include "k8s/credentials.h"
#include "k8s/http_connection.h"
#include "k8s/network_connection.h"
#include "k8s/tls_context.h"
#include "k8s/transport.h"

namespace gangpack::k8s {

struct HttpsTransportOptions {
  NetworkTarget target;
  std::string ca_pem;  // Empty: whom the system trusts.
  bool insecure_skip_verify = false;
  absl::Duration connect_limit = absl::Seconds(10);
  absl::Duration silence_max = absl::Seconds(30);
  absl::Duration call_limit = absl::Seconds(60);
  // Below the 90 s after which kube-apiserver closes an idle connection.
  absl::Duration idle_max = absl::Seconds(60);
  size_t idle_connections_max = 16;
};

class HttpsTransport final : public Transport {
 public:
  // InvalidArgument where a certificate of the options cannot be read.
  static absl::StatusOr<std::unique_ptr<HttpsTransport>> Create(HttpsTransportOptions options,
                                                                Credentials* credentials,
                                                                Clock* clock);

  absl::StatusOr<HttpResponse> Call(const HttpRequest& request) override;
  std::unique_ptr<ByteStream> OpenStream(std::string target, absl::Duration silence_max) override;
  void Shutdown() override;

  // Open, and not in use.
  size_t idle_connections() const;

 private:
  class Stream;
  // A CancelSignal that Shutdown() raises as well.
  class Cancellable;

  struct Idle {
    std::unique_ptr<HttpConnection> connection;
    absl::Time since;
  };

  HttpsTransport(HttpsTransportOptions options, Credentials* credentials, Clock* clock)
      : options_(std::move(options)), credentials_(credentials), clock_(clock) {}

  // Asks once more where the answer is 401 and the credentials may change.
  template <typename Send>
  absl::StatusOr<HttpResponse> WithPass(Send send);
  absl::StatusOr<HttpResponse> CallWith(const HttpRequest& request, const Pass& pass,
                                        const CancelSignal& signal);
  absl::StatusOr<std::shared_ptr<const TlsContext>> TlsFor(const Pass& pass);
  std::unique_ptr<HttpConnection> TakeIdle(const TlsContext* tls);
  void GiveBack(std::unique_ptr<HttpConnection> connection);

  const HttpsTransportOptions options_;
  Credentials* const credentials_;
  Clock* const clock_;

  mutable absl::Mutex mutex_;
  std::vector<Idle> idle_ ABSL_GUARDED_BY(mutex_);  // The most recent one last.
  std::set<CancelSignal*> signals_ ABSL_GUARDED_BY(mutex_);
  bool shut_down_ ABSL_GUARDED_BY(mutex_) = false;
  std::shared_ptr<const TlsContext> tls_ ABSL_GUARDED_BY(mutex_);
  Pass tls_pass_ ABSL_GUARDED_BY(mutex_);  // Whose certificate tls_ shows.
};

}  // namespace gangpack::k8s

#endif  // GANGPACK_K8S_HTTPS_TRANSPORT_H_
