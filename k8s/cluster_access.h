// Puts a ClientConfig to use: the credentials and the transport that it describes.

#ifndef GANGPACK_K8S_CLUSTER_ACCESS_H_
#define GANGPACK_K8S_CLUSTER_ACCESS_H_

#include <memory>

#include "absl/status/statusor.h"
#include "k8s/client_config.h"
#include "k8s/clock.h"
#include "k8s/credentials.h"
#include "k8s/https_transport.h"

namespace gangpack::k8s {

struct ClusterAccess {
  // Before the transport, which refers to it.
  std::unique_ptr<Credentials> credentials;
  std::unique_ptr<HttpsTransport> transport;
};

// Nothing is connected yet. `clock` must outlive the result. InvalidArgument where a certificate
// cannot be read.
absl::StatusOr<ClusterAccess> OpenClusterAccess(const ClientConfig& config, Clock* clock);

}  // namespace gangpack::k8s

#endif  // GANGPACK_K8S_CLUSTER_ACCESS_H_
