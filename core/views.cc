#include "core/views.h"

namespace gangpack {

absl::string_view ToString(PodState state) {
  switch (state) {
    case PodState::kPending:
      return "Pending";
    case PodState::kWaiting:
      return "Waiting";
    case PodState::kBound:
      return "Bound";
  }
  return "";
}

absl::string_view ToString(GangState state) {
  switch (state) {
    case GangState::kForming:
      return "Forming";
    case GangState::kBlocked:
      return "Blocked";
    case GangState::kPlacing:
      return "Placing";
    case GangState::kComplete:
      return "Complete";
    case GangState::kBroken:
      return "Broken";
  }
  return "";
}

}  // namespace gangpack
