// `gangpack serve`: the scheduler extender as a server on this machine, for the cluster behind an
// API server, or for one that is read from manifests and changed by the bindings.
//
// Output: exactly two lines once it serves, `listening filter http://ADDRESS:PORT` and
// `listening bind http://ADDRESS:PORT`; the log is on standard error.
// Exit status: 0 it was stopped by SIGTERM or SIGINT, 1 it could not serve, 2 bad input or usage.
// Not here: what runs (app.h), the wire (http_server.h).
#ifndef GANGPACK_SERVER_SERVE_COMMAND_H_
#define GANGPACK_SERVER_SERVE_COMMAND_H_

#include <istream>
#include <ostream>
#include <string>

#include "absl/types/span.h"

namespace gangpack::server {

// `args` are those behind the word serve. `in` is what the cluster `-` stands for. Blocks SIGTERM
// and SIGINT in the process for good.
int RunServe(absl::Span<const std::string> args, std::istream& in, std::ostream& out,
             std::ostream& err);

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_SERVE_COMMAND_H_
