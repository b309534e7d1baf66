// One Node, Pod, PodGroup or Namespace as a manifest states it; what it leaves to the cluster is
// empty or absent in it.
//
// Not here: reading the text (manifest_reader.h), what is assumed (manifest_cluster.h).
#ifndef GANGPACK_SERVER_MANIFEST_MANIFEST_OBJECT_H_
#define GANGPACK_SERVER_MANIFEST_MANIFEST_OBJECT_H_

#include <string>
#include <variant>

#include "k8s/node_codec.h"
#include "k8s/pod_codec.h"
#include "k8s/pod_group_codec.h"

namespace gangpack::server {

using ManifestObject =
    std::variant<k8s::DecodedNode, k8s::DecodedPod, k8s::DecodedPodGroup, k8s::DecodedNamespace>;

// What is wrong with one field of a manifest; the caller adds file and line.
struct FieldFault {
  std::string path;
  std::string message;
};

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_MANIFEST_MANIFEST_OBJECT_H_
