// Small random packing problems, plain and crowded ones alike: the seed decides everything.
#ifndef GANGPACK_TESTS_UNIT_CORE_RANDOM_PACKING_H_
#define GANGPACK_TESTS_UNIT_CORE_RANDOM_PACKING_H_

#include <cstdint>
#include <vector>

#include "core/packing_model.h"
#include "core/packing_problem.h"

namespace gangpack {

struct RandomPacking {
  PackingProblem problem;
  std::vector<int> kind_of_member;  // in a random order of preference

  int members() const { return static_cast<int>(kind_of_member.size()); }
};

// Up to 5 members of 4 kinds, 4 nodes, 3 resources, 2 levels, with rules, conflicts, placed
// siblings and infeasible nodes in varying measure.
RandomPacking MakeRandomPacking(uint64_t seed);

// The same with one or two spread constraints, and rules between siblings in fewer cases.
RandomPacking MakeRandomSpreadPacking(uint64_t seed);

// A placement of all or some members, written as a plan is: node per member, -1 if there is none.
std::vector<int> NodesOf(const PackingModel& model, const PackingPlacement& placement,
                         const std::vector<int>& kind_of_member);

}  // namespace gangpack

#endif  // GANGPACK_TESTS_UNIT_CORE_RANDOM_PACKING_H_
