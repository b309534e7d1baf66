// Why a pod or gang is not placed: a code with the numbers that belong to it.
//
// Not here: the words (explain.h).
#ifndef GANGPACK_CORE_REASON_H_
#define GANGPACK_CORE_REASON_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/ids.h"
#include "core/pod_rule_rejection.h"
#include "core/predicates.h"

namespace gangpack {

enum class ReasonCode {
  kNone,
  kNoDomainHasRoom,        // no eligible domain
  kEveryDomainReserved,    // eligible ones are all held
  kPodGroupNotResolvable,  // PodGroup unknown
  kNoTopologyKey,          // neither annotation nor default
  kMembersMissing,         // fewer than need unplaced live members exist
  kSiblingNotPlaced,       // a required affinity term waits for an unplaced sibling
  kPinnedDomainTooSmall,   // the held domain became too small
  kAdoptedDomainTooSmall,  // the domain where members run cannot hold the rest
  kNoNodeForMember,        // this member has no node in the gang's domain
  kMultipleDomains,        // members are bound in two domains or outside any
  kNodeReserved,           // the node belongs to a forming gang's hold
  kNodeNotInDomain,        // the node is outside the gang's domain
  kSiblingFailed,          // the gang was unwound
  kMinMemberNotPositive,   // minMember absent or < 1
  kPlacementGroup,         // PodGroup or pod carries the placement-group label
  kNotSynchronised,        // the first lists are not complete yet
  kPodUnknown,             // this UID is in no watch yet
  kPodNotPlaceable,        // bound, finished or being deleted already
  kSurplusMember,          // more members than need: this one follows when the gang is complete
  kNodeNotPlanned,         // the node is in the domain, but planned for other members
  kNodeUnknown,            // this node is in no watch yet
  kNoRoomBesideBindings,   // bindings or nominations under way take what this pod needs there
  kAgainstPodRule,         // required affinity, anti-affinity or spread keeps the pod from the node
  kNodeNotChosen,          // one node is the answer, and this is another
};

// What stops one node, or nodes alike, in a domain.
struct NodeShortage {
  std::string node;
  NodeRejection rejection;
};

struct DomainShortage {
  std::string domain;
  int64_t room = 0;  // members that could be placed there at once
  int64_t of = 0;    // of so many
  std::vector<NodeShortage> nodes;
  int64_t nodes_more = 0;  // alike, but not listed (Policy::detail_nodes_max)
  bool at_least = false;   // more may fit, but not `of` (Policy::shown_states_max)
};

// Who holds a domain that would do.
struct DomainHolder {
  std::string domain;
  std::string gang;  // "namespace/name"
  std::string held =
      "";  // the domain of another topology key that it holds, if not `domain` itself
};

// Members that name another scheduler than ours.
struct SchedulerMembers {
  std::string scheduler;
  int64_t members = 0;
};

// Members that were bound to a node that is gone.
struct LostMembers {
  std::string node;
  int64_t members = 0;
};

struct Reason {
  ReasonCode code = ReasonCode::kNone;
  NamespacedName gang;
  std::string domain;
  NamespacedName pod;  // the member or sibling that the text names

  // Detail; what does not apply is 0 or empty.
  int64_t have = 0;
  int64_t want = 0;
  int64_t gated = 0;                               // members with scheduling gates
  std::vector<SchedulerMembers> other_schedulers;  // by name
  std::vector<LostMembers> lost;                   // by node
  int64_t lost_more = 0;                           // nodes not listed (Policy::detail_nodes_max)
  std::vector<DomainHolder> holders;
  std::vector<DomainShortage> domains;  // best first
  int64_t domains_more = 0;             // not listed (Policy::detail_domains_max)
  bool when_empty = false;  // `domains` tells the room when empty: it can never fit as things are
  bool min_member_absent = false;
  std::string topology_key;
  int64_t empty_labels = 0;              // nodes that carry topology_key with an empty value
  bool search_limit_reached = false;     // packing_states_max cut the search off
  std::optional<PodRuleRejection> rule;  // kAgainstPodRule: the first node's
  std::string note;                      // one clause of its own, already in words
};

}  // namespace gangpack

#endif  // GANGPACK_CORE_REASON_H_
