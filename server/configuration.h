// The configuration file: YAML, `apiVersion: gangpack/v1alpha1`, `kind: Configuration`.
//
// Every field is optional, and those that the chart has are named as there; what is absent keeps
// its default. Strict: unknown fields, wrong types and values out of range are faults with line,
// path and what was expected. Flags override it (flag_set.h).
// Not here: the fields, with their ranges and what they are (configuration_fields.h), writing
// (configuration_text.h).
#ifndef GANGPACK_SERVER_CONFIGURATION_H_
#define GANGPACK_SERVER_CONFIGURATION_H_

#include <string>

#include "absl/status/statusor.h"
#include "server/configuration_fields.h"

namespace gangpack::server {

// INVALID_ARGUMENT with one line per fault, `FILE:LINE: FIELD.PATH: what is wrong, what was
// expected`; NOT_FOUND if the file cannot be read.
absl::StatusOr<Configuration> ReadConfiguration(const std::string& path);

// The same of a text that came from `path`.
absl::StatusOr<Configuration> ParseConfiguration(const std::string& path, std::string text);

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_CONFIGURATION_H_
