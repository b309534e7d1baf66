// `gangpack demo`: a real server on this machine, kube-scheduler played against it over real HTTP,
// and what happens told as it happens.
//
// Exit status: 0 it came to what is simulated beforehand; 1 it did not, or it could not serve; 2
// bad input or usage, and nothing is played. Not here: what is played (demo_script.h), what must
// come of it (demo_rehearsal.h), kube-scheduler (demo_scheduler.h).
#ifndef GANGPACK_SERVER_DEMO_DEMO_COMMAND_H_
#define GANGPACK_SERVER_DEMO_DEMO_COMMAND_H_

#include <istream>
#include <ostream>
#include <string>

#include "absl/types/span.h"

namespace gangpack::server {

// `args` are those behind the word demo. `in` is what the cluster `-` stands for.
int RunDemo(absl::Span<const std::string> args, std::istream& in, std::ostream& out,
            std::ostream& err);

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_DEMO_DEMO_COMMAND_H_
