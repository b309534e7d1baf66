// What one node can take: the largest mixes of kinds, shared by nodes that are alike.
//
// Terms. Pattern: members per kind on one node that fit there together under all rules of level 0
// and all pairs. A pattern is kept unless another one is better in every respect: same number of
// each critical kind, the same marked kinds present (packing_model.h), no fewer of any other kind.
// Class: nodes with the same patterns because nothing that matters differs. Order: patterns with
// more members first, then more of the earlier kinds. Limit: each partial mix looked at costs one
// unit of the budget; beyond it a class is `truncated`: kept patterns are right, others are
// missing. Not here: how patterns of several nodes combine (packing_states.h).
#ifndef GANGPACK_CORE_PACKING_PATTERNS_H_
#define GANGPACK_CORE_PACKING_PATTERNS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/packing_model.h"

namespace gangpack {

struct PatternClass {
  int size = 0;
  std::vector<int> count;  // patterns x kinds
  std::vector<uint8_t>
      first_group;  // patterns x clauses: needs the first-group exception of a level 0 clause
  bool truncated = false;
};

struct PatternTable {
  std::vector<PatternClass> classes;
  std::vector<int> class_of_node;
};

// Cost: O(nodes x kinds x resources) plus, per class, O(mixes looked at x kinds^2).
PatternTable EnumeratePatterns(const PackingModel& model, PackingBudget* budget);

}  // namespace gangpack

#endif  // GANGPACK_CORE_PACKING_PATTERNS_H_
