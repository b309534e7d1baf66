// The command line of `gangpack simulate`.
#ifndef GANGPACK_SERVER_SIMULATE_SIMULATE_FLAGS_H_
#define GANGPACK_SERVER_SIMULATE_SIMULATE_FLAGS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "core/policy.h"
#include "server/flag_set.h"

namespace gangpack::server {

struct SimulateFlags {
  Policy policy;  // has passed Validate()
  OutputFormat output = OutputFormat::kTable;
  bool trace = false;
  bool fail_if_pending = false;
  bool help = false;
  std::vector<std::string> paths;  // at least one, unless `help`
};

// Flags may stand anywhere before `--`, with one dash or two, their value behind `=` or as the next
// argument. INVALID_ARGUMENT says which argument is wrong and what was expected.
absl::StatusOr<SimulateFlags> ParseSimulateFlags(absl::Span<const std::string> args);

absl::string_view SimulateHelp();

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_SIMULATE_SIMULATE_FLAGS_H_
