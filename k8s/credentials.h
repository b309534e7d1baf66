// Who we are to the API server.
//
// Terms: a pass is what one connection and its requests show: a client certificate, the value of
// the Authorization header, both or neither.
// Thread-safety: all of Credentials from any thread at once.
// Not here: how a kubeconfig names them (kubeconfig.h), plugins (exec_credential.h).

#ifndef GANGPACK_K8S_CREDENTIALS_H_
#define GANGPACK_K8S_CREDENTIALS_H_

#include <functional>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"

namespace gangpack::k8s {

struct Pass {
  std::string authorization;    // Empty: none.
  std::string certificate_pem;  // With its chain; empty: none.
  std::string key_pem;

  friend bool operator==(const Pass&, const Pass&) = default;
};

std::string BearerAuthorization(absl::string_view token);
struct BasicLogin {
  std::string username;
  std::string password;
};
std::string BasicAuthorization(const BasicLogin& login);

class Credentials {
 public:
  virtual ~Credentials() = default;

  // Errors: Unauthenticated, with what to do about it.
  virtual absl::StatusOr<Pass> Get(absl::Time now) = 0;

  // The server answered 401 to that pass. True where the next Get may give another one.
  virtual bool Refused(const Pass& pass) = 0;
};

// The same pass for ever.
class FixedCredentials final : public Credentials {
 public:
  explicit FixedCredentials(Pass pass) : pass_(std::move(pass)) {}

  absl::StatusOr<Pass> Get(absl::Time) override { return pass_; }
  bool Refused(const Pass&) override { return false; }

 private:
  const Pass pass_;
};

// A whole file as text. Errors: as ReadTextFile.
using FileReader = std::function<absl::StatusOr<std::string>(const std::string& path)>;

// NotFound or Unavailable, naming the path.
absl::StatusOr<std::string> ReadTextFile(const std::string& path);

// A bearer token in a file that someone renews, as the kubelet does for service accounts. It is
// read again when it is kTokenMaxAge old, and after it was refused. While it cannot be read, the
// last one is used on.
inline constexpr absl::Duration kTokenMaxAge = absl::Minutes(1);

class TokenFileCredentials final : public Credentials {
 public:
  // `base` is what the pass holds beside the token.
  TokenFileCredentials(std::string path, Pass base, FileReader reader);

  absl::StatusOr<Pass> Get(absl::Time now) override;
  bool Refused(const Pass& pass) override;

 private:
  const std::string path_;
  const FileReader reader_;
  absl::Mutex mutex_;
  Pass pass_ ABSL_GUARDED_BY(mutex_);
  absl::Time fresh_until_ ABSL_GUARDED_BY(mutex_) = absl::InfinitePast();
};

}  // namespace gangpack::k8s

#endif  // GANGPACK_K8S_CREDENTIALS_H_
