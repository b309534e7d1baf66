// Random pieces that the objects of random cases are made of: quantities, labels, selectors.
//
// Amounts lie close to multiples of few units, so that sums meet limits exactly, or miss them by
// one. All have the form that the API server accepts.
#ifndef GANGPACK_TESTS_ORACLE_RANDOM_VALUES_H_
#define GANGPACK_TESTS_ORACLE_RANDOM_VALUES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "tests/oracle/json_tree.h"
#include "tests/support/prng.h"

namespace gangpack {

template <typename T>
const T& Pick(Prng* prng, const std::vector<T>& choices) {
  return choices[static_cast<size_t>(prng->Between(0, static_cast<int>(choices.size()) - 1))];
}

// An amount around a multiple of `unit`, up to `units_max` of them.
int64_t AroundMultiple(Prng* prng, int64_t unit, int units_max);

// One of the many ways to write an amount of thousandths, or of whole units; some are finer than
// that and are rounded up to it.
std::string SpellMilli(Prng* prng, int64_t milli);
std::string SpellWhole(Prng* prng, int64_t amount);

// Of a node: zones, racks and numbers, some of which are none.
JsonTree RandomNodeLabels(Prng* prng, const std::string& node_name);
// Of a pod: app, tier, ver and track, each there or not.
JsonTree RandomPodLabels(Prng* prng);
// A label selector over app and tier; now and then empty.
JsonTree RandomLabelSelector(Prng* prng);
// One requirement of a node selector term.
JsonTree RandomNodeRequirement(Prng* prng);

}  // namespace gangpack

#endif  // GANGPACK_TESTS_ORACLE_RANDOM_VALUES_H_
