#include "core/surplus_rules.h"

#include <algorithm>

#include "core/awaited_siblings.h"
#include "core/packing_rules.h"

namespace gangpack {

std::vector<FixedSibling> PlacedSiblings(const Gang& gang, const GangShape& shape) {
  const std::vector<const PodRecord*>& placed = gang.summary.placed_live;
  std::vector<FixedSibling> fixed;
  for (size_t i = 0; i < placed.size(); ++i) {
    fixed.push_back({shape.kind_of_placed[i], placed[i]->node, false});
  }
  return fixed;
}

const PodRecord* SurplusSibling(const EngineState& state, const Gang& gang, const PodRecord& pod) {
  std::vector<const PodRecord*> unplaced(gang.summary.pending);
  unplaced.insert(unplaced.end(), gang.summary.eligible.begin(), gang.summary.eligible.end());
  return SiblingNeeded(pod, gang.summary.placed_live, unplaced, state.cluster);
}

std::vector<NodeIndex> NodesAgainstSiblings(const EngineState& state, const Gang& gang,
                                            PodRecord* pod, const std::vector<NodeIndex>& nodes) {
  const std::vector<const PodRecord*>& placed = gang.summary.placed_live;
  const auto has_terms = [](const PodRecord* record) { return record->terms_id != 0; };
  if (!has_terms(pod) && std::none_of(placed.begin(), placed.end(), has_terms)) return {};
  std::vector<NodeIndex> asked = nodes;
  std::sort(asked.begin(), asked.end());
  std::vector<NodeIndex> all = asked;
  for (const PodRecord* sibling : placed) all.push_back(sibling->node);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  const GangShape shape = MakeShape({pod}, placed, 1, gang.summary.key, state.cluster);
  const PackingProblem problem =
      ProblemFor(shape, all, PlacedSiblings(gang, shape), false, state.cluster);
  // Of one member alone, all that the rules forbid is known before any plan.
  const PackingRules rules = ReducePackingRules(problem, {shape.kind_of_member[0]});
  std::vector<NodeIndex> against;
  for (size_t i = 0; i < rules.blocked.size(); ++i) {
    if (rules.blocked[i] != 0 && std::binary_search(asked.begin(), asked.end(), all[i])) {
      against.push_back(all[i]);
    }
  }
  return against;
}

}  // namespace gangpack
