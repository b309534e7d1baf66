// One object as the API server sent it: what identifies it, and the decoded whole where it could be
// decoded.
//
// Not here: the fields of each kind (pod_codec.h and its siblings).

#ifndef GANGPACK_K8S_API_OBJECT_H_
#define GANGPACK_K8S_API_OBJECT_H_

#include <optional>
#include <string>
#include <variant>

#include "k8s/document.h"
#include "k8s/node_codec.h"
#include "k8s/pod_codec.h"
#include "k8s/pod_group_codec.h"
#include "k8s/resource_type.h"

namespace gangpack::k8s {

using ApiObject = std::variant<DecodedNamespace, DecodedNode, DecodedPodGroup, DecodedPod>;

struct ObjectIdentity {
  std::string namespace_name;  // Empty for nodes and namespaces.
  std::string name;
  std::string uid;
};

struct ApiRecord {
  ObjectIdentity identity;  // Fields are empty where the object has none.
  std::string resource_version;
  std::optional<ApiObject> object;  // Absent where it has faults.
  std::string fault;                // The first one, with the object's name. Else empty.
};

// Keeps nothing of `object`.
ApiRecord ReadApiRecord(ResourceType type, const Value& object);

}  // namespace gangpack::k8s

#endif  // GANGPACK_K8S_API_OBJECT_H_
