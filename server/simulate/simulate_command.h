// `gangpack simulate`: a cluster on paper.
//
// Exit status: 0 it ran; 1 with --fail-if-pending and a pod of ours that is not bound; 2 bad input
// or usage, one line per fault on `err` and nothing on `out`; 3 an invariant was violated, a defect
// of ours. While it runs, an abort of the process (a broken invariant that is not recoverable)
// becomes exit status 3 as well. Not here: what happens in the cluster (simulation.h), what is
// printed (report.h).
#ifndef GANGPACK_SERVER_SIMULATE_SIMULATE_COMMAND_H_
#define GANGPACK_SERVER_SIMULATE_SIMULATE_COMMAND_H_

#include <istream>
#include <ostream>
#include <string>

#include "absl/types/span.h"
#include "server/slow_step.h"

namespace gangpack::server {

// `args` are those behind the word simulate. `in` is what FILE `-` stands for. What takes long is
// told with `voice`.
int RunSimulate(absl::Span<const std::string> args, std::istream& in, std::ostream& out,
                std::ostream& err, const ProgressVoice& voice);
// In silence.
inline int RunSimulate(absl::Span<const std::string> args, std::istream& in, std::ostream& out,
                       std::ostream& err) {
  return RunSimulate(args, in, out, err, ProgressVoice());
}

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_SIMULATE_SIMULATE_COMMAND_H_
