#include "core/sibling_order.h"

#include <algorithm>

#include "absl/container/btree_set.h"
#include "core/sibling_rules.h"

namespace gangpack {
namespace {

// reaches[a][b]: kind a needs kind b, directly or through others.
std::vector<std::vector<uint8_t>> Reaches(const PackingProblem& problem) {
  const size_t kinds = problem.kinds.size();
  std::vector<std::vector<uint8_t>> reaches(kinds, std::vector<uint8_t>(kinds, 0));
  for (size_t start = 0; start < kinds; ++start) {
    std::vector<size_t> open = {start};
    while (!open.empty()) {
      const size_t at = open.back();
      open.pop_back();
      for (const PackingRule& rule : problem.rules) {
        if (!rule.affinity || static_cast<size_t>(rule.kind) != at) continue;
        for (size_t next = 0; next < kinds; ++next) {
          if (rule.selects[next] == 0 || reaches[start][next] != 0) continue;
          reaches[start][next] = 1;
          open.push_back(next);
        }
      }
    }
  }
  return reaches;
}

// The group of a node at a level; at level 0 the node itself.
int GroupOf(const PackingProblem& problem, int level, int node) {
  if (level == 0) return node;
  return problem.nodes[static_cast<size_t>(node)].group[static_cast<size_t>(level - 1)];
}

// The groups in which a placed sibling, or a pod outside the gang, satisfies the rule already.
absl::btree_set<int> SatisfiedGroups(const PackingProblem& problem, const PackingRule& rule) {
  absl::btree_set<int> satisfied;
  for (size_t node = 0; node < problem.nodes.size(); ++node) {
    const std::vector<int>& placed = problem.nodes[node].placed;
    for (size_t kind = 0; kind < placed.size(); ++kind) {
      if (placed[kind] == 0 || rule.selects[kind] == 0) continue;
      const int group = GroupOf(problem, rule.level, static_cast<int>(node));
      if (group >= 0) satisfied.insert(group);
    }
  }
  for (size_t node = 0; node < rule.outside.size(); ++node) {
    const int group = GroupOf(problem, rule.level, static_cast<int>(node));
    if (rule.outside[node] != 0 && group >= 0) satisfied.insert(group);
  }
  return satisfied;
}

// Per group of the rule: the first planned member that satisfies it for members of rule.kind
// without needing them itself.
absl::btree_map<int, size_t> FirstProviders(const GangShape& shape, const PackingProblem& problem,
                                            const PackingRule& rule,
                                            const std::vector<std::vector<uint8_t>>& reaches,
                                            const std::vector<int>& node_of_member) {
  absl::btree_map<int, size_t> first;
  for (size_t i = 0; i < node_of_member.size(); ++i) {
    const size_t kind = static_cast<size_t>(shape.kind_of_member[i]);
    if (node_of_member[i] < 0 || rule.selects[kind] == 0) continue;
    if (reaches[kind][static_cast<size_t>(rule.kind)] != 0) continue;
    first.try_emplace(GroupOf(problem, rule.level, node_of_member[i]), i);
  }
  return first;
}

using Waits = absl::btree_map<PodUid, std::vector<PodUid>>;

bool WaitsFor(const Waits& waits, const PodUid& member, const PodUid& sibling) {
  absl::btree_set<PodUid> seen = {member};
  std::vector<PodUid> open = {member};
  while (!open.empty()) {
    const PodUid at = open.back();
    open.pop_back();
    if (at == sibling) return true;
    auto it = waits.find(at);
    if (it == waits.end()) continue;
    for (const PodUid& next : it->second) {
      if (seen.insert(next).second) open.push_back(next);
    }
  }
  return false;
}

// The planned member that uses the first-pod exception of the rule: in its group nobody satisfies
// the rule but those alike. -1 if there is none.
int FirstOfItsKind(const GangShape& shape, const PackingProblem& problem, const PackingRule& rule,
                   const std::vector<uint8_t>& alike, const std::vector<int>& node_of_member) {
  absl::btree_set<int> supported = SatisfiedGroups(problem, rule);
  if (!supported.empty() || rule.selected_elsewhere) return -1;
  const auto each = [&](auto&& visit) {
    for (size_t i = 0; i < node_of_member.size(); ++i) {
      if (node_of_member[i] < 0) continue;
      visit(i, static_cast<size_t>(shape.kind_of_member[i]),
            GroupOf(problem, rule.level, node_of_member[i]));
    }
  };
  each([&](size_t, size_t kind, int group) {
    if (rule.selects[kind] != 0 && alike[kind] == 0) supported.insert(group);
  });
  int first = -1;
  each([&](size_t i, size_t kind, int group) {
    if (first < 0 && alike[kind] != 0 && !supported.contains(group)) first = static_cast<int>(i);
  });
  return first;
}

// Siblings that the first of its kind selects wait for it, unless it waits for them.
void PutFirst(const GangShape& shape, const PackingProblem& problem, const PackingRule& rule,
              const std::vector<PodRecord*>& members, const std::vector<int>& node_of_member,
              Waits* waits) {
  const std::vector<uint8_t> alike = AlikeKinds(problem, rule);
  const bool counted = std::find(alike.begin(), alike.end(), 1) - alike.begin() < rule.kind;
  if (counted || rule.selects[static_cast<size_t>(rule.kind)] == 0) return;
  const int first = FirstOfItsKind(shape, problem, rule, alike, node_of_member);
  if (first < 0) return;
  const PodUid& first_uid = members[static_cast<size_t>(first)]->pod.uid;
  for (size_t i = 0; i < members.size(); ++i) {
    const size_t kind = static_cast<size_t>(shape.kind_of_member[i]);
    if (node_of_member[i] < 0 || rule.selects[kind] == 0 || alike[kind] != 0) continue;
    const PodUid& uid = members[i]->pod.uid;
    if (!WaitsFor(*waits, first_uid, uid)) (*waits)[uid].push_back(first_uid);
  }
}

}  // namespace

absl::btree_map<PodUid, std::vector<PodUid>> SiblingOrder(const GangShape& shape,
                                                          const PackingProblem& problem,
                                                          const std::vector<PodRecord*>& members,
                                                          const std::vector<int>& node_of_member) {
  Waits waits;
  std::vector<std::vector<uint8_t>> reaches;
  for (const PackingRule& rule : problem.rules) {
    if (!rule.affinity) continue;
    if (reaches.empty()) reaches = Reaches(problem);
    const absl::btree_map<int, size_t> providers =
        FirstProviders(shape, problem, rule, reaches, node_of_member);
    const absl::btree_set<int> satisfied = SatisfiedGroups(problem, rule);
    for (size_t i = 0; i < members.size(); ++i) {
      if (shape.kind_of_member[i] != rule.kind || node_of_member[i] < 0) continue;
      const int group = GroupOf(problem, rule.level, node_of_member[i]);
      auto provider = providers.find(group);
      if (provider == providers.end() || satisfied.contains(group)) continue;
      waits[members[i]->pod.uid].push_back(members[provider->second]->pod.uid);
    }
  }
  for (const PackingRule& rule : problem.rules) {
    if (rule.affinity) PutFirst(shape, problem, rule, members, node_of_member, &waits);
  }
  return waits;
}

}  // namespace gangpack
