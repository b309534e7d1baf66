// How good the offered nodes are for a pod that is placed by itself.
//
// Cost: O(offered names + nodes in domains of the default key).
// Not here: the order of domains (scoring.h).
#ifndef GANGPACK_CORE_STANDALONE_SCORES_H_
#define GANGPACK_CORE_STANDALONE_SCORES_H_

#include <cstdint>
#include <vector>

#include "core/calls.h"
#include "core/engine_state.h"

namespace gangpack {

// scoring.h over the domains of the default key; 0 for all where standalone packing is off.
std::vector<int64_t> ScoreStandalone(const EngineState& state, const PodRecord& pod,
                                     const FilterRequest& request);

// Of these positions of known nodes in the request, the one that suits the pod best: by
// ScoreStandalone, then the one that stays the emptiest (the mean of the free shares of cpu and
// memory in percent, as kube-scheduler's NodeResourcesFit scores by default), then the first by
// name. For a pod that must get one node, so that kube-scheduler has nothing to score.
int BestPosition(const EngineState& state, const PodRecord& pod, const FilterRequest& request,
                 const std::vector<int>& positions);

}  // namespace gangpack

#endif  // GANGPACK_CORE_STANDALONE_SCORES_H_
