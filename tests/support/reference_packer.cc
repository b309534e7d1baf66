#include "tests/support/reference_packer.h"

#include <algorithm>
#include <cstddef>

namespace gangpack {
namespace {

// One pod of the gang, placed before or by the assignment.
struct Sibling {
  int kind = 0;
  int node = 0;
  bool is_new = false;
};

int GroupOf(const PackingProblem& problem, int node, int level) {
  if (level == 0) return node;
  return problem.nodes[static_cast<size_t>(node)].group[static_cast<size_t>(level - 1)];
}

bool Selects(const PackingRule& rule, int kind) {
  return rule.selects[static_cast<size_t>(kind)] != 0;
}

bool ShareGroup(const PackingProblem& problem, const Sibling& a, const Sibling& b, int level) {
  const int group = GroupOf(problem, a.node, level);
  return group >= 0 && group == GroupOf(problem, b.node, level);
}

bool ResourcesHold(const PackingProblem& problem, const std::vector<Sibling>& siblings) {
  for (size_t n = 0; n < problem.nodes.size(); ++n) {
    for (size_t r = 0; r < 16; ++r) {
      int64_t used = 0;
      for (const Sibling& s : siblings) {
        const ResourceVector& request = problem.kinds[static_cast<size_t>(s.kind)].request;
        if (s.is_new && s.node == static_cast<int>(n) && r < request.size()) used += request[r];
      }
      const ResourceVector& free = problem.nodes[n].free;
      if (used > 0 && used > (r < free.size() ? free[r] : 0)) return false;
    }
  }
  return true;
}

bool FeasibilityHolds(const PackingProblem& problem, const std::vector<Sibling>& siblings) {
  return std::all_of(siblings.begin(), siblings.end(), [&](const Sibling& s) {
    return !s.is_new ||
           problem.nodes[static_cast<size_t>(s.node)].feasible[static_cast<size_t>(s.kind)];
  });
}

bool NodeConflictsHold(const PackingProblem& problem, const std::vector<Sibling>& siblings) {
  if (problem.node_conflict.empty()) return true;
  for (size_t i = 0; i < siblings.size(); ++i) {
    for (size_t j = 0; j < siblings.size(); ++j) {
      const Sibling& a = siblings[i];
      const Sibling& b = siblings[j];
      if (i == j || a.node != b.node || !(a.is_new || b.is_new)) continue;
      if (problem.node_conflict[static_cast<size_t>(a.kind) * problem.kinds.size() +
                                static_cast<size_t>(b.kind)]) {
        return false;
      }
    }
  }
  return true;
}

bool AntiAffinityHolds(const PackingProblem& problem, const PackingRule& rule,
                       const std::vector<Sibling>& siblings) {
  for (size_t i = 0; i < siblings.size(); ++i) {
    for (size_t j = 0; j < siblings.size(); ++j) {
      const Sibling& owner = siblings[i];
      const Sibling& other = siblings[j];
      if (i == j || owner.kind != rule.kind || !Selects(rule, other.kind)) continue;
      if (!(owner.is_new || other.is_new)) continue;
      if (ShareGroup(problem, owner, other, rule.level)) return false;
    }
  }
  return true;
}

// Kinds with the very same term that it selects: the first-pod exception is for the first of them
// all.
bool SharesTerm(const PackingProblem& problem, const PackingRule& rule, int kind) {
  if (!Selects(rule, kind)) return false;
  return std::any_of(problem.rules.begin(), problem.rules.end(), [&](const PackingRule& other) {
    return other.affinity && other.kind == kind && other.level == rule.level &&
           other.selects == rule.selects && other.outside == rule.outside &&
           other.selected_elsewhere == rule.selected_elsewhere;
  });
}

bool AffinityHolds(const PackingProblem& problem, const PackingRule& rule,
                   const std::vector<Sibling>& siblings) {
  const bool selects_itself = Selects(rule, rule.kind);
  const auto is_alike = [&](const Sibling& s) {
    return selects_itself ? SharesTerm(problem, rule, s.kind) : s.kind == rule.kind;
  };
  const auto has_outside = [&](int node) {
    const int group = GroupOf(problem, node, rule.level);
    for (size_t n = 0; group >= 0 && n < rule.outside.size(); ++n) {
      if (rule.outside[n] && GroupOf(problem, static_cast<int>(n), rule.level) == group)
        return true;
    }
    return false;
  };
  bool any_placed = rule.selected_elsewhere;
  for (size_t n = 0; n < problem.nodes.size(); ++n) {
    any_placed = any_placed || has_outside(static_cast<int>(n));
  }
  for (const Sibling& s : siblings) {
    if (!s.is_new && Selects(rule, s.kind) && GroupOf(problem, s.node, rule.level) >= 0)
      any_placed = true;
  }
  int first_group = -1;
  for (const Sibling& s : siblings) {
    if (!s.is_new || !is_alike(s)) continue;
    if (GroupOf(problem, s.node, rule.level) < 0) return false;
    const bool supported = std::any_of(siblings.begin(), siblings.end(), [&](const Sibling& other) {
      if (!Selects(rule, other.kind) || !ShareGroup(problem, s, other, rule.level)) return false;
      return !other.is_new || !is_alike(other);
    });
    if (supported || has_outside(s.node)) continue;
    if (!selects_itself || any_placed) return false;
    const int group = GroupOf(problem, s.node, rule.level);
    if (first_group >= 0 && group != first_group) return false;
    first_group = group;
  }
  return true;
}

int SpreadCount(const PackingProblem& problem, const PackingSpread& spread,
                const std::vector<Sibling>& placed, int node) {
  int count = spread.base[static_cast<size_t>(node)];
  const Sibling here{0, node, false};
  for (const Sibling& s : placed) {
    if (s.is_new && spread.counted[static_cast<size_t>(s.kind)] &&
        spread.eligible[static_cast<size_t>(s.node)] &&
        ShareGroup(problem, here, s, spread.level)) {
      ++count;
    }
  }
  return count;
}

bool SpreadAllows(const PackingProblem& problem, const PackingSpread& spread,
                  const std::vector<Sibling>& placed, const Sibling& next) {
  if (!spread.bound[static_cast<size_t>(next.kind)]) return true;
  if (GroupOf(problem, next.node, spread.level) < 0) return false;
  int least = spread.least_outside;
  for (int n = 0; n < static_cast<int>(problem.nodes.size()); ++n) {
    if (!spread.eligible[static_cast<size_t>(n)] || GroupOf(problem, n, spread.level) < 0) continue;
    least = std::min(least, SpreadCount(problem, spread, placed, n));
  }
  if (spread.least_is_zero || least == PackingSpread::kNoOtherGroup) least = 0;
  const int self = spread.counted[static_cast<size_t>(next.kind)] ? 1 : 0;
  return SpreadCount(problem, spread, placed, next.node) + self - least <= spread.max_skew;
}

// Whether the members of `left` can follow those that are placed, one after the other in some
// order.
bool SomeOrderAllows(const PackingProblem& problem, std::vector<Sibling> placed,
                     const std::vector<Sibling>& left) {
  if (left.empty()) return true;
  for (size_t i = 0; i < left.size(); ++i) {
    const bool allowed =
        std::all_of(problem.spread.begin(), problem.spread.end(), [&](const PackingSpread& spread) {
          return SpreadAllows(problem, spread, placed, left[i]);
        });
    if (!allowed) continue;
    std::vector<Sibling> others = left;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    placed.push_back(left[i]);
    if (SomeOrderAllows(problem, placed, others)) return true;
    placed.pop_back();
  }
  return false;
}

bool SomeOrderExists(const PackingProblem& problem, const std::vector<Sibling>& siblings) {
  std::vector<Sibling> members;
  for (const Sibling& s : siblings) {
    if (s.is_new) members.push_back(s);
  }
  return problem.spread.empty() || SomeOrderAllows(problem, {}, members);
}

std::vector<Sibling> AllSiblings(const PackingProblem& problem,
                                 const std::vector<int>& kind_of_member,
                                 const std::vector<int>& node_of_member) {
  std::vector<Sibling> siblings;
  for (size_t i = 0; i < kind_of_member.size(); ++i) {
    if (node_of_member[i] >= 0) siblings.push_back({kind_of_member[i], node_of_member[i], true});
  }
  for (size_t n = 0; n < problem.nodes.size(); ++n) {
    const std::vector<int>& placed = problem.nodes[n].placed;
    for (size_t k = 0; k < placed.size(); ++k) {
      for (int i = 0; i < placed[k]; ++i)
        siblings.push_back({static_cast<int>(k), static_cast<int>(n), false});
    }
  }
  return siblings;
}

}  // namespace

bool AssignmentIsValid(const PackingProblem& problem, const std::vector<int>& kind_of_member,
                       const std::vector<int>& node_of_member, std::string* why) {
  std::string ignored;
  if (why == nullptr) why = &ignored;
  const std::vector<Sibling> siblings = AllSiblings(problem, kind_of_member, node_of_member);
  *why = "a node is not feasible for its member";
  if (!FeasibilityHolds(problem, siblings)) return false;
  *why = "a node has too little of a resource";
  if (!ResourcesHold(problem, siblings)) return false;
  *why = "kinds in conflict share a node";
  if (!NodeConflictsHold(problem, siblings)) return false;
  for (size_t i = 0; i < problem.rules.size(); ++i) {
    const PackingRule& rule = problem.rules[i];
    *why = "rule " + std::to_string(i) + " is broken";
    if (rule.affinity ? !AffinityHolds(problem, rule, siblings)
                      : !AntiAffinityHolds(problem, rule, siblings)) {
      return false;
    }
  }
  *why = "no order of the members keeps the topology spread";
  if (!SomeOrderExists(problem, siblings)) return false;
  why->clear();
  return true;
}

ReferencePacker::ReferencePacker(const PackingProblem& problem,
                                 const std::vector<int>& kind_of_member)
    : members_(static_cast<int>(kind_of_member.size())),
      placeable_(size_t{1} << kind_of_member.size(), 0) {
  std::vector<int> node_of_member(kind_of_member.size(), -1);
  for (;;) {
    size_t set = 0;
    for (size_t i = 0; i < node_of_member.size(); ++i) {
      if (node_of_member[i] >= 0) set |= size_t{1} << i;
    }
    if (!placeable_[set] && AssignmentIsValid(problem, kind_of_member, node_of_member, nullptr)) {
      placeable_[set] = 1;
    }
    // The next assignment: an odometer with one wheel per member.
    size_t wheel = 0;
    while (wheel < node_of_member.size() &&
           ++node_of_member[wheel] == static_cast<int>(problem.nodes.size())) {
      node_of_member[wheel++] = -1;
    }
    if (wheel == node_of_member.size()) return;
  }
}

int ReferencePacker::MostPlaced() const {
  int most = 0;
  for (size_t set = 0; set < placeable_.size(); ++set) {
    if (placeable_[set]) most = std::max(most, __builtin_popcountll(set));
  }
  return most;
}

std::vector<int> ReferencePacker::FirstSet(int need, bool* found) const {
  std::vector<int> first;
  *found = false;
  for (size_t set = 0; set < placeable_.size(); ++set) {
    if (!placeable_[set] || __builtin_popcountll(set) != need) continue;
    std::vector<int> members;
    for (int i = 0; i < members_; ++i) {
      if (set >> i & 1) members.push_back(i);
    }
    if (!*found || members < first) first = members;
    *found = true;
  }
  return first;
}

}  // namespace gangpack
