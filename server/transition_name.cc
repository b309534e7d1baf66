#include "server/transition_name.h"

namespace gangpack::server {

absl::string_view TransitionName(GangTransitionKind kind) {
  switch (kind) {
    case GangTransitionKind::kPinned:
      return "Pinned";
    case GangTransitionKind::kAdopted:
      return "Adopted";
    case GangTransitionKind::kMoved:
      return "Moved";
    case GangTransitionKind::kWaiting:
      return "Waiting";
    case GangTransitionKind::kComplete:
      return "Complete";
    case GangTransitionKind::kUnwound:
      return "Unwound";
    case GangTransitionKind::kReleased:
      return "Released";
    case GangTransitionKind::kForming:
      return "Forming";
    case GangTransitionKind::kBlocked:
      return "Blocked";
    case GangTransitionKind::kBroken:
      return "Broken";
  }
  return "";
}

}  // namespace gangpack::server
