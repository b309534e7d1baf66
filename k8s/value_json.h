// Writes the tree of document.h as JSON text.

#ifndef GANGPACK_K8S_VALUE_JSON_H_
#define GANGPACK_K8S_VALUE_JSON_H_

#include <string>

#include "k8s/document.h"

namespace gangpack::k8s {

// Compact, in the order of the tree; numbers keep their digits.
std::string ToJson(const Value& value);

}  // namespace gangpack::k8s

#endif  // GANGPACK_K8S_VALUE_JSON_H_
