// Whether the members of a plan can be placed one after the other under topology spread.
//
// For one constraint the counts after the plan decide (packing_spread.h). For several they are
// necessary. A constraint whose least the plan leaves as it is, and that counts just the members
// that it binds, allows every order if the counts after the plan are allowed. If no more than one
// other is left, there is an order; else orders are tried: members alike in all constraints and
// groups are one, those that raise the lowest counts go first, those that no constraint binds when
// nobody else can go. Counts: after some members the rest either can be placed or not, whatever the
// order of those, so each such set is looked at once. Limit: `steps_max` members placed or taken
// back. Cost: a step is O(sorts of members x constraints). Not here: how a plan is found
// (packing_spread.h, packing_steps.h).
#ifndef GANGPACK_CORE_PACKING_SPREAD_ORDER_H_
#define GANGPACK_CORE_PACKING_SPREAD_ORDER_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/container/btree_map.h"
#include "core/packing_problem.h"

namespace gangpack {

// The counts of all constraints on the way.
class SpreadCounts {
 public:
  // `problem` must outlive this. `constraints` are indexes into problem.spread.
  SpreadCounts(const PackingProblem& problem, std::vector<int> constraints);

  // Whether one member more of `kind` (of the problem) may go to `node` next.
  bool Allows(int kind, int node) const;
  // Counts a member in (`change` 1) or out (-1).
  void Count(int kind, int node, int change);

  // How far the member's groups would be above the least: less is better to go on with.
  int64_t Height(int kind, int node) const;
  // Everything that tells places of members apart here.
  std::vector<int> Signature(int kind, int node) const;
  bool Binds(int kind) const;
  size_t constraints() const { return constraints_.size(); }
  int64_t Least(size_t constraint) const { return constraints_[constraint].Least(); }
  // Whether the constraint counts the member if and only if it binds it.
  bool CountsAsItBinds(size_t constraint, int kind, int node) const;
  // Whether, with the plan counted in, the caps of every constraint hold for this member.
  bool WithinCaps(int kind, int node) const;

 private:
  struct Constraint {
    const PackingSpread* spread = nullptr;
    std::vector<int> group;                 // per node, dense, -1 where the label lacks
    std::vector<int> base;                  // per group
    std::vector<int> count;                 // per group
    std::vector<int> capped;                // per group: bound and counted members placed
    std::vector<uint8_t> takes_part;        // per group: in the least
    absl::btree_map<int, int> groups_with;  // of those: by count
    int64_t Least() const;
    bool Counts(int kind, int node) const;
  };

  std::vector<Constraint> constraints_;
};

constexpr int64_t kSpreadOrderStepsMax = 20000;  // for FindSpreadOrder, in a plan

enum class SpreadOrder { kExists, kNone, kUnknown };

// `node_of_member` is aligned with `kind_of_member`; -1: not planned.
SpreadOrder FindSpreadOrder(const PackingProblem& problem, const std::vector<int>& kind_of_member,
                            const std::vector<int>& node_of_member, int64_t steps_max);

}  // namespace gangpack

#endif  // GANGPACK_CORE_PACKING_SPREAD_ORDER_H_
