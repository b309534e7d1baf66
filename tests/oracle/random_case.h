// Random clusters with pods to place, as JSON: small, and rich in the rules that decide whether a
// pod may use a node.
//
// Determinism: the same seed gives the same case. A few of a hundred hold something that the API
// server refuses; the oracle says so.
#ifndef GANGPACK_TESTS_ORACLE_RANDOM_CASE_H_
#define GANGPACK_TESTS_ORACLE_RANDOM_CASE_H_

#include <cstdint>

#include "tests/oracle/json_tree.h"

namespace gangpack {

// What a case is: our_verdicts.h.
JsonTree RandomCase(uint64_t seed);

// A case whose pending pods are the members of one gang, with its PodGroup in `groups`.
JsonTree RandomGangCase(uint64_t seed);

}  // namespace gangpack

#endif  // GANGPACK_TESTS_ORACLE_RANDOM_CASE_H_
