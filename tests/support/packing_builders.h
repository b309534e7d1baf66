// Short ways to write down packing problems in tests.
//
// Resources are given in whatever order a test likes; node and kind indices are those of the order
// of adding.
#ifndef GANGPACK_TESTS_SUPPORT_PACKING_BUILDERS_H_
#define GANGPACK_TESTS_SUPPORT_PACKING_BUILDERS_H_

#include <vector>

#include "core/packing_problem.h"

namespace gangpack {

class PackingBuilder {
 public:
  // Kinds come before nodes and rules.
  PackingBuilder& Kind(int demand, const ResourceVector& request);
  // `groups`: per level >= 1, the group of all these nodes.
  PackingBuilder& Nodes(int count, const ResourceVector& free, const std::vector<int>& groups = {});
  PackingBuilder& Infeasible(int node, int kind);
  PackingBuilder& Placed(int node, int kind, int count = 1);
  PackingBuilder& Affinity(int kind, const std::vector<int>& selects, int level);
  PackingBuilder& AntiAffinity(int kind, const std::vector<int>& selects, int level);
  PackingBuilder& Conflict(int kind, int other);
  // Nodes (by index) in whose group of the last rule a pod outside the gang satisfies it.
  PackingBuilder& Outside(const std::vector<int>& nodes);
  PackingBuilder& SelectedElsewhere();

  // A constraint that binds and counts all kinds, with all nodes that have the label eligible.
  PackingBuilder& Spread(int level, int max_skew, const std::vector<int>& base,
                         int least_outside = PackingSpread::kNoOtherGroup);
  // Of the last constraint.
  PackingBuilder& Unbound(int kind);
  PackingBuilder& Uncounted(int kind);
  PackingBuilder& Ineligible(int node);
  PackingBuilder& LeastIsZero();

  const PackingProblem& problem() const { return problem_; }
  // The members in the order of their kinds.
  std::vector<int> Members() const;

 private:
  void AddRule(bool affinity, int kind, const std::vector<int>& selects, int level);

  PackingProblem problem_;
};

}  // namespace gangpack

#endif  // GANGPACK_TESTS_SUPPORT_PACKING_BUILDERS_H_
