#include "core/standalone_scores.h"

#include <algorithm>
#include <tuple>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "core/scoring.h"

namespace gangpack {
namespace {

// The resource of which the pod asks for the largest share of all that the indexed domains have.
ResourceId ScarcestResource(const ResourceVector& request, const ResourceVector& total) {
  ResourceId scarcest = kCpuId;
  __int128 requested = 0;
  __int128 available = 1;
  for (size_t i = 0; i < request.size(); ++i) {
    const ResourceId id = static_cast<ResourceId>(i);
    if (id == kPodsId || request[i] <= 0 || AmountOf(total, id) <= 0) continue;
    // request / total > requested / available, by cross-multiplication.
    if (static_cast<__int128>(request[i]) * available <= requested * AmountOf(total, id)) continue;
    scarcest = id;
    requested = request[i];
    available = AmountOf(total, id);
  }
  return scarcest;
}

// What stays free of cpu and memory with the pod on the node, in percent, added.
int64_t FreePercent(const ResourceVector& request, const NodeRecord& node) {
  int64_t sum = 0;
  for (const ResourceId id : {kCpuId, kMemoryId}) {
    const __int128 all = AmountOf(node.allocatable, id);
    const __int128 used = __int128{AmountOf(node.used, id)} + AmountOf(request, id);
    if (all > 0 && used < all) sum += static_cast<int64_t>((all - used) * 100 / all);
  }
  return sum;
}

}  // namespace

std::vector<int64_t> ScoreStandalone(const EngineState& state, const PodRecord& pod,
                                     const FilterRequest& request) {
  std::vector<int64_t> scores(request.node_names.size(), 0);
  const Policy& policy = state.policy;
  if (!policy.standalone_domain_packing || policy.default_topology_key.empty()) return scores;
  const TopologyIndex& topology = state.cluster.topology();
  const TopologyKeyIndex key = topology.FindKey(policy.default_topology_key);
  ResourceVector total;
  for (const auto& [name, domain] : topology.DomainsByName(key)) {
    for (const NodeIndex node : topology.domain(domain).nodes) {
      AddVector(state.cluster.node(node).allocatable, &total);
    }
  }
  const ResourceId scarcest = ScarcestResource(pod.request, total);
  std::vector<DomainFullness> fullness;
  absl::flat_hash_map<DomainIndex, size_t> position;
  for (const auto& [name, domain] : topology.DomainsByName(key)) {
    if (topology.domain(domain).nodes.empty()) continue;
    DomainFullness full;
    for (const NodeIndex index : topology.domain(domain).nodes) {
      const NodeRecord& node = state.cluster.node(index);
      ++full.nodes;
      if (node.breaking_pods > 0) ++full.nodes_in_use;
      full.scarcest_used = SaturatingAdd(full.scarcest_used, AmountOf(node.used, scarcest));
      full.scarcest_total =
          SaturatingAdd(full.scarcest_total, AmountOf(node.allocatable, scarcest));
    }
    position[domain] = fullness.size();
    fullness.push_back(full);
  }
  const PackingScores packing = ScoreDomains(fullness);
  for (size_t i = 0; i < scores.size(); ++i) {
    const NodeIndex node = state.cluster.FindNode(request.node_names[i]);
    const DomainIndex domain = node == kNoNode ? kNoDomain : topology.DomainOf(key, node);
    scores[i] = domain == kNoDomain ? packing.unlabelled : packing.domain[position.at(domain)];
  }
  return scores;
}

int BestPosition(const EngineState& state, const PodRecord& pod, const FilterRequest& request,
                 const std::vector<int>& positions) {
  const std::vector<int64_t> packing = ScoreStandalone(state, pod, request);
  int best = -1;
  std::tuple<int64_t, int64_t, absl::string_view> least;
  for (const int position : positions) {
    const size_t at = static_cast<size_t>(position);
    const NodeRecord& node = state.cluster.node(state.cluster.FindNode(request.node_names[at]));
    std::tuple<int64_t, int64_t, absl::string_view> rank(
        -packing[at], -FreePercent(pod.request, node), request.node_names[at]);
    if (best >= 0 && !(rank < least)) continue;
    best = position;
    least = rank;
  }
  return best;
}

}  // namespace gangpack
