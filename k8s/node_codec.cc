#include "k8s/node_codec.h"

#include <utility>

#include "k8s/metadata_codec.h"
#include "k8s/resource_codec.h"
#include "k8s/toleration_codec.h"

namespace gangpack::k8s {
namespace {

ResourceAmounts DecodeAllocatable(const Field& status, ObjectSource source) {
  std::optional<ResourceAmounts> allocatable = DecodeOptionalNodeAmounts(status, "allocatable");
  const ResourceAmounts capacity = DecodeNodeAmounts(status, "capacity");
  if (source == ObjectSource::kApiServer) return allocatable.value_or(ResourceAmounts());
  if (!allocatable.has_value()) allocatable = capacity;
  const auto pods = capacity.find(kResourcePods);
  allocatable->try_emplace(std::string(kResourcePods),
                           pods != capacity.end() ? pods->second : kDefaultPodSlots);
  return *std::move(allocatable);
}

}  // namespace

DecodedNode DecodeNode(const Field& object, ObjectSource source) {
  ObjectMeta meta = DecodeMetadata(object, NameForm::kDnsSubdomain);
  const Field spec = object.Object("spec");
  const Field status = object.Object("status");
  DecodedNode decoded;
  decoded.node.name = std::move(meta.name);
  decoded.node.labels = std::move(meta.labels);
  decoded.node.taints = DecodeTaints(spec);
  decoded.node.unschedulable = spec.Bool("unschedulable");
  decoded.node.allocatable = DecodeAllocatable(status, source);
  decoded.uid = std::move(meta.uid);
  decoded.resource_version = std::move(meta.resource_version);
  decoded.creation = meta.creation;
  decoded.annotations = std::move(meta.annotations);
  return decoded;
}

}  // namespace gangpack::k8s
