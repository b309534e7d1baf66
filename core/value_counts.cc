#include "core/value_counts.h"

#include <algorithm>

#include "core/check.h"

namespace gangpack {
namespace {

// An array is taken where at least one in kDenseShare of its places would be in use, and given up
// where fewer than one in kSparseShare is: far enough apart that neither is done over and over.
constexpr size_t kDenseShare = 8;
constexpr size_t kSparseShare = 32;

}  // namespace

int32_t ValueCounts::Add(TopologyValue value, int32_t change) {
  CORE_CHECK(value >= 0);
  const size_t at = static_cast<size_t>(value);
  if (!dense_.empty() && at >= dense_.size()) {
    const size_t size = std::max(at + 1, dense_.size() + dense_.size() / 2);
    if (static_cast<size_t>(nonzero_ + 1) * kSparseShare < size) {
      MakeSparse();
    } else {
      dense_.resize(size, 0);
    }
  }
  int32_t* count = dense_.empty() ? &sparse_[value] : &dense_[at];
  const int32_t old = *count;
  *count += change;
  const int32_t now = *count;
  CORE_CHECK(now >= 0);
  nonzero_ += (now != 0 ? 1 : 0) - (old != 0 ? 1 : 0);
  if (dense_.empty()) {
    if (now == 0) sparse_.erase(value);
    greatest_ = std::max(greatest_, value);
    if (static_cast<size_t>(nonzero_) * kDenseShare > static_cast<size_t>(greatest_)) MakeDense();
  } else if (static_cast<size_t>(nonzero_) * kSparseShare < dense_.size()) {
    MakeSparse();
  }
  return now;
}

void ValueCounts::MakeDense() {
  dense_.assign(static_cast<size_t>(greatest_) + 1, 0);
  for (const auto& [value, count] : sparse_) dense_[static_cast<size_t>(value)] = count;
  absl::flat_hash_map<TopologyValue, int32_t>().swap(sparse_);
}

void ValueCounts::MakeSparse() {
  sparse_.reserve(static_cast<size_t>(nonzero_));
  greatest_ = -1;
  for (size_t at = 0; at < dense_.size(); ++at) {
    if (dense_[at] == 0) continue;
    sparse_.emplace(static_cast<TopologyValue>(at), dense_[at]);
    greatest_ = static_cast<TopologyValue>(at);
  }
  std::vector<int32_t>().swap(dense_);
}

}  // namespace gangpack
