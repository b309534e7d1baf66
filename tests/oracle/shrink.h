// Makes a failing case small.
#ifndef GANGPACK_TESTS_ORACLE_SHRINK_H_
#define GANGPACK_TESTS_ORACLE_SHRINK_H_

#include <functional>

#include "tests/oracle/json_tree.h"

namespace gangpack {

// Takes out items and members, whole ones before their parts, for as long as `fails` holds, which
// must hold for `test_case`. In the result no single item or member can be taken out.
// Cost: pieces x rounds calls of `fails`, where each round but the last takes something out.
JsonTree Shrink(JsonTree test_case, const std::function<bool(const JsonTree&)>& fails);

}  // namespace gangpack

#endif  // GANGPACK_TESTS_ORACLE_SHRINK_H_
