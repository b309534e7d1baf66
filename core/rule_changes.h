// What changed in the counts behind the rules between pods, so that answers that were kept for
// later are looked at again only where they can have changed.
//
// Terms. Counter: a TermUnit or a SpreadQuery, by its number, which is never used again. An entry
// says that a node with this value of this key may now be answered otherwise by this counter;
// without a value, any node. Counts that stay above zero make no entry for terms, since only zero
// or not matters there; for spread every change makes one. Readers catch up at their own pace.
// Cost: Append O(1), amortized; the log keeps between kKept and 2 kKept entries.
#ifndef GANGPACK_CORE_RULE_CHANGES_H_
#define GANGPACK_CORE_RULE_CHANGES_H_

#include <cstdint>
#include <vector>

#include "core/topology_values.h"

namespace gangpack {

enum class RuleSide : uint8_t {
  kAffinity,  // placed pods that an affinity set selects
  kSelected,  // placed pods that an anti-affinity term selects
  kCarriers,  // placed pods that carry an anti-affinity term
  kSpread,    // placed pods that a spread constraint counts
};

struct RuleChange {
  int64_t counter = 0;
  RuleSide side = RuleSide::kAffinity;
  TopologyKeyIndex key = -1;
  TopologyValue value = kNoValue;  // kNoValue: any node
  bool better = false;             // a pod may be allowed where it was not
};

class RuleChangeLog {
 public:
  static constexpr size_t kKept = size_t{1} << 16;

  int64_t NewCounter() { return ++counters_; }
  void Append(const RuleChange& change);
  // How many of all appended entries were for the better.
  int64_t improvements() const { return improvements_; }
  int64_t end() const { return base_ + static_cast<int64_t>(entries_.size()); }
  // False if the log no longer reaches back to `position`.
  bool Reaches(int64_t position) const { return position >= base_; }
  const RuleChange& At(int64_t position) const {
    return entries_[static_cast<size_t>(position - base_)];
  }

 private:
  int64_t counters_ = 0;
  int64_t improvements_ = 0;
  int64_t base_ = 0;
  std::vector<RuleChange> entries_;
};

}  // namespace gangpack

#endif  // GANGPACK_CORE_RULE_CHANGES_H_
