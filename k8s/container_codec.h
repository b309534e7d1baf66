// Decodes the containers of a pod: what they request, what the kubelet has given them, and the host
// ports they take.
//
// Applied are the API server's defaults: a missing request is the container's limit, and under
// hostNetwork a port without a hostPort takes that of the container.

#ifndef GANGPACK_K8S_CONTAINER_CODEC_H_
#define GANGPACK_K8S_CONTAINER_CODEC_H_

#include <string>
#include <vector>

#include "core/pod.h"
#include "core/pod_request.h"
#include "k8s/field.h"

namespace gangpack::k8s {

struct DecodedContainer {
  std::string name;
  bool init = false;
  ContainerResources resources;
};

struct DecodedContainers {
  std::vector<DecodedContainer> containers;  // Init containers first, each kind in order.
  // Of the containers that run as long as the pod does, each once.
  std::vector<HostPort> host_ports;
};

// `spec` and `status` are those of the pod.
DecodedContainers DecodeContainers(const Field& spec, const Field& status);

}  // namespace gangpack::k8s

#endif  // GANGPACK_K8S_CONTAINER_CODEC_H_
