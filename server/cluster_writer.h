// The engine's one way to change the cluster.
//
// Several implementations: the cluster taken from manifests (manifest/manifest_cluster.h), which
// the simulator uses with virtual time, and the API server (kubernetes/pod_writer.h). Not here: the
// order of the changes (effect_executor.h).
#ifndef GANGPACK_SERVER_CLUSTER_WRITER_H_
#define GANGPACK_SERVER_CLUSTER_WRITER_H_

#include "absl/status/status.h"
#include "core/effects.h"

namespace gangpack::server {

// What the engine wants of the cluster. Errors: as absl::Status, by what to do next (ABORTED and
// FAILED_PRECONDITION: the binding is refused; UNAVAILABLE: it could not be asked).
class ClusterWriter {
 public:
  virtual ~ClusterWriter() = default;

  // Binds the pod; idempotent by UID and node.
  virtual absl::Status Bind(const BindPod& bind) = 0;

  // Touches the pod so that kube-scheduler tries it again.
  virtual absl::Status Wake(const WakePod& wake) = 0;

  virtual absl::Status Clear(const ClearNomination& clear) = 0;
};

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_CLUSTER_WRITER_H_
