// What is asked of a packing and what it answers: limits, counts and plans.
//
// Terms: those of packing_problem.h. Units: counts are members. Not here: the questions
// (packing.h).
#ifndef GANGPACK_CORE_PACKING_ANSWER_H_
#define GANGPACK_CORE_PACKING_ANSWER_H_

#include <cstdint>
#include <vector>

namespace gangpack {

// Named limits of the search, per domain and call; policy.h says what reaching each comes to.
struct PackingLimits {
  int64_t states_max = 200000;  // packing_states_max: partial plans looked at in steps 3 and 4
  // What EvaluatePacking is asked. 0: the exact maximum. Otherwise only whether all fit and whether
  // this many fit; `most_placed` may then be less than the maximum, on the same side of `enough`.
  int enough = 0;
  int64_t shown_states_max = 2000;  // for EvaluateFor (domain_ranking.h)
  int backtrack_members_max = 64;   // more are left to step 4, which then is the quicker one
  int lighter_tries_max = 8;        // in step 2
  int state_comparisons_max = 64;   // in step 4
};

struct PackingAnswer {
  int most_placed = 0;    // the most members that any plan found places
  bool fits_all = false;  // most_placed equals the demand
  // The search was cut off by PackingLimits::states_max: that no more fit is then not proved.
  bool limit_reached = false;
};

struct PackingPlan {
  bool found = false;
  // The search was cut off: no plan found does not mean there is none; a plan found is valid, but a
  // set of members that is preferred to its set may have been missed.
  bool limit_reached = false;
  // Per member, in the order given: index into problem.nodes, -1 if not chosen.
  std::vector<int> node_of_member;
};

}  // namespace gangpack

#endif  // GANGPACK_CORE_PACKING_ANSWER_H_
