// Decodes selectors: label selectors, and the required terms of node and pod affinity.
//
// Source of the rules: k8s.io/kubernetes pkg/apis/core/validation, Kubernetes 1.36. Malformed
// requirements are reported; what can be understood of them is kept.

#ifndef GANGPACK_K8S_SELECTOR_CODEC_H_
#define GANGPACK_K8S_SELECTOR_CODEC_H_

#include <optional>
#include <vector>

#include "absl/strings/string_view.h"
#include "core/pod.h"
#include "core/selector.h"
#include "k8s/field.h"

namespace gangpack::k8s {

// Absent where the member is: what that means differs from field to field.
std::optional<LabelSelector> DecodeLabelSelector(const Field& parent, absl::string_view key);

// requiredDuringSchedulingIgnoredDuringExecution of a nodeAffinity; absent where that is.
std::optional<std::vector<NodeSelectorTerm>> DecodeRequiredNodeAffinity(const Field& node_affinity);

// requiredDuringSchedulingIgnoredDuringExecution of a podAffinity or podAntiAffinity.
std::vector<PodAffinityTerm> DecodeRequiredPodAffinity(const Field& pod_affinity);

}  // namespace gangpack::k8s

#endif  // GANGPACK_K8S_SELECTOR_CODEC_H_
