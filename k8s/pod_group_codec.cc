#include "k8s/pod_group_codec.h"

#include <cstdint>
#include <limits>
#include <utility>

#include "k8s/metadata_codec.h"

namespace gangpack::k8s {
namespace {

// Both numbers of the spec are int32 in the CustomResourceDefinition.
constexpr int64_t kMin = std::numeric_limits<int32_t>::min();
constexpr int64_t kMax = std::numeric_limits<int32_t>::max();

}  // namespace

DecodedPodGroup DecodePodGroup(const Field& object) {
  ObjectMeta meta = DecodeMetadata(object, NameForm::kDnsSubdomain);
  const Field spec = object.Object("spec");
  DecodedPodGroup decoded;
  decoded.group.name = {std::move(meta.namespace_name), std::move(meta.name)};
  decoded.group.uid = std::move(meta.uid);
  decoded.group.creation = meta.creation.value_or(absl::Time());
  decoded.group.labels = std::move(meta.labels);
  decoded.group.annotations = std::move(meta.annotations);
  decoded.group.min_member = spec.Int("minMember", kMin, kMax);
  decoded.group.schedule_timeout_seconds = spec.Int("scheduleTimeoutSeconds", kMin, kMax);
  decoded.resource_version = std::move(meta.resource_version);
  decoded.creation = meta.creation;
  return decoded;
}

DecodedNamespace DecodeNamespace(const Field& object) {
  ObjectMeta meta = DecodeMetadata(object, NameForm::kDnsLabel);
  DecodedNamespace decoded;
  decoded.object.name = std::move(meta.name);
  decoded.object.labels = std::move(meta.labels);
  decoded.uid = std::move(meta.uid);
  decoded.resource_version = std::move(meta.resource_version);
  decoded.creation = meta.creation;
  return decoded;
}

}  // namespace gangpack::k8s
