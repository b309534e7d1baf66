// The pods that the rules between pods know, by UID, by class and by node.
//
// Terms. Class: pods of one namespace with equal labels, so all selected by the same terms
// (pod_selections.h). Placed: on a node, which need not exist; then in the lists here.
// Invariant: a placed pod is in the list of its class and in that of its node.
// Ownership: records are owned here and have stable addresses until Erase.
// Cost: O(1) each.
#ifndef GANGPACK_CORE_RULE_PODS_H_
#define GANGPACK_CORE_RULE_PODS_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "core/ids.h"
#include "core/topology_index.h"

namespace gangpack {

using PodClassIndex = int32_t;
inline constexpr PodClassIndex kNoPodClass = -1;

struct TermUnit;     // pod_term_index.h
struct SpreadQuery;  // topology_spread.h

// What a pod carries of required terms, interned.
struct CarriedTerms {
  TermUnit* affinity = nullptr;          // all its affinity terms together; null without any
  std::vector<TermUnit*> anti_affinity;  // in the pod's order, without repetitions

  friend bool operator==(const CarriedTerms&, const CarriedTerms&) = default;
};

// A hard spread constraint as a pod carries it.
struct CarriedSpread {
  SpreadQuery* query = nullptr;
  int32_t max_skew = 1;
  int32_t min_domains = 1;
  bool self_matches = false;

  friend bool operator==(const CarriedSpread&, const CarriedSpread&) = default;
};

struct RulePod {
  PodUid uid;
  NamespacedName name;
  PodClassIndex pod_class = kNoPodClass;
  NodeIndex node = kNoNode;
  bool terminating = false;
  CarriedTerms terms;
  std::vector<CarriedSpread> spread;  // in the pod's order

  // Places in the lists of RulePods, kept by it.
  size_t class_position = 0;
  size_t node_position = 0;
};

class RulePods {
 public:
  RulePod* Find(const PodUid& uid) const;
  // There must be none of this UID.
  RulePod* Insert(const PodUid& uid);
  // The pod must not be placed.
  void Erase(const PodUid& uid);
  size_t size() const { return by_uid_.size(); }

  // Puts the pod into, and takes it out of, the lists of the class and the node that it names.
  void Place(RulePod* pod);
  void Displace(RulePod* pod);

  // In no order.
  const std::vector<RulePod*>& OfClass(PodClassIndex pod_class) const;
  const std::vector<RulePod*>& OnNode(NodeIndex node) const;

 private:
  absl::flat_hash_map<PodUid, std::unique_ptr<RulePod>> by_uid_;
  std::vector<std::vector<RulePod*>> of_class_;
  std::vector<std::vector<RulePod*>> on_node_;
};

}  // namespace gangpack

#endif  // GANGPACK_CORE_RULE_PODS_H_
