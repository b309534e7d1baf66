// A value as compact JSON with sorted keys, as Go's encoding/json prints it.

#ifndef GANGPACK_TESTS_UNIT_K8S_VALUE_TEXT_H_
#define GANGPACK_TESTS_UNIT_K8S_VALUE_TEXT_H_

#include <string>

#include "k8s/document.h"

namespace gangpack::k8s {

std::string ValueText(const Value& value);
// The roots, one after the other, separated by a space.
std::string RootsText(const Documents& documents);

}  // namespace gangpack::k8s

#endif  // GANGPACK_TESTS_UNIT_K8S_VALUE_TEXT_H_
