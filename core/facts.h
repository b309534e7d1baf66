// Everything the engine can be told. A closed set: the engine never asks the world anything.
//
// Facts about objects carry the whole object as it is now; telling the same fact again changes
// nothing.
#ifndef GANGPACK_CORE_FACTS_H_
#define GANGPACK_CORE_FACTS_H_

#include <string>
#include <variant>

#include "core/ids.h"
#include "core/node.h"
#include "core/pod.h"
#include "core/pod_group.h"

namespace gangpack {

struct NodeChanged {
  Node node;
};
struct NodeGone {
  std::string name;
};
struct PodChanged {
  Pod pod;
};
struct PodGone {
  PodUid uid;
};
struct PodGroupChanged {
  PodGroup group;
};
struct PodGroupGone {
  NamespacedName name;
};
struct NamespaceChanged {
  Namespace object;
};
struct NamespaceGone {
  std::string name;
};

// Every watch has been listed once: decisions may be made from now on. Before it every filter and
// bind is refused.
struct Synchronised {};

// How a BindPod effect ended. `error` is empty if the pod is bound.
struct BindingFinished {
  PodUid uid;
  std::string error;
};

// The caller of a held bind hung up: that member is no longer placed.
struct CallerGone {
  CallId call = 0;
};

using Fact =
    std::variant<NodeChanged, NodeGone, PodChanged, PodGone, PodGroupChanged, PodGroupGone,
                 NamespaceChanged, NamespaceGone, Synchronised, BindingFinished, CallerGone>;

}  // namespace gangpack

#endif  // GANGPACK_CORE_FACTS_H_
