// How many of something there are per value of one topology key.
//
// Few values are kept in a hash map, many in an array by value, so that a count is read fast and
// thousands of queries over a key with tens of thousands of values (host names) do not take an
// array each. Invariant: a count is never negative; `nonzero` is the number of values with one.
// Cost: At and Add O(1), amortized.
#ifndef GANGPACK_CORE_VALUE_COUNTS_H_
#define GANGPACK_CORE_VALUE_COUNTS_H_

#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "core/topology_values.h"

namespace gangpack {

class ValueCounts {
 public:
  int32_t At(TopologyValue value) const {
    if (value < 0) return 0;
    if (!dense_.empty()) {
      const size_t at = static_cast<size_t>(value);
      return at < dense_.size() ? dense_[at] : 0;
    }
    if (nonzero_ == 0) return 0;
    const auto it = sparse_.find(value);
    return it == sparse_.end() ? 0 : it->second;
  }

  // Returns the new count.
  int32_t Add(TopologyValue value, int32_t change);

  int32_t nonzero() const { return nonzero_; }

  // Calls visit(value, count) for every value with a count, in no order.
  template <typename Visit>
  void ForEach(const Visit& visit) const {
    for (size_t at = 0; at < dense_.size(); ++at) {
      if (dense_[at] != 0) visit(static_cast<TopologyValue>(at), dense_[at]);
    }
    for (const auto& [value, count] : sparse_) visit(value, count);
  }

 private:
  void MakeDense();
  void MakeSparse();

  int32_t nonzero_ = 0;
  TopologyValue greatest_ = -1;  // value that ever was in `sparse_` since it was made
  absl::flat_hash_map<TopologyValue, int32_t> sparse_;
  std::vector<int32_t> dense_;
};

}  // namespace gangpack

#endif  // GANGPACK_CORE_VALUE_COUNTS_H_
