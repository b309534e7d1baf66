// What a change of a watched object is to the engine.
//
// Pods of every scheduler are facts: they use what their nodes have. Pure.
// Not here: which changes there are (k8s/reflector.h).
#ifndef GANGPACK_SERVER_KUBERNETES_OBJECT_FACTS_H_
#define GANGPACK_SERVER_KUBERNETES_OBJECT_FACTS_H_

#include "core/facts.h"
#include "k8s/known_objects.h"
#include "k8s/resource_type.h"

namespace gangpack::server {

// `type` is what is watched. Moves the object out of `change`.
Fact FactOf(k8s::ResourceType type, k8s::ObjectChange change);

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_KUBERNETES_OBJECT_FACTS_H_
