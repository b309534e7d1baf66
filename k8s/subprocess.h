// Runs a program to its end and gathers what it says.
//
// The program reads nothing, and gets our environment with the additions. Errors: NotFound where
// there is no such program, DeadlineExceeded where it had to be killed, ResourceExhausted where it
// said too much, Unavailable for the rest. A status other than 0 is no error.
// Thread-safety: any number of threads.

#ifndef GANGPACK_K8S_SUBPROCESS_H_
#define GANGPACK_K8S_SUBPROCESS_H_

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace gangpack::k8s {

struct Command {
  std::string program;  // Looked for in PATH where it has no slash.
  std::vector<std::string> arguments;
  std::vector<std::pair<std::string, std::string>> environment;  // Added to ours, or in its place.
  absl::Duration limit = absl::Seconds(60);
  size_t output_bytes_max = size_t{1} << 20;  // Of each of the two outputs.
};

struct CommandResult {
  int exit_status = 0;  // 128 + N where signal N ended it.
  std::string output;
  std::string errors;  // What it wrote to its standard error.
};

absl::StatusOr<CommandResult> RunCommand(const Command& command);

}  // namespace gangpack::k8s

#endif  // GANGPACK_K8S_SUBPROCESS_H_
