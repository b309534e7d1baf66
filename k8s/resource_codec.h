// Decodes lists of resources: name to quantity, such as resources.requests or status.allocatable.
//
// Units are those of core/resources.h, rounded up, for nodes, and those of core/exact_amounts.h for
// containers and pods. Reported, and counted as 0, is what is no quantity or negative. Reported,
// and capped, is what no int64 holds in the units of core/resources.h.

#ifndef GANGPACK_K8S_RESOURCE_CODEC_H_
#define GANGPACK_K8S_RESOURCE_CODEC_H_

#include <optional>

#include "absl/strings/string_view.h"
#include "core/exact_amounts.h"
#include "core/resources.h"
#include "k8s/field.h"

namespace gangpack::k8s {

// Of a container or a pod, which know cpu, memory, ephemeral-storage, hugepages-* and extended
// resources like example.com/gpu; other names are reported.
ExactAmounts DecodeContainerAmounts(const Field& parent, absl::string_view key);
// Of a node, which may have any name.
ResourceAmounts DecodeNodeAmounts(const Field& parent, absl::string_view key);

// As above; absent where the list is.
std::optional<ExactAmounts> DecodeOptionalContainerAmounts(const Field& parent,
                                                           absl::string_view key);
std::optional<ResourceAmounts> DecodeOptionalNodeAmounts(const Field& parent,
                                                         absl::string_view key);

// requests and limits of a `resources` object. A request above its limit is reported.
struct RequestsAndLimits {
  ExactAmounts requests;
  ExactAmounts limits;
};
RequestsAndLimits DecodeRequestsAndLimits(const Field& parent, absl::string_view key);

}  // namespace gangpack::k8s

#endif  // GANGPACK_K8S_RESOURCE_CODEC_H_
