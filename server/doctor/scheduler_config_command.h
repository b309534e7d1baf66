// `gangpack scheduler-config`: prints a kube-scheduler configuration that is right for gangpack.
//
// Exit status: 0 it was printed, 2 bad input or usage.
// Not here: the text (scheduler_config_text.h).
#ifndef GANGPACK_SERVER_DOCTOR_SCHEDULER_CONFIG_COMMAND_H_
#define GANGPACK_SERVER_DOCTOR_SCHEDULER_CONFIG_COMMAND_H_

#include <istream>
#include <ostream>
#include <string>

#include "absl/types/span.h"

namespace gangpack::server {

// `args` are those behind the word scheduler-config.
int RunSchedulerConfig(absl::Span<const std::string> args, std::istream& in, std::ostream& out,
                       std::ostream& err);

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_DOCTOR_SCHEDULER_CONFIG_COMMAND_H_
