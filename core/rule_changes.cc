#include "core/rule_changes.h"

namespace gangpack {

void RuleChangeLog::Append(const RuleChange& change) {
  if (entries_.size() >= 2 * kKept) {
    entries_.erase(entries_.begin(), entries_.begin() + static_cast<int64_t>(kKept));
    base_ += static_cast<int64_t>(kKept);
  }
  entries_.push_back(change);
  if (change.better) ++improvements_;
}

}  // namespace gangpack
