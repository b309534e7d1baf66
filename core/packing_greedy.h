// A quick plan by first fit: right when it places everything, no proof when it does not.
//
// Kinds in need of others go after them; then the scarce ones first (few places for many members)
// and the large ones first, or the other way round, whichever places more. Each member goes to the
// first node, in PackingModel::order, that takes it under all rules with the members already there.
// What spread must have in a group (SpreadBound::least) is placed before everything else.
// Determinism: ties between kinds by their order. Cost: O(kinds x nodes x (resources + levels x
// kinds)) plus O(rules) per member that rules look at. Not here: proof that no more fit
// (packing_slots.h bounds the number, packing_states.h searches).
#ifndef GANGPACK_CORE_PACKING_GREEDY_H_
#define GANGPACK_CORE_PACKING_GREEDY_H_

#include <vector>

#include "core/packing_model.h"

namespace gangpack {

// A placement of at most `demand` members (per kind, at most the model's) that satisfies all rules;
// of nobody if it cannot satisfy the fills of spread.
PackingPlacement PlaceGreedily(const PackingModel& model, const std::vector<int>& demand);

// Tries to place more than `placed` members, up to `bound`, by leaving out the large ones: the
// lightest so many members are placed greedily, from `bound` downwards. Members that others may
// need stay in. Returns the best placement, empty if it is no better than `placed`. Cost: that of
// PlaceGreedily, `tries_max` times at most.
PackingPlacement PlaceLightest(const PackingModel& model, int placed, int bound, int tries_max);

}  // namespace gangpack

#endif  // GANGPACK_CORE_PACKING_GREEDY_H_
