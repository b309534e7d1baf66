#include "tests/unit/core/reference_pod_rules.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include "core/predicates.h"
#include "core/sibling_terms.h"

namespace gangpack {
namespace {

using PlacedPod = ReferenceCluster::PlacedPod;
using Pair = std::pair<std::string, std::string>;  // topology key and value
using Counts = std::map<Pair, int>;

const Labels* LabelsOf(const ReferenceCluster& cluster, NodeIndex node) {
  const auto it = cluster.nodes.find(node);
  return it == cluster.nodes.end() ? nullptr : &it->second.labels;
}

std::optional<std::string> Label(const Labels* labels, const std::string& key) {
  if (labels == nullptr) return std::nullopt;
  const auto it = labels->find(key);
  return it == labels->end() ? std::nullopt : std::make_optional(it->second);
}

Labels NamespaceLabels(const ReferenceCluster& cluster, const Pod& pod) {
  const auto it = cluster.namespaces.find(pod.name.namespace_name);
  return it == cluster.namespaces.end() ? Labels() : it->second;
}

PodRuleRejection Rejection(PodRule rule, const std::string& key, const std::string& value) {
  PodRuleRejection rejection;
  rejection.rule = rule;
  rejection.key = key;
  rejection.value = value;
  return rejection;
}

// The other pods on nodes that exist, by name.
std::vector<const PlacedPod*> Others(const ReferenceCluster& cluster, const std::string& uid) {
  std::vector<const PlacedPod*> others;
  for (const auto& [other_uid, placed] : cluster.pods) {
    if (other_uid != uid && cluster.nodes.count(placed.node) > 0) others.push_back(&placed);
  }
  std::sort(others.begin(), others.end(), [](const PlacedPod* a, const PlacedPod* b) {
    return std::tie(a->pod.name, a->pod.uid) < std::tie(b->pod.name, b->pod.uid);
  });
  return others;
}

bool SpreadMatches(const TopologySpreadConstraint& constraint, const Pod& owner,
                   const Labels& labels) {
  if (!constraint.selector.has_value() || !Matches(*constraint.selector, labels)) return false;
  return std::all_of(constraint.match_label_keys.begin(), constraint.match_label_keys.end(),
                     [&](const std::string& key) {
                       const auto wanted = Label(&owner.labels, key);
                       return !wanted.has_value() || Label(&labels, key) == wanted;
                     });
}

bool SelectorIsEmpty(const TopologySpreadConstraint& constraint, const Pod& owner) {
  return constraint.selector.has_value() && constraint.selector->requirements.empty() &&
         std::none_of(constraint.match_label_keys.begin(), constraint.match_label_keys.end(),
                      [&](const std::string& key) { return owner.labels.contains(key); });
}

bool CountsForSpread(const Node& node, const Pod& pod, const TopologySpreadConstraint& constraint) {
  for (const TopologySpreadConstraint& other : pod.spec.topology_spread) {
    if (!node.labels.contains(other.topology_key)) return false;
  }
  if (constraint.honor_node_affinity && CheckNodeAffinity(pod.spec, node).has_value()) return false;
  return !constraint.honor_taints || !CheckTaints(pod.spec, node).has_value();
}

std::map<std::string, int> SpreadCounts(const ReferenceCluster& cluster, const Pod& pod,
                                        const TopologySpreadConstraint& constraint) {
  std::map<std::string, int> counts;
  const std::vector<const PlacedPod*> others = Others(cluster, pod.uid.value);
  for (const auto& [index, node] : cluster.nodes) {
    if (!CountsForSpread(node, pod, constraint)) continue;
    int count = 0;
    for (const PlacedPod* other : others) {
      if (other->node != index || SelectorIsEmpty(constraint, pod)) continue;
      if (other->pod.terminating) continue;
      if (other->pod.name.namespace_name != pod.name.namespace_name) continue;
      if (SpreadMatches(constraint, pod, other->pod.labels)) ++count;
    }
    counts[node.labels.at(constraint.topology_key)] += count;
  }
  return counts;
}

std::optional<PodRuleRejection> CheckSpread(const ReferenceCluster& cluster, const Pod& pod,
                                            NodeIndex node) {
  for (const TopologySpreadConstraint& constraint : pod.spec.topology_spread) {
    const std::string& key = constraint.topology_key;
    const auto value = Label(LabelsOf(cluster, node), key);
    if (!value.has_value()) return Rejection(PodRule::kSpreadKey, key, "");
    std::map<std::string, int> counts = SpreadCounts(cluster, pod, constraint);
    int least = std::numeric_limits<int>::max();
    for (const auto& [domain, count] : counts) least = std::min(least, count);
    if (static_cast<int>(counts.size()) < constraint.min_domains) least = 0;
    const int self = SpreadMatches(constraint, pod, pod.labels) ? 1 : 0;
    const int count = counts[*value];
    if (count + self - least <= constraint.max_skew) continue;
    PodRuleRejection rejection = Rejection(PodRule::kSpread, key, *value);
    rejection.count = count;
    rejection.least = least;
    rejection.max_skew = constraint.max_skew;
    return rejection;
  }
  return std::nullopt;
}

std::optional<PodRuleRejection> CheckAffinity(const ReferenceCluster& cluster, const Pod& pod,
                                              NodeIndex node) {
  Counts counts;
  for (const PlacedPod* other : Others(cluster, pod.uid.value)) {
    if (!AffinitySelects(pod, other->pod, NamespaceLabels(cluster, other->pod))) continue;
    for (const PodAffinityTerm& term : pod.spec.required_affinity) {
      const auto value = Label(LabelsOf(cluster, other->node), term.topology_key);
      if (value.has_value()) ++counts[{term.topology_key, *value}];
    }
  }
  std::optional<PodRuleRejection> unmet;
  for (const PodAffinityTerm& term : pod.spec.required_affinity) {
    const std::string& key = term.topology_key;
    const auto value = Label(LabelsOf(cluster, node), key);
    if (!value.has_value()) return Rejection(PodRule::kAffinityKey, key, "");
    if (counts.count({key, *value}) == 0 && !unmet.has_value()) {
      unmet = Rejection(PodRule::kAffinity, key, *value);
    }
  }
  if (counts.empty() && AffinitySelects(pod, pod, NamespaceLabels(cluster, pod))) {
    return std::nullopt;
  }
  return unmet;
}

std::optional<PodRuleRejection> CheckAntiAffinity(const ReferenceCluster& cluster, const Pod& pod,
                                                  NodeIndex node) {
  for (const PodAffinityTerm& term : pod.spec.required_anti_affinity) {
    const auto value = Label(LabelsOf(cluster, node), term.topology_key);
    if (!value.has_value()) continue;
    for (const PlacedPod* other : Others(cluster, pod.uid.value)) {
      if (Label(LabelsOf(cluster, other->node), term.topology_key) != value) continue;
      if (!TermSelects(term, pod, other->pod, NamespaceLabels(cluster, other->pod))) continue;
      PodRuleRejection rejection = Rejection(PodRule::kAntiAffinity, term.topology_key, *value);
      rejection.pod = other->pod.name;
      return rejection;
    }
  }
  return std::nullopt;
}

std::optional<PodRuleRejection> CheckOtherAntiAffinity(const ReferenceCluster& cluster,
                                                       const Pod& pod, NodeIndex node) {
  for (const PlacedPod* other : Others(cluster, pod.uid.value)) {
    std::optional<PodRuleRejection> first;
    for (const PodAffinityTerm& term : other->pod.spec.required_anti_affinity) {
      const auto value = Label(LabelsOf(cluster, node), term.topology_key);
      if (!value.has_value()) continue;
      if (Label(LabelsOf(cluster, other->node), term.topology_key) != value) continue;
      if (!TermSelects(term, other->pod, pod, NamespaceLabels(cluster, pod))) continue;
      if (first.has_value() && first->key <= term.topology_key) continue;
      first = Rejection(PodRule::kOtherAntiAffinity, term.topology_key, *value);
      first->pod = other->pod.name;
    }
    if (first.has_value()) return first;
  }
  return std::nullopt;
}

}  // namespace

std::optional<PodRuleRejection> ReferenceCluster::Check(const std::string& uid,
                                                        NodeIndex node) const {
  const Pod& pod = pods.at(uid).pod;
  if (auto rejection = CheckSpread(*this, pod, node)) return rejection;
  if (auto rejection = CheckAffinity(*this, pod, node)) return rejection;
  if (auto rejection = CheckAntiAffinity(*this, pod, node)) return rejection;
  return CheckOtherAntiAffinity(*this, pod, node);
}

}  // namespace gangpack
