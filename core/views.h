// Read-only pictures of the engine's state for pages, the CLI and tests. Value types, sorted,
// self-contained.
#ifndef GANGPACK_CORE_VIEWS_H_
#define GANGPACK_CORE_VIEWS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/ids.h"

namespace gangpack {

enum class PodState { kPending, kWaiting, kBound };
enum class GangState { kForming, kBlocked, kPlacing, kComplete, kBroken };

absl::string_view ToString(PodState state);   // "Pending", "Waiting", "Bound"
absl::string_view ToString(GangState state);  // "Forming", "Blocked", ...

struct PodView {
  NamespacedName pod;
  PodUid uid;
  std::string gang;  // "namespace/name", empty for a standalone pod
  PodState state = PodState::kPending;
  std::string node;     // empty when Pending
  std::string message;  // why it is Pending, detailed; empty if it is not, or was never asked about
};

struct GangView {
  NamespacedName gang;
  GangState state = GangState::kForming;
  std::string topology_key;
  std::string domain;  // held or adopted
  int64_t min_member = 0;
  int64_t members = 0;  // live members, and Succeeded ones that count as placed
  int64_t placed = 0;
  int64_t need = 0;
  std::string message;  // why it does not proceed, detailed
};

struct DomainView {
  std::string topology_key;
  std::string name;
  int64_t nodes = 0;
  std::string held_by;  // "namespace/name" of a gang
};

struct WaiterView {
  NamespacedName pod;
  std::string node;
  absl::Time since;
  absl::Time ends;
};

struct ReservationView {
  std::string topology_key;
  std::string domain;
  NamespacedName gang;  // the owner
  std::string group_uid;
  int64_t plan_number = 0;
  absl::Time since;
  absl::Time ends;  // when it ends by itself if nothing more happens
  std::vector<WaiterView> waiters;
  std::vector<WaiterView> planned;  // members that have a planned node and have not arrived; since
                                    // = planned, ends = above
};

}  // namespace gangpack

#endif  // GANGPACK_CORE_VIEWS_H_
