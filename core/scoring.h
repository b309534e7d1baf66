// Standalone packing: partly used domains fill first so that whole domains stay free.
//
// Order, best first: broken domains, the fuller first (the larger share of nodes in use, then the
// larger share in use of the pod's scarcest resource; shares compared by cross-multiplication in
// 128 bits; of nothing the share is 0); then unlabelled nodes (neutral); then untouched domains. A
// domain is broken when a pod other than a DaemonSet's or a mirror pod uses one of its nodes.
//
// Determinism: domains that are equally full get the same score, whatever their order.
//
// Cost: O(D log D) for D domains.
//
// Not here: which pods break a domain and which resource is the scarcest (cluster_state.h).
#ifndef GANGPACK_CORE_SCORING_H_
#define GANGPACK_CORE_SCORING_H_

#include <cstdint>
#include <vector>

namespace gangpack {

// One step of the order; scores are not capped. kube-scheduler adds score x weight x 10, so a step
// is worth 2500 points at the default weight of 10. Its own plugins together differ by at most 2300
// between two nodes (100 x the sum of their weights: NodeResourcesFit 10 in our profile,
// TaintToleration 3, NodeAffinity, InterPodAffinity, PodTopologySpread and DynamicResources 2 each,
// NodeResourcesBalancedAllocation and ImageLocality 1 each): packing outweighs them.
inline constexpr int64_t kScoreStep = 25;

// How full one domain is, from the view of one pod.
struct DomainFullness {
  int64_t nodes = 0;          // nodes in the domain
  int64_t nodes_in_use = 0;   // with a pod that breaks it
  int64_t scarcest_used = 0;  // of the pod's scarcest resource there, in the units of resources.h
  int64_t scarcest_total = 0;
};

// The score of each domain, in the order given, and of nodes outside any domain.
struct PackingScores {
  std::vector<int64_t> domain;
  int64_t unlabelled = 0;
};
PackingScores ScoreDomains(const std::vector<DomainFullness>& domains);

}  // namespace gangpack

#endif  // GANGPACK_CORE_SCORING_H_
