// Random containers of a pod, with what they request, the ports they take and what the kubelet says
// it has given them.
#ifndef GANGPACK_TESTS_ORACLE_RANDOM_CONTAINERS_H_
#define GANGPACK_TESTS_ORACLE_RANDOM_CONTAINERS_H_

#include "tests/oracle/json_tree.h"
#include "tests/support/prng.h"

namespace gangpack {

// Names in a node's allocatable, with amounts that a few pods of AddRandomContainers use up.
JsonTree RandomAllocatable(Prng* prng);

struct ContainerFeatures {
  bool resources = false;
  bool ports = false;
  bool bound = false;  // has a status
};

// Fills in the containers and what goes with them.
void AddRandomContainers(Prng* prng, const ContainerFeatures& features, JsonTree* pod);

}  // namespace gangpack

#endif  // GANGPACK_TESTS_ORACLE_RANDOM_CONTAINERS_H_
