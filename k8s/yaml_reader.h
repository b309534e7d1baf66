// Reads YAML text into the tree of document.h, as kubectl would read it.
//
// Scalars are resolved by yaml_scalar.h. Aliases and merge keys (`<<`) are followed; like go-yaml
// v2, a key that follows a merge of the same name replaces it, and a merge that follows a key
// replaces that. Keys that are numbers or booleans become strings.
// Refused, with the line: text that is not UTF-8, bad syntax, a key written twice in one map, keys
// that are lists, maps or null, infinities, an anchor inside itself, nesting deeper than
// kMaxNestingDepth, aliases that stand for more than kMaxAliasedValues values in one document.
// Aliases share memory, so a small text can stand for a large tree only up to that limit.
//
// Pure: no file is opened here. Cost: linear, and some fifty times that of JSON.

#ifndef GANGPACK_K8S_YAML_READER_H_
#define GANGPACK_K8S_YAML_READER_H_

#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "k8s/document.h"
#include "k8s/json_reader.h"

namespace gangpack::k8s {

inline constexpr int64_t kMaxAliasedValues = 400'000;

// InvalidArgument, its text being one Fault, when the text is refused.
absl::StatusOr<Documents> ReadYaml(TextSource source);

// What the beginning of a text tells; absent while it is too short for that. A text that ends
// before it tells is YAML.
enum class TextFormat : uint8_t { kJson, kYaml };
std::optional<TextFormat> FormatOf(absl::string_view beginning);

// Reads text as JSON where its first document begins like JSON does, else as YAML.
absl::StatusOr<Documents> ReadYamlOrJson(TextSource source);

}  // namespace gangpack::k8s

#endif  // GANGPACK_K8S_YAML_READER_H_
