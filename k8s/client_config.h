// Which API server to talk to, and as whom.
//
// Not here: where that is written down (kubeconfig.h), how it is put to use (cluster_access.h).

#ifndef GANGPACK_K8S_CLIENT_CONFIG_H_
#define GANGPACK_K8S_CLIENT_CONFIG_H_

#include <optional>
#include <string>

#include "k8s/credentials.h"
#include "k8s/exec_credential.h"
#include "k8s/url.h"

namespace gangpack::k8s {

struct ClientConfig {
  std::string context;         // Empty in a cluster.
  std::string namespace_name;  // Empty: "default".

  Url server;
  std::string tls_server_name;
  bool insecure_skip_tls_verify = false;
  std::string ca_pem;  // Empty: whom the system trusts.
  std::optional<Url> proxy;

  // At most one of the three says how to authorise; the certificate goes with each.
  Pass pass;
  std::string token_file;
  std::optional<ExecPlugin> exec;
  ExecCluster exec_cluster;
};

}  // namespace gangpack::k8s

#endif  // GANGPACK_K8S_CLIENT_CONFIG_H_
