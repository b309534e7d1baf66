#include "tests/support/packing_builders.h"

#include <cstddef>

namespace gangpack {

PackingBuilder& PackingBuilder::Kind(int demand, const ResourceVector& request) {
  problem_.kinds.push_back({demand, request});
  return *this;
}

PackingBuilder& PackingBuilder::Nodes(int count, const ResourceVector& free,
                                      const std::vector<int>& groups) {
  PackingNode node;
  node.free = free;
  node.feasible.assign(problem_.kinds.size(), 1);
  node.placed.assign(problem_.kinds.size(), 0);
  node.group = groups;
  for (int i = 0; i < count; ++i) problem_.nodes.push_back(node);
  return *this;
}

PackingBuilder& PackingBuilder::Infeasible(int node, int kind) {
  problem_.nodes[static_cast<size_t>(node)].feasible[static_cast<size_t>(kind)] = 0;
  return *this;
}

PackingBuilder& PackingBuilder::Placed(int node, int kind, int count) {
  problem_.nodes[static_cast<size_t>(node)].placed[static_cast<size_t>(kind)] = count;
  return *this;
}

PackingBuilder& PackingBuilder::Affinity(int kind, const std::vector<int>& selects, int level) {
  AddRule(true, kind, selects, level);
  return *this;
}

PackingBuilder& PackingBuilder::AntiAffinity(int kind, const std::vector<int>& selects, int level) {
  AddRule(false, kind, selects, level);
  return *this;
}

PackingBuilder& PackingBuilder::Conflict(int kind, int other) {
  const size_t kinds = problem_.kinds.size();
  problem_.node_conflict.resize(kinds * kinds, 0);
  problem_.node_conflict[static_cast<size_t>(kind) * kinds + static_cast<size_t>(other)] = 1;
  problem_.node_conflict[static_cast<size_t>(other) * kinds + static_cast<size_t>(kind)] = 1;
  return *this;
}

PackingBuilder& PackingBuilder::Outside(const std::vector<int>& nodes) {
  std::vector<uint8_t>& outside = problem_.rules.back().outside;
  outside.assign(problem_.nodes.size(), 0);
  for (int node : nodes) outside[static_cast<size_t>(node)] = 1;
  return *this;
}

PackingBuilder& PackingBuilder::SelectedElsewhere() {
  problem_.rules.back().selected_elsewhere = true;
  return *this;
}

PackingBuilder& PackingBuilder::Spread(int level, int max_skew, const std::vector<int>& base,
                                       int least_outside) {
  PackingSpread& spread = problem_.spread.emplace_back();
  spread.level = level;
  spread.bound.assign(problem_.kinds.size(), 1);
  spread.counted = spread.bound;
  spread.max_skew = max_skew;
  spread.base = base;
  for (const PackingNode& node : problem_.nodes) {
    const bool labelled = level == 0 || node.group[static_cast<size_t>(level - 1)] >= 0;
    spread.eligible.push_back(labelled ? 1 : 0);
  }
  spread.least_outside = least_outside;
  return *this;
}

PackingBuilder& PackingBuilder::Unbound(int kind) {
  problem_.spread.back().bound[static_cast<size_t>(kind)] = 0;
  return *this;
}

PackingBuilder& PackingBuilder::Uncounted(int kind) {
  problem_.spread.back().counted[static_cast<size_t>(kind)] = 0;
  return *this;
}

PackingBuilder& PackingBuilder::Ineligible(int node) {
  problem_.spread.back().eligible[static_cast<size_t>(node)] = 0;
  return *this;
}

PackingBuilder& PackingBuilder::LeastIsZero() {
  problem_.spread.back().least_is_zero = true;
  return *this;
}

std::vector<int> PackingBuilder::Members() const {
  std::vector<int> members;
  for (size_t k = 0; k < problem_.kinds.size(); ++k) {
    for (int i = 0; i < problem_.kinds[k].demand; ++i) members.push_back(static_cast<int>(k));
  }
  return members;
}

void PackingBuilder::AddRule(bool affinity, int kind, const std::vector<int>& selects, int level) {
  PackingRule rule{affinity, kind, std::vector<uint8_t>(problem_.kinds.size(), 0), level};
  for (int k : selects) rule.selects[static_cast<size_t>(k)] = 1;
  problem_.rules.push_back(rule);
}

}  // namespace gangpack
