// The answers to filter and prioritize, written from the engine's decision straight into the bytes
// that go out.
//
// Terms: as in core/calls.h and extender_codec.h.
// Ownership: nothing is kept. Determinism: a function of the arguments, byte for byte.
// Cost: O(offered nodes), one buffer.
// Not here: the decision (core/engine.h), the other messages (extender_codec.h).
#ifndef GANGPACK_SERVER_FILTER_ANSWER_H_
#define GANGPACK_SERVER_FILTER_ANSWER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "core/calls.h"
#include "server/extender_args.h"

namespace gangpack::server {

// The names of the offered nodes, in the order of the call. `buffer` is used where they came whole.
const NodeNames& OfferedNames(const ExtenderArgs& args, NodeNames& buffer);

// Accepted nodes come back in the list they came in: names or whole nodes. Refusals are
// unresolvable, or kube-scheduler would evict pods for them in vain. A reason that all other nodes
// share is one entry, and none where a node is accepted.
std::string FilterAnswer(const ExtenderArgs& args, const FilterDecision& decision);

// `scores` is aligned with the offered names.
std::string PrioritizeAnswer(const ExtenderArgs& args, const std::vector<int64_t>& scores);

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_FILTER_ANSWER_H_
