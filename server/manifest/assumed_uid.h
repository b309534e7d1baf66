// UIDs for objects whose manifests leave them out.
#ifndef GANGPACK_SERVER_MANIFEST_ASSUMED_UID_H_
#define GANGPACK_SERVER_MANIFEST_ASSUMED_UID_H_

#include <cstdint>
#include <string>

#include "core/ids.h"

namespace gangpack::server {

struct ObjectIncarnation {
  std::string kind;
  NamespacedName name;      // no namespace for cluster-scoped kinds
  int64_t incarnation = 0;  // how often an object of this kind and name was deleted before
};

// A UID in the form of a UUID, the same for the same argument in every process and version.
std::string AssumedUid(const ObjectIncarnation& object);

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_MANIFEST_ASSUMED_UID_H_
