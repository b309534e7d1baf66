// Read-only pictures of the engine's state for pages, the CLI and tests. Value types, sorted,
// self-contained.
//
// Terms. Page: a bounded piece of a list, and where the next one goes on. A page is consistent in
// itself. Between two pages the world may change: what stood before the position then is not looked
// at again, so an object is listed once at most; one that stays throughout is listed; of a gang,
// the pods of one page may tell an older state than those of the next.
#ifndef GANGPACK_CORE_VIEWS_H_
#define GANGPACK_CORE_VIEWS_H_

#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
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
  std::string message;  // why it is Pending, detailed, or that its node is gone; else empty, as it
                        // is while nobody asked about it
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
  std::string message;  // why it does not proceed, detailed, and which members are lost
};

struct DomainView {
  std::string topology_key;
  std::string name;
  int64_t nodes = 0;
  std::string held_by;  // "namespace/name" of a gang
};

// Where a domain stands among all: by topology key, then by name.
struct DomainPosition {
  std::string topology_key;
  std::string name;
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

template <typename ViewType, typename PositionType>
struct Page {
  using View = ViewType;
  using Position = PositionType;

  std::vector<View> views;
  Position next;      // where the next page goes on; a default position comes before everything
  bool more = false;  // else this was the last page
  int judged = 0;     // gangs and pods whose reasons were worked out afresh
};
using PodPage = Page<PodView, PodPosition>;
using GangPage = Page<GangView, NamespacedName>;
using DomainPage = Page<DomainView, DomainPosition>;
using ReservationPage = Page<ReservationView, DomainPosition>;

// All views of all pages; `page_after` gives the page after a position.
template <typename PageAfter>
auto AllPages(PageAfter page_after) {
  auto page = page_after({});
  auto views = std::move(page.views);
  while (page.more) {
    page = page_after(page.next);
    views.insert(views.end(), std::make_move_iterator(page.views.begin()),
                 std::make_move_iterator(page.views.end()));
  }
  return views;
}

}  // namespace gangpack

#endif  // GANGPACK_CORE_VIEWS_H_
