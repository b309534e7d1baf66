// The plan that our engine makes for the gang of a case.
#ifndef GANGPACK_TESTS_ORACLE_GANG_PLAN_H_
#define GANGPACK_TESTS_ORACLE_GANG_PLAN_H_

#include <optional>

#include "k8s/document.h"
#include "tests/oracle/json_tree.h"

namespace gangpack {

// A list of `pod` (NAMESPACE/NAME) and `node`, one for each member; absent where the engine finds
// no place for the gang, or the case cannot be read.
std::optional<JsonTree> PlanGang(const k8s::Value& test_case);

}  // namespace gangpack

#endif  // GANGPACK_TESTS_ORACLE_GANG_PLAN_H_
