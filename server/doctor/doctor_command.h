// `gangpack doctor`: checks a cluster and the configuration of kube-scheduler, and prints what to
// change.
//
// Nothing is written, neither to the cluster nor to a file.
// Exit status: 0 no error was found (warnings may be), 1 some were, 2 bad usage, or input that
// cannot be read.
// Not here: the rules (cluster_check.h, scheduler_config_check.h), what is printed
// (doctor_report.h).
#ifndef GANGPACK_SERVER_DOCTOR_DOCTOR_COMMAND_H_
#define GANGPACK_SERVER_DOCTOR_DOCTOR_COMMAND_H_

#include <istream>
#include <ostream>
#include <string>

#include "absl/types/span.h"

namespace gangpack::server {

// `args` are those behind the word doctor.
int RunDoctor(absl::Span<const std::string> args, std::istream& in, std::ostream& out,
              std::ostream& err);

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_DOCTOR_DOCTOR_COMMAND_H_
