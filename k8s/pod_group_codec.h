// Decodes a PodGroup (scheduling.x-k8s.io/v1alpha1) and a Namespace.

#ifndef GANGPACK_K8S_POD_GROUP_CODEC_H_
#define GANGPACK_K8S_POD_GROUP_CODEC_H_

#include <optional>
#include <string>

#include "absl/time/time.h"
#include "core/pod.h"
#include "core/pod_group.h"
#include "k8s/field.h"

namespace gangpack::k8s {

struct DecodedPodGroup {
  PodGroup group;  // uid and namespace are empty where the object has none.
  std::string resource_version;
  std::optional<absl::Time> creation;  // Also in `group` where present.
};

// minMember may be absent, 0 or negative: real clusters hold such objects.
DecodedPodGroup DecodePodGroup(const Field& object);

struct DecodedNamespace {
  Namespace object;
  std::string uid;
  std::string resource_version;
  std::optional<absl::Time> creation;
};

DecodedNamespace DecodeNamespace(const Field& object);

}  // namespace gangpack::k8s

#endif  // GANGPACK_K8S_POD_GROUP_CODEC_H_
