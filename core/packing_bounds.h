// Which partial plans can still reach the target: the cut that keeps the search for a plan small.
//
// Terms. Position: how many nodes of the sequence are decided. Measure: a weight per kind. For each
// measure the nodes from a position on can add at most the sum of their heaviest patterns; a
// partial plan that falls short of what the target weighs even so is hopeless. Measures: each kind
// alone, the number of members, and each resource weighed by the kinds' requests. Units: members,
// and those of resources.h, in 128 bits so that nothing overflows. Not here: the plans
// (packing_states.h).
#ifndef GANGPACK_CORE_PACKING_BOUNDS_H_
#define GANGPACK_CORE_PACKING_BOUNDS_H_

#include <vector>

#include "core/packing_model.h"
#include "core/packing_patterns.h"

namespace gangpack {

class PackingBounds {
 public:
  // `model` must outlive this. Cost: O(nodes x (kinds + resources) + patterns x kinds x resources).
  PackingBounds(const PackingModel& model, const PatternTable& patterns,
                const std::vector<int>& sequence);

  // The target: at least `members` of `demand` (per kind) placed.
  void Aim(const std::vector<int>& demand, int members);

  // False only if no plan that begins with `counts` (per kind, at most the demand) reaches the
  // target. Cost: O(kinds x resources).
  bool MayReach(int position, const int* counts) const;

 private:
  const PackingModel& model_;
  std::vector<int> kind_left_;            // (nodes + 1) x kinds
  std::vector<int> members_left_;         // nodes + 1
  std::vector<__int128> resources_left_;  // (nodes + 1) x resources
  std::vector<int> demand_;
  int target_ = 0;
  std::vector<__int128>
      lightest_;  // per resource: what the lightest members that reach the target request
};

}  // namespace gangpack

#endif  // GANGPACK_CORE_PACKING_BOUNDS_H_
