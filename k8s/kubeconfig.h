// Which API server to talk to, and as whom: from kubeconfig files as kubectl reads them, or from
// the service account of the pod we run in.
//
// Several files are merged: of each cluster, user and context the first file that names it counts,
// and so for current-context. Paths are relative to the file that holds them. Files of a list that
// do not exist are left out; a file that was asked for by itself must exist.
// Errors: InvalidArgument (FailedPrecondition where there is nothing to read), each one line:
// `FILE:LINE: FIELD.PATH: what is wrong, what was expected`. What the chosen context does not use
// is not checked.
// Not here: how the result is put to use (cluster_access.h).

#ifndef GANGPACK_K8S_KUBECONFIG_H_
#define GANGPACK_K8S_KUBECONFIG_H_

#include <string>

#include "absl/status/statusor.h"
#include "k8s/client_config.h"
#include "k8s/credentials.h"

namespace gangpack::k8s {

// Where to look. `file` is the one that was asked for by itself, and then the only one; else the
// list in KUBECONFIG counts, else HOME/.kube/config, else the pod's service account.
struct ConfigSources {
  std::string file;
  std::string kubeconfig_variable;
  std::string home;
  std::string context;       // Empty: current-context.
  std::string service_host;  // KUBERNETES_SERVICE_HOST
  std::string service_port;  // KUBERNETES_SERVICE_PORT
};

// From the environment of the process; `file` and `context` stay empty.
ConfigSources EnvironmentSources();

absl::StatusOr<ClientConfig> LoadClientConfig(const ConfigSources& sources,
                                              const FileReader& reader);

inline constexpr char kServiceAccountFolder[] = "/var/run/secrets/kubernetes.io/serviceaccount";

}  // namespace gangpack::k8s

#endif  // GANGPACK_K8S_KUBECONFIG_H_
