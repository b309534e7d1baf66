// A gang: its members, what they add up to, and its plan while it is forming.
//
// Terms as in semantics: live, placed, need, surplus. A member is eligible if it is live, unplaced,
// without scheduling gates and names our scheduler. Lost: bound to a node that does not exist.
// Ownership: members point into ClusterState; a member leaves before its record goes.
// Not here: who may plan first (gang_judge.h), what a plan is made of (gang_plan.h), waits at
// Permit (permit_book.h).
#ifndef GANGPACK_CORE_GANG_H_
#define GANGPACK_CORE_GANG_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/btree_map.h"
#include "absl/time/time.h"
#include "core/awaited_siblings.h"
#include "core/cluster_state.h"
#include "core/pod_group.h"
#include "core/policy.h"
#include "core/reason.h"
#include "core/views.h"

namespace gangpack {

// What the members of a gang add up to now. Derived by Summarize, never edited.
struct GangSummary {
  TopologyKeyIndex key = -1;              // -1: no topology key
  int64_t members = 0;                    // live members, and Succeeded ones that count as placed
  int64_t placed = 0;                     // bound or being bound, and Succeeded ones that count
  std::vector<PodRecord*> eligible;       // by priority, then creation, then name
  std::vector<AwaitedSibling> awaiting;   // would be eligible, but need one of `pending` first
  std::vector<const PodRecord*> pending;  // gated, or another scheduler's; by name
  std::vector<const PodRecord*> placed_live;  // bound or being bound on nodes that exist; by name
  int64_t gated = 0;
  absl::btree_map<std::string, int64_t> other_schedulers;  // ungated members by what they name
  absl::btree_map<std::string, int64_t> lost_with;         // lost members by node
  DomainIndex domain = kNoDomain;  // the one domain of placed_live; none while broken
  bool broken = false;             // placed_live is in two domains or outside any
  std::string broken_detail;
  bool placement_group = false;  // the label is on the PodGroup or on a live member
  std::string placement_group_on;
  int32_t priority = 0;  // the highest among live members
};

// All that the planner's reason depends on but the gang itself, in numbers that grow: as long as
// they are equal, so is the reason.
struct ReasonBasis {
  int64_t domains = -1;  // changes of the domains that the gang may use
  int64_t holds = -1;    // holds taken or ended
  int64_t nodes = -1;    // nodes that came, changed or went
  int64_t rules = -1;    // changes of what the rules between pods count

  friend bool operator==(const ReasonBasis&, const ReasonBasis&) = default;
};

// A plan: the domain held for a gang and a node for each member of it.
struct Plan {
  int64_t number = 0;
  DomainIndex domain = kNoDomain;
  absl::Time since;      // when the hold was taken
  absl::Time last_call;  // the last sign of life of a member: filter, bind or hang-up
  absl::btree_map<PodUid, NodeIndex> nodes;
  // Members that wait for siblings to be placed first (one per required affinity term that needs
  // it).
  absl::btree_map<PodUid, std::vector<PodUid>> waits_for;
  int waiting = 0;                            // of `nodes`, how many wait at Permit
  absl::btree_multiset<absl::Time> arrivals;  // and since when each of them
  absl::Time deadline;  // when the hold ends by itself, as it stands in EngineState::deadlines
};

struct Gang {
  NamespacedName name;
  std::optional<PodGroup> group;
  absl::btree_map<PodUid, PodRecord*> members;  // every pod that carries the label

  GangState state = GangState::kForming;
  Reason reason;  // why it does not proceed; kNone while Placing or Complete
  GangSummary summary;
  std::optional<Plan> plan;

  // Members we refused since they last were woken, and why: those to wake when it may have changed.
  absl::btree_map<PodUid, Reason> refused;

  // When it became complete: the latest of these (time, then sequence number of the fact).
  absl::Time group_since = absl::InfinitePast();  // its PodGroup as it is now
  int64_t group_sequence = 0;
  absl::Time failed_since = absl::InfinitePast();  // after a failure it counts from there
  int64_t failed_sequence = 0;
  absl::Time complete_since = absl::InfinitePast();
  int64_t complete_sequence = 0;

  bool wanting = false;  // complete and without a plan: in EngineState::wanting
  bool dormant = false;  // failed: planned again when a member asks again
  Reason failure;        // why it failed last; told while it is dormant and nothing else keeps it
  bool marked = false;   // in EngineState::marked

  // What the last refusal was based on, so that nothing is judged twice on the same facts.
  int64_t judged_improvements = -1;
  // What `reason` was worked out from, if it is the planner's.
  ReasonBasis reason_basis;

  int64_t min_member() const { return group.has_value() ? group->min_member.value_or(0) : 0; }
};

// The topology key: the PodGroup's annotation, else the default; empty if there is neither.
std::string TopologyKeyOf(const PodGroup& group, const Policy& policy);

absl::Duration TimeoutOf(const Gang& gang, const Policy& policy);

// The gang's summary from its members as they are. The key must already be indexed. Cost: O(M log
// M).
GangSummary Summarize(const Gang& gang, const ClusterState& cluster, const Policy& policy);

// Puts the lost members into the gang's reason: whatever keeps it, they are missing.
void NameLost(const GangSummary& summary, const Policy& policy, Reason* reason);

// Order between gangs that want to be planned: higher priority, then one that already runs, then
// the one that became complete first, then namespace and name. A total order.
struct GangOrder {
  bool operator()(const Gang* a, const Gang* b) const;
};

}  // namespace gangpack

#endif  // GANGPACK_CORE_GANG_H_
