#include "k8s/resource_type.h"

namespace gangpack::k8s {

absl::string_view ResourceName(ResourceType type) {
  switch (type) {
    case ResourceType::kNamespaces:
      return "namespaces";
    case ResourceType::kNodes:
      return "nodes";
    case ResourceType::kPodGroups:
      return "podgroups";
    case ResourceType::kPods:
      return "pods";
  }
  return "";
}

absl::string_view ResourceGroup(ResourceType type) {
  return type == ResourceType::kPodGroups ? "scheduling.x-k8s.io" : "";
}

absl::string_view ResourcePath(ResourceType type) {
  switch (type) {
    case ResourceType::kNamespaces:
      return "/api/v1/namespaces";
    case ResourceType::kNodes:
      return "/api/v1/nodes";
    case ResourceType::kPodGroups:
      return "/apis/scheduling.x-k8s.io/v1alpha1/podgroups";
    case ResourceType::kPods:
      return "/api/v1/pods";
  }
  return "";
}

bool MayBeAbsent(ResourceType type) { return type == ResourceType::kPodGroups; }

}  // namespace gangpack::k8s
