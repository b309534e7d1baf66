// What is told of a gang's life on its PodGroup, as an event. Pure.
//
// A gang without a PodGroup has none: kube-scheduler's events on its pods say what is missing. Nor
// have members that wait, since there is one per pod, and a gang that is forming, since how many
// members exist would be out of date with the next one.
#ifndef GANGPACK_SERVER_KUBERNETES_GANG_EVENT_H_
#define GANGPACK_SERVER_KUBERNETES_GANG_EVENT_H_

#include <optional>

#include "core/effects.h"
#include "server/kubernetes/event_recorder.h"

namespace gangpack::server {

std::optional<EventNote> EventOf(const GangTransition& transition);

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_KUBERNETES_GANG_EVENT_H_
