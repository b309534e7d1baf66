// A configuration as the file that would say it, with a comment per field: what it is, and its
// default.
//
// Invariant: ParseConfiguration of the text is the same configuration.
// Errors: INVALID_ARGUMENT, naming the field, for a value that no file can say: one that reading
// refuses, or a part of a second. Determinism: the text depends on the configuration only.
#ifndef GANGPACK_SERVER_CONFIGURATION_TEXT_H_
#define GANGPACK_SERVER_CONFIGURATION_TEXT_H_

#include <string>

#include "absl/status/statusor.h"
#include "server/configuration_fields.h"

namespace gangpack::server {

absl::StatusOr<std::string> ConfigurationText(const Configuration& configuration);

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_CONFIGURATION_TEXT_H_
