// Which members a plan takes when it cannot or need not take all: the first set in order of
// preference.
//
// Terms. Candidate: a placement that satisfies all rules; it also stands for all that leave out
// members of kinds that are not critical (packing_model.h), since nobody depends on those. Not
// here: where candidates come from (packing.h).
#ifndef GANGPACK_CORE_PACKING_CHOICE_H_
#define GANGPACK_CORE_PACKING_CHOICE_H_

#include <vector>

#include "core/packing_model.h"

namespace gangpack {

struct PackingChoice {
  int candidate = -1;        // index of a candidate that covers the chosen members; -1 if none does
  std::vector<int> members;  // per kind: how many are chosen
};

// `counts` lists the candidates' members per kind; `kind_of_member` the members by preference, by
// kind of the model. Chooses exactly `need` members: the first set in lexicographic order that some
// candidate covers. Cost: O(members x candidates x kinds).
PackingChoice ChooseMembers(const PackingModel& model, const std::vector<std::vector<int>>& counts,
                            const std::vector<int>& kind_of_member, int need);

// Leaves out members until exactly `members` (per kind) are placed, those on the roomiest nodes
// first. The kinds that lose members must not be critical. Cost: O(nodes x kinds).
void LeaveOut(const PackingModel& model, const std::vector<int>& members,
              PackingPlacement* placement);

}  // namespace gangpack

#endif  // GANGPACK_CORE_PACKING_CHOICE_H_
