// A Kubernetes Node as the engine needs it. Value type.
#ifndef GANGPACK_CORE_NODE_H_
#define GANGPACK_CORE_NODE_H_

#include <string>
#include <vector>

#include "core/resources.h"
#include "core/selector.h"

namespace gangpack {

enum class TaintEffect { kNoSchedule, kPreferNoSchedule, kNoExecute };

struct Taint {
  std::string key;
  std::string value;
  TaintEffect effect = TaintEffect::kNoSchedule;

  friend bool operator==(const Taint&, const Taint&) = default;
};

struct Node {
  std::string name;
  Labels labels;
  std::vector<Taint> taints;
  bool unschedulable = false;   // spec.unschedulable: cordoned
  ResourceAmounts allocatable;  // includes `pods`

  friend bool operator==(const Node&, const Node&) = default;
};

}  // namespace gangpack

#endif  // GANGPACK_CORE_NODE_H_
