// The extender protocol from kube-scheduler's side: what it sends, and what it reads in the
// answers.
//
// Errors: an answer that cannot be used is one with an error text, as kube-scheduler has it.
// Not here: the server's side (extender_handler.h), who carries the bytes (codec_extender.h, and
// the demo's http_extender.h).
#ifndef GANGPACK_SERVER_SIMULATE_EXTENDER_WIRE_H_
#define GANGPACK_SERVER_SIMULATE_EXTENDER_WIRE_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "server/http_message.h"
#include "server/manifest/cluster_object.h"
#include "server/simulate/extender.h"

namespace gangpack::server {

// The body of filter and prioritize. Of the Pod it has what an extender may look at.
std::string FilterBody(const PodObject& pod, const std::vector<std::string>& nodes);
ExtenderFilterAnswer ReadFilterAnswer(const HttpAnswer& answer);

// No scores where the call failed: kube-scheduler goes on without them.
std::map<std::string, int64_t> ReadPrioritizeAnswer(const HttpAnswer& answer);

std::string BindBody(const ExtenderBind& bind);
// Empty if the pod is bound.
std::string ReadBindAnswer(const HttpAnswer& answer);

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_SIMULATE_EXTENDER_WIRE_H_
