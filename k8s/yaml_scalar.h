// Decides what an unquoted YAML scalar is, as kubectl does: sigs.k8s.io/yaml over go-yaml v2.
//
// That is YAML 1.1 with Go's number syntax: `yes`, `on`, `y` and their kin are booleans; `010`,
// `0o10`, `0x8` and `0b1000` are the number 8; `1_000` is 1000; `1.50` is 1.5 and `1e3` is 1000,
// printed as Go prints a float64 in JSON; `2024-01-01` stays a string; `0.5.1` and `1Gi` are
// strings. `.inf` and `.nan` have no place in JSON and are refused.

#ifndef GANGPACK_K8S_YAML_SCALAR_H_
#define GANGPACK_K8S_YAML_SCALAR_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "k8s/document.h"

namespace gangpack::k8s {

struct YamlScalar {
  ValueKind kind = ValueKind::kNull;  // Never a list or a map.
  bool bool_value = false;
  bool is_integer = false;  // A number that is written as one: not 1.0, not 1e3.
  std::string text;         // Of a string or number; empty for an infinity or no number.
  std::string as_key;       // What the scalar is called as a key of a map; empty for null.
};

// `tag` is "?" for an unquoted scalar, "!" for a quoted one, else the full tag. InvalidArgument,
// with a message that has no place in it, when the tag and the text contradict each other.
absl::StatusOr<YamlScalar> ResolveYamlScalar(absl::string_view tag, absl::string_view text);

}  // namespace gangpack::k8s

#endif  // GANGPACK_K8S_YAML_SCALAR_H_
