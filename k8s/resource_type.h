// The kinds of objects that are watched, and where the API server serves them.

#ifndef GANGPACK_K8S_RESOURCE_TYPE_H_
#define GANGPACK_K8S_RESOURCE_TYPE_H_

#include <cstdint>

#include "absl/strings/string_view.h"

namespace gangpack::k8s {

enum class ResourceType : uint8_t { kNamespaces, kNodes, kPodGroups, kPods };

inline constexpr ResourceType kResourceTypes[] = {ResourceType::kNamespaces, ResourceType::kNodes,
                                                  ResourceType::kPodGroups, ResourceType::kPods};

// As in a path: "pods".
absl::string_view ResourceName(ResourceType type);
// The API group: "" for the core group.
absl::string_view ResourceGroup(ResourceType type);
// The path of all objects of all namespaces: "/api/v1/pods".
absl::string_view ResourcePath(ResourceType type);
// Whether the API server serves it only where a CustomResourceDefinition says so.
bool MayBeAbsent(ResourceType type);

}  // namespace gangpack::k8s

#endif  // GANGPACK_K8S_RESOURCE_TYPE_H_
