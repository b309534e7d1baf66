// `gangpack config`: prints the effective configuration, the file with the flags over it, as a file
// that --config takes, with what each field is and its default.
//
// Exit status: 0 it was printed, 2 bad input or usage.
// Not here: the fields (configuration_fields.h).
#ifndef GANGPACK_SERVER_CONFIG_COMMAND_H_
#define GANGPACK_SERVER_CONFIG_COMMAND_H_

#include <istream>
#include <ostream>
#include <string>

#include "absl/types/span.h"

namespace gangpack::server {

// `args` are those behind the word config.
int RunConfig(absl::Span<const std::string> args, std::istream& in, std::ostream& out,
              std::ostream& err);

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_CONFIG_COMMAND_H_
