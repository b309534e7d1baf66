#include "k8s/backoff.h"

#include <algorithm>
#include <cstdint>

namespace gangpack::k8s {
namespace {

constexpr int kMaxDoublings = 30;

}  // namespace

absl::Duration Backoff::Failed(int jitter_permille) {
  const int doublings = std::min(failures_, kMaxDoublings);
  failures_ = std::min(failures_ + 1, kMaxDoublings + 1);
  const absl::Duration whole = std::min(options_.initial * (int64_t{1} << doublings), options_.max);
  return whole / 2 + whole / 2 * std::clamp(jitter_permille, 0, 1000) / 1000;
}

void Backoff::Worked(absl::Duration lasted) {
  if (lasted >= options_.reset_after) Reset();
}

}  // namespace gangpack::k8s
