// The objects of a cluster on paper, and what changed about one of them.
//
// Ownership: an object that the cluster holds never changes; a change is a new object with a higher
// resource version, so pictures of before and after are shared, not copied.
// Not here: who keeps them (manifest_cluster.h), how they are read (manifest_document.h).
#ifndef GANGPACK_SERVER_MANIFEST_CLUSTER_OBJECT_H_
#define GANGPACK_SERVER_MANIFEST_CLUSTER_OBJECT_H_

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "core/facts.h"
#include "core/node.h"
#include "core/pod.h"
#include "core/pod_group.h"
#include "k8s/pod_codec.h"

namespace gangpack::server {

struct NodeObject {
  Node node;
  std::string uid;
  Labels annotations;
  int64_t resource_version = 0;
};

struct PodObject {
  Pod pod;
  Labels annotations;
  k8s::PodScheduledStatus scheduled;  // empty where there is no such condition
  std::vector<std::string> gates;     // names of the scheduling gates
  std::vector<k8s::DecodedPod::Container> containers;
  int64_t resource_version = 0;
};

struct PodGroupObject {
  PodGroup group;
  int64_t resource_version = 0;
};

struct NamespaceObject {
  Namespace object;
  std::string uid;
  int64_t resource_version = 0;
};

// No `before`: it was created. No `after`: it was deleted.
template <typename T>
struct Change {
  std::shared_ptr<const T> before;
  std::shared_ptr<const T> after;
};

using ClusterEvent = std::variant<Change<NodeObject>, Change<PodObject>, Change<PodGroupObject>,
                                  Change<NamespaceObject>>;

// The event as the engine is told of it.
Fact FactOf(const ClusterEvent& event);

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_MANIFEST_CLUSTER_OBJECT_H_
