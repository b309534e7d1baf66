// Decodes the tolerations of a pod and the taints of a node.
//
// Source of the rules: k8s.io/kubernetes pkg/apis/core/validation, Kubernetes 1.36. What is
// malformed is reported and left out.

#ifndef GANGPACK_K8S_TOLERATION_CODEC_H_
#define GANGPACK_K8S_TOLERATION_CODEC_H_

#include <vector>

#include "core/node.h"
#include "core/pod.h"
#include "k8s/field.h"

namespace gangpack::k8s {

// `spec` is that of the pod.
std::vector<Toleration> DecodeTolerations(const Field& spec);

// `spec` is that of the node.
std::vector<Taint> DecodeTaints(const Field& spec);

}  // namespace gangpack::k8s

#endif  // GANGPACK_K8S_TOLERATION_CODEC_H_
