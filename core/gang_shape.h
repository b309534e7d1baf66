// The shape of a gang: which members are alike, and the rules between them, as a packing problem
// without nodes.
//
// Gangs of equal shape fit the same domains, whatever their names: what is found for one is found
// for all (domain_ranking.h). What pods that have a node already do to the members through rules
// between pods is taken in when the shape is made (outside_rules.h), and is no part of its
// signature. Affinity: a pod counts only if every required affinity term of the owner selects it,
// as in kube-scheduler. Cost: O(members x distinct terms). Not here: the search for a plan
// (packing.h).
#ifndef GANGPACK_CORE_GANG_SHAPE_H_
#define GANGPACK_CORE_GANG_SHAPE_H_

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"
#include "core/cluster_state.h"
#include "core/outside_rules.h"
#include "core/packing.h"

namespace gangpack {

// Gives equal specs equal numbers. A number lives as long as a pod that carries it, and then until
// kUnusedMax others have fallen out of use, so that a gang of a shape seen before finds what was
// found for it.
class SpecTable {
 public:
  static constexpr size_t kUnusedMax = 4096;

  // Sets record->spec_id and terms_id from the pod as it is; call Release first where the record
  // carried others.
  void Intern(PodRecord* record);
  void Release(PodRecord* record);
  size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    int64_t id = 0;
    int64_t uses = 0;
  };
  int64_t Acquire(std::string text);
  void Drop(int64_t id);

  absl::flat_hash_map<std::string, Entry> entries_;
  absl::flat_hash_map<int64_t, std::string> texts_;
  std::deque<int64_t> unused_;  // ids that fell out of use, oldest first; some may be in use again
  int64_t next_id_ = 1;
};

struct GangShape {
  std::string signature;  // equal for equal shapes
  TopologyKeyIndex key = -1;
  int need = 0;
  PackingProblem problem;               // without nodes; demands count the members to place
  std::vector<PodSpec> specs;           // per kind
  std::vector<PodUid> speakers;         // per kind: a member to be placed; empty if there is none
  std::vector<int> kind_of_member;      // aligned with `members` of MakeShape
  std::vector<int> kind_of_placed;      // aligned with `placed` of MakeShape
  std::vector<std::string> level_keys;  // topology key of level i + 1
  std::vector<std::string> rule_keys;   // topology key of each rule of `problem`
  OutsideRules outside;                 // as things were when the shape was made
};

// `members` are to be placed, and expected nowhere; `placed` siblings have a node already. `need`
// of the members must fit.
GangShape MakeShape(absl::Span<PodRecord* const> members, absl::Span<const PodRecord* const> placed,
                    int need, TopologyKeyIndex key, const ClusterState& cluster);

// A sibling that has its node, or a member whose node is not to change.
struct FixedSibling {
  int kind = 0;
  NodeIndex node = kNoNode;
  bool uses_free = false;  // its request is not yet in the node's `used`
};

// The packing problem of one domain: the shape's, with these nodes. With `when_empty`, nothing runs
// there, cordons and taints do not count, and affinity toward pods outside the gang is satisfied.
PackingProblem ProblemFor(const GangShape& shape, absl::Span<const NodeIndex> nodes,
                          absl::Span<const FixedSibling> fixed, bool when_empty,
                          const ClusterState& cluster);

}  // namespace gangpack

#endif  // GANGPACK_CORE_GANG_SHAPE_H_
