// What of a pod may change after it was created: the API server's rules.
//
// Source of the rules: ValidatePodUpdate and what it calls in k8s.io/kubernetes
// pkg/apis/core/validation, Kubernetes 1.36. Compared is what the cluster on paper knows of a pod;
// images, commands and volumes are not.
#ifndef GANGPACK_SERVER_MANIFEST_POD_UPDATE_H_
#define GANGPACK_SERVER_MANIFEST_POD_UPDATE_H_

#include <vector>

#include "server/manifest/cluster_object.h"
#include "server/manifest/manifest_object.h"

namespace gangpack::server {

// Every immutable field in which `manifest` differs from the pod, which it would replace. Empty:
// the API server accepts it. Gates may only go; tolerations may only come; while gated, node
// selector and node affinity may become stricter.
std::vector<FieldFault> CheckPodUpdate(const PodObject& pod, const k8s::DecodedPod& manifest);

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_MANIFEST_POD_UPDATE_H_
