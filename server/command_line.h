// The command line of gangpack: which word runs what.
//
// Exit status: that of the subcommand (its header says which); 2 for an unknown one, or none.
// Not here: flags (flag_set.h and each subcommand).
#ifndef GANGPACK_SERVER_COMMAND_LINE_H_
#define GANGPACK_SERVER_COMMAND_LINE_H_

#include <istream>
#include <ostream>
#include <string>

#include "absl/types/span.h"

namespace gangpack::server {

// `args` are those behind the program's name.
int RunCommandLine(absl::Span<const std::string> args, std::istream& in, std::ostream& out,
                   std::ostream& err);

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_COMMAND_LINE_H_
