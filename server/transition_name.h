// The names of a gang's transitions in logs, traces and on pages.
#ifndef GANGPACK_SERVER_TRANSITION_NAME_H_
#define GANGPACK_SERVER_TRANSITION_NAME_H_

#include "absl/strings/string_view.h"
#include "core/effects.h"

namespace gangpack::server {

absl::string_view TransitionName(GangTransitionKind kind);  // "Pinned", "Waiting", ...

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_TRANSITION_NAME_H_
