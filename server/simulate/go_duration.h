// Durations as Go prints and reads them: "30s", "1h0m0s", "1.5s", "100ms", "0s".
#ifndef GANGPACK_SERVER_SIMULATE_GO_DURATION_H_
#define GANGPACK_SERVER_SIMULATE_GO_DURATION_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace gangpack::server {

// As time.Duration.String(). Parts below a nanosecond are cut off; what Go cannot hold (some 292
// years) is printed as the nearest that it can.
std::string FormatGoDuration(absl::Duration duration);

// As time.ParseDuration, but for "+" and "-": only what is not negative. nullopt for anything else.
std::optional<absl::Duration> ParseGoDuration(absl::string_view text);

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_SIMULATE_GO_DURATION_H_
