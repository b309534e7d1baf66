#include "server/kubernetes/object_facts.h"

#include <utility>
#include <variant>

namespace gangpack::server {
namespace {

struct FactOfObject {
  Fact operator()(k8s::DecodedNamespace& decoded) const {
    return NamespaceChanged{std::move(decoded.object)};
  }
  Fact operator()(k8s::DecodedNode& decoded) const { return NodeChanged{std::move(decoded.node)}; }
  Fact operator()(k8s::DecodedPodGroup& decoded) const {
    return PodGroupChanged{std::move(decoded.group)};
  }
  Fact operator()(k8s::DecodedPod& decoded) const { return PodChanged{std::move(decoded.pod)}; }
};

Fact FactOfGone(k8s::ResourceType type, k8s::ObjectIdentity identity) {
  switch (type) {
    case k8s::ResourceType::kNamespaces:
      return NamespaceGone{std::move(identity.name)};
    case k8s::ResourceType::kNodes:
      return NodeGone{std::move(identity.name)};
    case k8s::ResourceType::kPodGroups:
      return PodGroupGone{{std::move(identity.namespace_name), std::move(identity.name)}};
    case k8s::ResourceType::kPods:
      break;
  }
  return PodGone{{std::move(identity.uid)}};
}

}  // namespace

Fact FactOf(k8s::ResourceType type, k8s::ObjectChange change) {
  if (auto* const upserted = std::get_if<k8s::ObjectUpserted>(&change)) {
    return std::visit(FactOfObject(), upserted->object);
  }
  return FactOfGone(type, std::move(std::get<k8s::ObjectGone>(change).identity));
}

}  // namespace gangpack::server
