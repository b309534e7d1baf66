// `gangpack demo`: a real server on this machine, kube-scheduler played against it over real HTTP,
// and what happens told as it happens.
//
// Exit status: 0 what should be placed was placed; 1 it was not, or it could not serve; 2 bad input
// or usage. Not here: the story (demo_story.h), kube-scheduler (demo_scheduler.h).
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
