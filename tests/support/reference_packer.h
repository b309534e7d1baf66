// A deliberately dumb packer: tries every node for every member and checks the rules word by word
// as packing.h states them.
//
// Only for small problems: it looks at (nodes + 1) ^ members assignments.
// Not here: anything clever; it shares no code with core/packing.
#ifndef GANGPACK_TESTS_SUPPORT_REFERENCE_PACKER_H_
#define GANGPACK_TESTS_SUPPORT_REFERENCE_PACKER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "core/packing.h"

namespace gangpack {

// True if these members can be on these nodes at once (-1: not placed). `why` says what is wrong,
// if it is not null.
bool AssignmentIsValid(const PackingProblem& problem, const std::vector<int>& kind_of_member,
                       const std::vector<int>& node_of_member, std::string* why);

class ReferencePacker {
 public:
  ReferencePacker(const PackingProblem& problem, const std::vector<int>& kind_of_member);

  // The most members that any valid assignment places.
  int MostPlaced() const;

  // The first set of exactly `need` members in lexicographic order of preference, ascending; empty
  // and `*found` false if none.
  std::vector<int> FirstSet(int need, bool* found) const;

 private:
  int members_;
  std::vector<uint8_t>
      placeable_;  // per set of members, as a bit mask: 1 if a valid assignment places just these
};

}  // namespace gangpack

#endif  // GANGPACK_TESTS_SUPPORT_REFERENCE_PACKER_H_
