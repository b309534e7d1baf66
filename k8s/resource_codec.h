// Decodes lists of resources: name to quantity, such as resources.requests or status.allocatable.
//
// Units are those of core/resources.h: cpu in milli-cores, everything else in whole units, rounded
// up. Reported, and counted as 0, is what is no quantity or negative. Reported, and capped, is what
// no int64 holds.

#ifndef GANGPACK_K8S_RESOURCE_CODEC_H_
#define GANGPACK_K8S_RESOURCE_CODEC_H_

#include <optional>

#include "absl/strings/string_view.h"
#include "core/resources.h"
#include "k8s/field.h"

namespace gangpack::k8s {

// Whose resources they are, which decides what names are known.
enum class ResourceOwner {
  kNode,       // Any name.
  kContainer,  // cpu, memory, ephemeral-storage, hugepages-*, and extended ones like
               // example.com/gpu.
};

ResourceAmounts DecodeResourceAmounts(const Field& parent, absl::string_view key,
                                      ResourceOwner owner);

// As above; absent where the list is.
std::optional<ResourceAmounts> DecodeOptionalResourceAmounts(const Field& parent,
                                                             absl::string_view key,
                                                             ResourceOwner owner);

// requests and limits of a `resources` object. A request above its limit is reported.
struct RequestsAndLimits {
  ResourceAmounts requests;
  ResourceAmounts limits;
};
RequestsAndLimits DecodeRequestsAndLimits(const Field& parent, absl::string_view key);

}  // namespace gangpack::k8s

#endif  // GANGPACK_K8S_RESOURCE_CODEC_H_
