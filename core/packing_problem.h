// What is to be packed: a gang's members by kind, the nodes of one domain, the rules between
// siblings.
//
// Terms. Kind: members that are alike in everything that matters here; equal members are never
// permuted. Level: one topology key of a rule between siblings; level 0 is the node itself. Group:
// the nodes with one value of it. Member: to be placed. Sibling: a member, or a pod of the gang
// that is already placed. Units: those of resources.h; counts are pods. Not here: which pods form a
// kind and which nodes are feasible (gang_shape.h), the plan (packing.h).
#ifndef GANGPACK_CORE_PACKING_PROBLEM_H_
#define GANGPACK_CORE_PACKING_PROBLEM_H_

#include <cstdint>
#include <limits>
#include <vector>

#include "core/resources.h"

namespace gangpack {

struct PackingKind {
  // Members of this kind to place; 0 for kinds that only exist among placed siblings.
  int demand = 0;
  ResourceVector request;  // includes the pod slot
};

struct PackingNode {
  ResourceVector free;
  // Per kind: 1 if the rules that look at the node alone let it run here.
  std::vector<uint8_t> feasible;
  // Per kind: siblings that already are here; their resources are not in `free`. Empty: none.
  std::vector<int> placed;
  // Per level >= 1 (index level - 1): the group, -1 where the node lacks the label.
  std::vector<int> group;
};

// A required pod affinity or anti-affinity term between siblings.
//
// Anti-affinity: no selected sibling but the pod itself in its group. It holds both ways: a placed
// sibling's term also keeps out members that it selects. A node without the label satisfies it.
//
// Affinity: a member of `kind` needs a selected sibling, other than itself, in its group. It counts
// what the plan as a whole puts there, so members that need each other are admitted together, and
// order does not matter. A node without the label fails it. Kinds that select themselves have the
// first-pod exception: if no selected sibling is placed yet (on a node with the label), the first
// may go anywhere and the others join its group. Precisely, for all kinds with equal `selects` and
// `level` that select themselves together: in each of their groups but one there must be a selected
// sibling of another kind or one already placed; the one exists only if none is placed. So alike
// members do not split into several groups that each satisfy themselves.
//
// Pods outside the gang satisfy an affinity as placed siblings do, and a rule that selects no kind
// can be satisfied by them alone. Their anti-affinity is a matter of `feasible`.
struct PackingRule {
  bool affinity = false;
  int kind = 0;
  std::vector<uint8_t> selects;  // per kind
  int level = 0;
  // Affinity only. Per node: 1 if a selected pod that is not to be planned is in the node's group;
  // placed siblings may be included. Empty: none.
  std::vector<uint8_t> outside = {};
  // Affinity only: some selected pod is placed, wherever, so nobody is the first of its kind.
  bool selected_elsewhere = false;
};

// A topology spread constraint with DoNotSchedule, as kinds carry it. Members are placed one after
// the other: a bound one may go to a node if count(group) + (counted ? 1 : 0) - least <= max_skew,
// with the counts that the members before it left. Least: of the counts of all groups with an
// eligible node. A plan needs some order of its members in which every step is allowed; affinity is
// judged on the plan as a whole, so the order is one for spread alone. Placed siblings are in
// `base`.
struct PackingSpread {
  static constexpr int kNoOtherGroup = std::numeric_limits<int>::max();

  int level = 0;                 // as in PackingRule: 0 is the node itself
  std::vector<uint8_t> bound;    // per kind: carries it; not feasible on nodes without the label
  std::vector<uint8_t> counted;  // per kind: counted by it
  int max_skew = 1;              // at least 1
  // Per node: pods counted in the node's group before the plan, wherever in the cluster the group's
  // nodes are; equal for nodes of one group.
  std::vector<int> base;
  // Per node: pods there are counted, and the group takes part in the least.
  std::vector<uint8_t> eligible;
  // The least count of the groups that have no eligible node in the problem but one outside.
  int least_outside = kNoOtherGroup;
  bool least_is_zero = false;  // fewer groups than minDomains: the least is 0 whatever the plan
};

struct PackingProblem {
  std::vector<PackingKind> kinds;
  std::vector<PackingNode> nodes;
  std::vector<PackingRule> rules;
  std::vector<PackingSpread> spread;
  // Pairs of kinds that cannot share a node whatever the labels say (host ports), placed siblings
  // included: row-major kinds x kinds, symmetric; empty if there is no such pair.
  std::vector<uint8_t> node_conflict;
};

}  // namespace gangpack

#endif  // GANGPACK_CORE_PACKING_PROBLEM_H_
