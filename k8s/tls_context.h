// How TLS connections to one server are made: whom to trust, and which client certificate to show.
//
// Ownership: shares nothing with its arguments. Thread-safety: any number of threads may use it.
// Errors: InvalidArgument, naming what could not be read.
// Not here: the connection (network_connection.h).

#ifndef GANGPACK_K8S_TLS_CONTEXT_H_
#define GANGPACK_K8S_TLS_CONTEXT_H_

#include <openssl/ssl.h>

#include <memory>
#include <string>

#include "absl/status/statusor.h"

namespace gangpack::k8s {

struct TlsOptions {
  std::string ca_pem;  // Certificates to trust; empty: those of the system.
  bool insecure_skip_verify = false;
  std::string certificate_pem;  // The client's, with its chain. Empty: none.
  std::string key_pem;
};

class TlsContext {
 public:
  static absl::StatusOr<std::shared_ptr<const TlsContext>> Create(const TlsOptions& options);
  ~TlsContext();
  TlsContext(const TlsContext&) = delete;
  TlsContext& operator=(const TlsContext&) = delete;

  // A client's end that expects `server_name`, a name or an IP address, in the certificate of the
  // server. The caller owns it. Null when out of memory.
  SSL* NewClient(const std::string& server_name) const;

 private:
  explicit TlsContext(SSL_CTX* context) : context_(context) {}

  SSL_CTX* const context_;
};

// The oldest error that OpenSSL has noted on this thread, in its own words; forgets all of them.
std::string TakeOpensslError();

}  // namespace gangpack::k8s

#endif  // GANGPACK_K8S_TLS_CONTEXT_H_
