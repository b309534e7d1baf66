// Decodes a Node.

#ifndef GANGPACK_K8S_NODE_CODEC_H_
#define GANGPACK_K8S_NODE_CODEC_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/time/time.h"
#include "core/node.h"
#include "k8s/field.h"

namespace gangpack::k8s {

// The kubelet's own default of --max-pods, for nodes that exist on paper alone.
inline constexpr int64_t kDefaultPodSlots = 110;

// What an object that leaves something out means by it.
enum class ObjectSource {
  // Written by hand: allocatable is the capacity where it is missing, and kDefaultPodSlots pods
  // where neither says how many.
  kManifest,
  // The API server has filled in what it fills in: what is missing is 0.
  kApiServer,
};

struct DecodedNode {
  Node node;
  std::string uid;               // Empty where the object has none.
  std::string resource_version;  // Likewise.
  std::optional<absl::Time> creation;
  Labels annotations;
};

// Reports every fault to the field's list; the result is then what could be understood.
DecodedNode DecodeNode(const Field& object, ObjectSource source);

}  // namespace gangpack::k8s

#endif  // GANGPACK_K8S_NODE_CODEC_H_
