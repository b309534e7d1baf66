#include "core/exact_amounts.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace gangpack {
namespace {

// How many thousandths the unit of that resource has; cpu is counted in thousandths.
int UnitOf(const std::string& name) { return name == kResourceCpu ? 1 : 1000; }

}  // namespace

void AddAmounts(const ExactAmounts& add, ExactAmounts* sum) {
  for (const auto& [name, amount] : add) (*sum)[name] += amount;
}

void MaxAmounts(const ExactAmounts& other, ExactAmounts* sum) {
  for (const auto& [name, amount] : other) {
    absl::int128& largest = (*sum)[name];
    largest = std::max(largest, amount);
  }
}

ResourceAmounts RoundedUp(const ExactAmounts& amounts) {
  constexpr absl::int128 kMax = std::numeric_limits<int64_t>::max();
  ResourceAmounts rounded;
  for (const auto& [name, amount] : amounts) {
    const int unit = UnitOf(name);
    rounded[name] = static_cast<int64_t>(std::min(kMax, (amount + (unit - 1)) / unit));
  }
  return rounded;
}

ExactAmounts Exactly(const ResourceAmounts& amounts) {
  ExactAmounts exact;
  for (const auto& [name, amount] : amounts) exact[name] = absl::int128(amount) * UnitOf(name);
  return exact;
}

}  // namespace gangpack
