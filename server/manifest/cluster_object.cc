#include "server/manifest/cluster_object.h"

namespace gangpack::server {
namespace {

Fact FactOf(const Change<NodeObject>& change) {
  if (change.after == nullptr) return NodeGone{change.before->node.name};
  return NodeChanged{change.after->node};
}

Fact FactOf(const Change<PodObject>& change) {
  if (change.after == nullptr) return PodGone{change.before->pod.uid};
  return PodChanged{change.after->pod};
}

Fact FactOf(const Change<PodGroupObject>& change) {
  if (change.after == nullptr) return PodGroupGone{change.before->group.name};
  return PodGroupChanged{change.after->group};
}

Fact FactOf(const Change<NamespaceObject>& change) {
  if (change.after == nullptr) return NamespaceGone{change.before->object.name};
  return NamespaceChanged{change.after->object};
}

}  // namespace

Fact FactOf(const ClusterEvent& event) {
  return std::visit([](const auto& change) { return FactOf(change); }, event);
}

}  // namespace gangpack::server
