// Random rules of a pod about where it may run: selectors, tolerations, terms about other pods.
#ifndef GANGPACK_TESTS_ORACLE_RANDOM_RULES_H_
#define GANGPACK_TESTS_ORACLE_RANDOM_RULES_H_

#include "tests/oracle/json_tree.h"
#include "tests/support/prng.h"

namespace gangpack {

// spec.taints of a node.
JsonTree RandomTaints(Prng* prng);

// Each fills in its part of a pod's spec, or leaves it alone now and then.
void AddRandomTolerations(Prng* prng, JsonTree* spec);
void AddRandomNodeSelection(Prng* prng, JsonTree* spec);
void AddRandomPodTerms(Prng* prng, JsonTree* spec);
void AddRandomSpread(Prng* prng, JsonTree* spec);

}  // namespace gangpack

#endif  // GANGPACK_TESTS_ORACLE_RANDOM_RULES_H_
