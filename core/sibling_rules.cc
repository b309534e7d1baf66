#include "core/sibling_rules.h"

#include <algorithm>

#include "absl/container/btree_map.h"
#include "absl/container/btree_set.h"
#include "core/packing_spread_order.h"

namespace gangpack {
namespace {

// The group of a node at a level of the problem; at level 0 the node itself.
int GroupOf(const PackingProblem& problem, int level, size_t node) {
  if (level == 0) return static_cast<int>(node);
  return problem.nodes[node].group[static_cast<size_t>(level - 1)];
}

// How many members of each kind one group has.
struct GroupCounts {
  std::vector<int> planned;
  std::vector<int> placed;
};

int SumOver(const std::vector<int>& counts, const std::vector<uint8_t>& kinds) {
  int sum = 0;
  for (size_t kind = 0; kind < kinds.size(); ++kind) sum += kinds[kind] != 0 ? counts[kind] : 0;
  return sum;
}

// Groups by number; -1 collects the nodes without the label.
using Groups = absl::btree_map<int, GroupCounts>;

// The groups in which pods outside the gang satisfy the rule.
absl::btree_set<int> OutsideGroups(const PackingProblem& problem, const PackingRule& rule) {
  absl::btree_set<int> satisfied;
  for (size_t node = 0; node < rule.outside.size(); ++node) {
    const int group = GroupOf(problem, rule.level, node);
    if (rule.outside[node] != 0 && group >= 0) satisfied.insert(group);
  }
  return satisfied;
}

bool AffinityHolds(const PackingProblem& problem, const PackingRule& rule, const Groups& groups) {
  const absl::btree_set<int> outside = OutsideGroups(problem, rule);
  const std::vector<uint8_t> alike = AlikeKinds(problem, rule);
  std::vector<uint8_t> supporters = rule.selects;
  for (size_t kind = 0; kind < alike.size(); ++kind) {
    if (alike[kind] != 0) supporters[kind] = 0;
  }
  bool may_start = rule.selects[static_cast<size_t>(rule.kind)] != 0 && outside.empty() &&
                   !rule.selected_elsewhere;
  int started = 0;
  for (const auto& [number, counts] : groups) {
    const bool owners = SumOver(counts.planned, alike) > 0;
    if (number < 0) {
      if (owners) return false;
      continue;
    }
    const bool settled = SumOver(counts.placed, rule.selects) > 0 || outside.contains(number);
    may_start = may_start && !settled;
    if (owners && !settled && SumOver(counts.planned, supporters) == 0) ++started;
  }
  return started == 0 || (may_start && started == 1);
}

bool AntiAffinityHolds(const PackingRule& rule, const Groups& groups) {
  const size_t owner = static_cast<size_t>(rule.kind);
  const int self = rule.selects[owner] != 0 ? 1 : 0;
  return std::none_of(groups.begin(), groups.end(), [&](const auto& group) {
    const auto& [number, counts] = group;
    if (number < 0) return false;
    const int planned = SumOver(counts.planned, rule.selects);
    const int selected = planned + SumOver(counts.placed, rule.selects);
    return (counts.planned[owner] > 0 && selected > self) ||
           (counts.placed[owner] > 0 && planned > 0);
  });
}

}  // namespace

std::vector<uint8_t> AlikeKinds(const PackingProblem& problem, const PackingRule& rule) {
  std::vector<uint8_t> alike(rule.selects.size(), 0);
  alike[static_cast<size_t>(rule.kind)] = 1;
  if (rule.selects[static_cast<size_t>(rule.kind)] == 0) return alike;
  for (const PackingRule& other : problem.rules) {
    const size_t kind = static_cast<size_t>(other.kind);
    const bool same = other.affinity && other.level == rule.level &&
                      other.selects == rule.selects && other.outside == rule.outside &&
                      other.selected_elsewhere == rule.selected_elsewhere;
    if (same && rule.selects[kind] != 0) alike[kind] = 1;
  }
  return alike;
}

bool SiblingRulesHold(const PackingProblem& problem, const std::vector<int>& kind_of_member,
                      const std::vector<int>& node_of_member) {
  const size_t kinds = problem.kinds.size();
  return std::all_of(problem.rules.begin(), problem.rules.end(), [&](const PackingRule& rule) {
    Groups groups;
    const auto group = [&](size_t node) -> GroupCounts& {
      GroupCounts& counts = groups[GroupOf(problem, rule.level, node)];
      counts.planned.resize(kinds);
      counts.placed.resize(kinds);
      return counts;
    };
    for (size_t node = 0; node < problem.nodes.size(); ++node) {
      const std::vector<int>& placed = problem.nodes[node].placed;
      for (size_t kind = 0; kind < placed.size(); ++kind) group(node).placed[kind] += placed[kind];
    }
    for (size_t i = 0; i < node_of_member.size(); ++i) {
      const size_t kind = static_cast<size_t>(kind_of_member[i]);
      ++group(static_cast<size_t>(node_of_member[i])).planned[kind];
    }
    return rule.affinity ? AffinityHolds(problem, rule, groups) : AntiAffinityHolds(rule, groups);
  });
}

bool SpreadHolds(const PackingProblem& problem, const std::vector<int>& kind_of_member,
                 const std::vector<int>& node_of_member) {
  return FindSpreadOrder(problem, kind_of_member, node_of_member, kSpreadOrderStepsMax) ==
         SpreadOrder::kExists;
}

}  // namespace gangpack
