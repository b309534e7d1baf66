// The configuration file: YAML, `apiVersion: gangpack/v1alpha1`, `kind: Configuration`.
//
// Every field is optional and named as in the chart; what is absent keeps its default. Strict:
// unknown fields and wrong types are faults with line and what was expected. Flags override it.
#ifndef GANGPACK_SERVER_CONFIGURATION_H_
#define GANGPACK_SERVER_CONFIGURATION_H_

#include <string>

#include "absl/status/statusor.h"
#include "core/policy.h"

namespace gangpack::server {

// INVALID_ARGUMENT with one line per fault, `FILE:LINE: FIELD: what is wrong, what was expected`;
// NOT_FOUND and others if the file cannot be read.
absl::StatusOr<Policy> ReadConfiguration(const std::string& path);

// The same of a text that came from `path`.
absl::StatusOr<Policy> ParseConfiguration(const std::string& path, std::string text);

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_CONFIGURATION_H_
