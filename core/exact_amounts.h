// Amounts of resources as finely as the API server keeps them, so that sums are rounded once.
//
// Units: thousandths of a core, a byte, a device. Never negative. A name that is absent means 0.
// Cost: linear in names. Not here: amounts in the engine's units (resources.h).
#ifndef GANGPACK_CORE_EXACT_AMOUNTS_H_
#define GANGPACK_CORE_EXACT_AMOUNTS_H_

#include <string>

#include "absl/container/btree_map.h"
#include "absl/numeric/int128.h"
#include "core/resources.h"

namespace gangpack {

using ExactAmounts = absl::btree_map<std::string, absl::int128>;

// Adds `add` to `*sum`, and raises `*sum` to `other` where that is larger, name by name.
void AddAmounts(const ExactAmounts& add, ExactAmounts* sum);
void MaxAmounts(const ExactAmounts& other, ExactAmounts* sum);

// In the units of resources.h, rounded up, at most INT64_MAX; and back.
ResourceAmounts RoundedUp(const ExactAmounts& amounts);
ExactAmounts Exactly(const ResourceAmounts& amounts);

}  // namespace gangpack

#endif  // GANGPACK_CORE_EXACT_AMOUNTS_H_
