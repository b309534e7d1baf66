// Names and identities of Kubernetes objects as the engine uses them.
#ifndef GANGPACK_CORE_IDS_H_
#define GANGPACK_CORE_IDS_H_

#include <cstdint>
#include <string>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"

namespace gangpack {

// A namespaced object's name; ordered by namespace, then name, byte-wise.
struct NamespacedName {
  std::string namespace_name;
  std::string name;

  std::string ToString() const { return absl::StrCat(namespace_name, "/", name); }
  friend bool operator==(const NamespacedName& a, const NamespacedName& b) {
    return a.name == b.name && a.namespace_name == b.namespace_name;
  }
  friend bool operator<(const NamespacedName& a, const NamespacedName& b) {
    return std::tie(a.namespace_name, a.name) < std::tie(b.namespace_name, b.name);
  }
  template <typename H>
  friend H AbslHashValue(H h, const NamespacedName& n) {
    return H::combine(std::move(h), n.namespace_name, n.name);
  }
};

// metadata.uid of a pod: the key of every pod, since a re-created pod of the same name is another
// pod.
struct PodUid {
  std::string value;

  friend bool operator==(const PodUid& a, const PodUid& b) { return a.value == b.value; }
  friend bool operator<(const PodUid& a, const PodUid& b) { return a.value < b.value; }
  template <typename H>
  friend H AbslHashValue(H h, const PodUid& u) {
    return H::combine(std::move(h), u.value);
  }
};

// Where a pod stands among all pods: by namespace and name, then by UID.
struct PodPosition {
  NamespacedName name;
  PodUid uid;
};

// Identifies one held bind call; chosen by the caller of Engine::Bind, never 0, never reused.
using CallId = uint64_t;

}  // namespace gangpack

#endif  // GANGPACK_CORE_IDS_H_
