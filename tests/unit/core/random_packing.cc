#include "tests/unit/core/random_packing.h"

#include <cstddef>
#include <map>

#include "tests/support/prng.h"

namespace gangpack {
namespace {

// What a cluster is like is itself drawn, so that plain ones and crowded ones both come up often.
struct Shape {
  int kinds = 1;
  int nodes = 1;
  int resources = 1;
  int levels = 0;
  int rules = 0;
  bool has_placed = false;
  bool has_conflicts = false;
  bool has_infeasible = false;
};

Shape DrawShape(Prng* prng) {
  Shape shape;
  shape.kinds = prng->Between(1, 4);
  shape.nodes = prng->Between(1, 4);
  shape.resources = prng->Between(1, 3);
  shape.levels = prng->Between(0, 2);
  shape.rules = prng->Chance(30) ? 0 : prng->Between(1, 4);
  shape.has_placed = prng->Chance(40);
  shape.has_conflicts = prng->Chance(15);
  shape.has_infeasible = prng->Chance(40);
  return shape;
}

std::vector<int> DrawKinds(const Shape& shape, Prng* prng, PackingProblem* problem) {
  const int amount_max = prng->Between(1, 4);
  for (int k = 0; k < shape.kinds; ++k) {
    PackingKind& kind = problem->kinds.emplace_back();
    for (int r = 0; r < shape.resources; ++r) kind.request.push_back(prng->Between(0, amount_max));
  }
  std::vector<int> kind_of_member;
  const int members = prng->Between(1, 5);
  for (int i = 0; i < members; ++i) {
    kind_of_member.push_back(prng->Between(0, shape.kinds - 1));
    ++problem->kinds[static_cast<size_t>(kind_of_member.back())].demand;
  }
  return kind_of_member;
}

void DrawNodes(const Shape& shape, Prng* prng, PackingProblem* problem) {
  const int amount_max = prng->Between(1, 8);
  const int unlabelled_percent = prng->Chance(30) ? 25 : 0;
  const bool is_nested = prng->Chance(50);
  for (int n = 0; n < shape.nodes; ++n) {
    PackingNode& node = problem->nodes.emplace_back();
    for (int r = 0; r < shape.resources; ++r) {
      node.free.push_back(prng->Chance(5) ? -1 : prng->Between(0, amount_max));
    }
    for (int k = 0; k < shape.kinds; ++k) {
      node.feasible.push_back(shape.has_infeasible && prng->Chance(30) ? 0 : 1);
      node.placed.push_back(shape.has_placed && prng->Chance(15) ? prng->Between(1, 2) : 0);
    }
    for (int level = 0; level < shape.levels; ++level) {
      int group = prng->Between(0, shape.nodes > 2 ? 2 : 1);
      if (is_nested && level == 1) group = node.group[0] < 0 ? -1 : node.group[0] / 2;
      node.group.push_back(prng->Chance(unlabelled_percent) ? -1 : group);
    }
  }
}

void DrawRules(const Shape& shape, Prng* prng, PackingProblem* problem) {
  for (int i = 0; i < shape.rules; ++i) {
    PackingRule rule;
    rule.affinity = prng->Chance(60);
    rule.kind = prng->Between(0, shape.kinds - 1);
    rule.level = prng->Between(0, shape.levels);
    for (int k = 0; k < shape.kinds; ++k) rule.selects.push_back(prng->Chance(45) ? 1 : 0);
    problem->rules.push_back(rule);
    if (!prng->Chance(25)) continue;
    // The same term on another kind, as pods of one template with different requests have it.
    rule.kind = prng->Between(0, shape.kinds - 1);
    problem->rules.push_back(rule);
  }
  if (!shape.has_conflicts) return;
  const size_t kinds = static_cast<size_t>(shape.kinds);
  problem->node_conflict.resize(kinds * kinds, 0);
  for (size_t a = 0; a < kinds; ++a) {
    for (size_t b = a; b < kinds; ++b) {
      const uint8_t conflict = prng->Chance(30) ? 1 : 0;
      problem->node_conflict[a * kinds + b] = conflict;
      problem->node_conflict[b * kinds + a] = conflict;
    }
  }
}

// The group of a node at a level; at level 0 the node itself.
int GroupOf(const PackingProblem& problem, int level, size_t node) {
  if (level == 0) return static_cast<int>(node);
  return problem.nodes[node].group[static_cast<size_t>(level - 1)];
}

void DrawOutside(Prng* prng, PackingProblem* problem) {
  for (PackingRule& rule : problem->rules) {
    if (!rule.affinity || !prng->Chance(20)) continue;
    rule.selected_elsewhere = prng->Chance(50);
    if (prng->Chance(20)) rule.selects.assign(problem->kinds.size(), 0);
    std::map<int, uint8_t> group_has = {{-1, 0}};  // nodes without the label have no group
    for (size_t n = 0; n < problem->nodes.size(); ++n) {
      const uint8_t has = prng->Chance(30) ? 1 : 0;
      const int group = GroupOf(*problem, rule.level, n);
      rule.outside.push_back(group_has.try_emplace(group, has).first->second);
    }
  }
}

// Bases of groups, kinds that are bound and not counted and the other way round, nodes that are not
// eligible. Bound kinds are not feasible where the label lacks.
void DrawSpread(Prng* prng, PackingProblem* problem) {
  PackingSpread spread;
  const int levels = static_cast<int>(problem->nodes[0].group.size());
  spread.level = prng->Between(0, levels);
  spread.max_skew = prng->Between(1, 2);
  const int odd_percent = prng->Chance(50) ? 0 : 30;
  for (size_t k = 0; k < problem->kinds.size(); ++k) {
    spread.bound.push_back(prng->Chance(odd_percent) ? 0 : 1);
    spread.counted.push_back(prng->Chance(odd_percent) ? 0 : 1);
  }
  const int base_max = prng->Between(0, 3);
  std::map<int, int> base_of_group = {{-1, 0}};
  const int ineligible_percent = prng->Chance(75) ? 0 : 30;
  for (size_t n = 0; n < problem->nodes.size(); ++n) {
    const int group = GroupOf(*problem, spread.level, n);
    const int base = prng->Between(0, base_max);
    spread.base.push_back(base_of_group.try_emplace(group, base).first->second);
    spread.eligible.push_back(group < 0 || prng->Chance(ineligible_percent) ? 0 : 1);
    for (size_t k = 0; k < problem->kinds.size() && group < 0; ++k) {
      if (spread.bound[k]) problem->nodes[n].feasible[k] = 0;
    }
  }
  if (prng->Chance(60)) spread.least_outside = prng->Between(0, 3);
  spread.least_is_zero = prng->Chance(15);
  problem->spread.push_back(spread);
}

}  // namespace

RandomPacking MakeRandomPacking(uint64_t seed) {
  Prng prng(seed);
  const Shape shape = DrawShape(&prng);
  RandomPacking random;
  random.kind_of_member = DrawKinds(shape, &prng, &random.problem);
  DrawNodes(shape, &prng, &random.problem);
  DrawRules(shape, &prng, &random.problem);
  DrawOutside(&prng, &random.problem);
  return random;
}

RandomPacking MakeRandomSpreadPacking(uint64_t seed) {
  RandomPacking random = MakeRandomPacking(seed);
  Prng prng(~seed);
  if (prng.Chance(70)) random.problem.rules.clear();
  const int constraints = prng.Between(1, 2);
  for (int i = 0; i < constraints; ++i) DrawSpread(&prng, &random.problem);
  return random;
}

std::vector<int> NodesOf(const PackingModel& model, const PackingPlacement& placement,
                         const std::vector<int>& kind_of_member) {
  std::vector<int> left = placement.count;
  std::vector<int> node_of_member;
  for (int problem_kind : kind_of_member) {
    int chosen = -1;
    for (int n = 0; n < model.nodes && chosen < 0; ++n) {
      for (int k = 0; k < model.kinds && chosen < 0; ++k) {
        if (model.problem_kind[static_cast<size_t>(k)] != problem_kind) continue;
        if (left[model.Cell(n, k)] == 0) continue;
        --left[model.Cell(n, k)];
        chosen = n;
      }
    }
    node_of_member.push_back(chosen);
  }
  return node_of_member;
}

}  // namespace gangpack
