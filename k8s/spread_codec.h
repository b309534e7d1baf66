// Decodes the hard topology spread constraints of a pod; those that kube-scheduler only scores
// (ScheduleAnyway) are checked and left out.
//
// Source of the rules: k8s.io/kubernetes pkg/apis/core/validation, Kubernetes 1.36, and the
// defaults of the plugin PodTopologySpread. Malformed constraints are reported; what can be
// understood of them is kept.

#ifndef GANGPACK_K8S_SPREAD_CODEC_H_
#define GANGPACK_K8S_SPREAD_CODEC_H_

#include <vector>

#include "core/pod.h"
#include "k8s/field.h"

namespace gangpack::k8s {

// `spec` is that of the pod.
std::vector<TopologySpreadConstraint> DecodeTopologySpread(const Field& spec);

}  // namespace gangpack::k8s

#endif  // GANGPACK_K8S_SPREAD_CODEC_H_
