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
struct PackingRule {
  bool affinity = false;
  int kind = 0;
  std::vector<uint8_t> selects;  // per kind
  int level = 0;
};

struct PackingProblem {
  std::vector<PackingKind> kinds;
  std::vector<PackingNode> nodes;
  std::vector<PackingRule> rules;
  // Pairs of kinds that cannot share a node whatever the labels say (host ports), placed siblings
  // included: row-major kinds x kinds, symmetric; empty if there is no such pair.
  std::vector<uint8_t> node_conflict;
};

}  // namespace gangpack

#endif  // GANGPACK_CORE_PACKING_PROBLEM_H_
