// Credentials that a plugin hands out, run as kubectl runs it: a program that is told about the
// cluster through KUBERNETES_EXEC_INFO and prints an ExecCredential.
//
// A pass is kept until it expires or the server refuses it; without an expirationTimestamp, until
// it is refused. A pass that expires within kExpiryMargin counts as expired.
// Thread-safety: as credentials.h; one plugin runs at a time, and other callers wait for it.
// Errors: Unauthenticated, with what the plugin said and, where it is not installed, its hint.

#ifndef GANGPACK_K8S_EXEC_CREDENTIAL_H_
#define GANGPACK_K8S_EXEC_CREDENTIAL_H_

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "k8s/credentials.h"
#include "k8s/subprocess.h"

namespace gangpack::k8s {

inline constexpr absl::Duration kExpiryMargin = absl::Seconds(10);

// What a plugin may be told about the cluster.
struct ExecCluster {
  std::string server;
  std::string tls_server_name;
  bool insecure_skip_tls_verify = false;
  std::string ca_pem;
  std::string proxy_url;
  std::string config_json;  // The extension client.authentication.k8s.io/exec; empty: none.
};

struct ExecPlugin {
  std::string api_version;  // client.authentication.k8s.io/v1 or v1beta1
  std::string command;      // Absolute, or to be looked for in PATH.
  std::vector<std::string> args;
  std::vector<std::pair<std::string, std::string>> env;
  std::string install_hint;
  bool provide_cluster_info = false;
};

// The value of KUBERNETES_EXEC_INFO.
std::string ExecInfo(const ExecPlugin& plugin, const ExecCluster& cluster);

struct ExecPass {
  Pass pass;
  absl::Time expiration = absl::InfiniteFuture();
};
// From what the plugin printed. InvalidArgument, naming the field.
absl::StatusOr<ExecPass> DecodeExecCredential(const ExecPlugin& plugin, std::string text);

class ExecCredentials final : public Credentials {
 public:
  using Runner = std::function<absl::StatusOr<CommandResult>(const Command& command)>;

  ExecCredentials(ExecPlugin plugin, const ExecCluster& cluster, Runner runner);

  absl::StatusOr<Pass> Get(absl::Time now) override;
  bool Refused(const Pass& pass) override;

 private:
  absl::StatusOr<ExecPass> RunPlugin() const;

  const ExecPlugin plugin_;
  const std::string info_;
  const Runner runner_;
  absl::Mutex mutex_;
  ExecPass cached_ ABSL_GUARDED_BY(mutex_) = {{}, absl::InfinitePast()};
};

}  // namespace gangpack::k8s

#endif  // GANGPACK_K8S_EXEC_CREDENTIAL_H_
