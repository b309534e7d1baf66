// The arguments of a filter or prioritize call (ExtenderArgs of k8s.io/kube-scheduler/extender/v1),
// read in one pass into what the engine is asked.
//
// Terms: keys are the Go names (`NodeNames`), read without regard to case as Go does, those inside
// Kubernetes objects exactly; unknown keys are ignored; null and absent are the same; of a repeated
// key the last value counts that is not null.
// Ownership: decoded structs are views of the body, which must outlive them; only strings with
// escapes are copied, into `strings`. So they move and are never copied.
// Errors: kInvalidArgument, "not JSON: ..." for a body that is not one, whatever else is wrong with
// it; else "FIELD.PATH: expected X, found Y".
// Determinism: lists keep the order of the body.
// Cost: O(bytes), one pass.
// Not here: the rest of the protocol (extender_codec.h), the rest of a Pod (the engine knows it).
#ifndef GANGPACK_SERVER_EXTENDER_ARGS_H_
#define GANGPACK_SERVER_EXTENDER_ARGS_H_

#include <optional>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "server/json_reader.h"

namespace gangpack::server {

// The pod of a call: who it is, and all of it as it was sent.
struct ExtenderPod {
  std::string_view raw;  // The JSON of the whole Pod.
  std::string_view uid;
  std::string_view namespace_name;
  std::string_view name;
};

struct ExtenderNode {
  std::string_view name;
  std::string_view raw;  // The JSON of the whole Node.
};

// Lists of 5,000 names go to the engine as they are, so their type is that of FilterRequest.
using NodeNames = std::vector<absl::string_view>;

// kube-scheduler sends `node_names` where the extender entry says nodeCacheCapable, else `nodes`.
// Neither is legal.
struct ExtenderArgs {
  ExtenderPod pod;
  std::optional<std::vector<ExtenderNode>> nodes;
  std::optional<NodeNames> node_names;
  JsonStrings strings;
};

// The pod must have a metadata.uid, metadata.namespace and metadata.name, a node a metadata.name.
absl::StatusOr<ExtenderArgs> DecodeExtenderArgs(std::string_view body);

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_EXTENDER_ARGS_H_
