#include "core/packing_rules.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "core/check.h"

namespace gangpack {
namespace {

size_t At(int row, int columns, int column) {
  return static_cast<size_t>(row) * static_cast<size_t>(columns) + static_cast<size_t>(column);
}

bool IsSet(const std::vector<uint8_t>& bits, int index) {
  return static_cast<size_t>(index) < bits.size() && bits[static_cast<size_t>(index)] != 0;
}

bool AnySet(const std::vector<uint8_t>& bits) {
  return std::any_of(bits.begin(), bits.end(), [](uint8_t bit) { return bit != 0; });
}

class RuleReduction {
 public:
  RuleReduction(const PackingProblem& problem, const std::vector<int>& wanted)
      : problem_(problem),
        wanted_(wanted),
        nodes_(static_cast<int>(problem.nodes.size())),
        kinds_(static_cast<int>(problem.kinds.size())) {}

  PackingRules Run() {
    BuildLevels();
    FindPlaced();
    KeepApart();
    AddClauses();
    return std::move(rules_);
  }

 private:
  void BuildLevels() {
    int deepest = 0;
    for (const PackingRule& rule : problem_.rules) deepest = std::max(deepest, rule.level);
    rules_.levels.resize(static_cast<size_t>(deepest) + 1);
    for (int level = 0; level <= deepest; ++level) {
      PackingLevel& out = rules_.levels[static_cast<size_t>(level)];
      out.group.resize(static_cast<size_t>(nodes_), -1);
      absl::flat_hash_map<int, int> dense;
      for (int n = 0; n < nodes_; ++n) {
        const std::vector<int>& given = problem_.nodes[static_cast<size_t>(n)].group;
        if (level > 0) CORE_CHECK(given.size() >= static_cast<size_t>(level));
        const int raw = level == 0 ? n : given[static_cast<size_t>(level - 1)];
        if (raw < 0) continue;
        const auto [it, is_new] = dense.emplace(raw, out.groups);
        if (is_new) ++out.groups;
        out.group[static_cast<size_t>(n)] = it->second;
      }
    }
  }

  // placed_[level]: groups x all kinds, 1 where a sibling is placed. Stays empty if none is placed
  // at all.
  void FindPlaced() {
    bool any = false;
    for (const PackingNode& node : problem_.nodes) {
      for (int count : node.placed) any = any || count > 0;
    }
    if (!any) return;
    for (const PackingLevel& level : rules_.levels) {
      std::vector<uint8_t>& placed = placed_.emplace_back(At(level.groups, kinds_, 0), 0);
      for (int n = 0; n < nodes_; ++n) {
        const int group = level.group[static_cast<size_t>(n)];
        const std::vector<int>& here = problem_.nodes[static_cast<size_t>(n)].placed;
        for (int k = 0; group >= 0 && k < static_cast<int>(here.size()); ++k) {
          if (here[static_cast<size_t>(k)] > 0) placed[At(group, kinds_, k)] = 1;
        }
      }
    }
  }

  bool Placed(int level, int group, int kind) const {
    return !placed_.empty() && placed_[static_cast<size_t>(level)][At(group, kinds_, kind)] != 0;
  }

  void Block(int node, int wanted_kind) {
    const int columns = static_cast<int>(wanted_.size());
    if (rules_.blocked.empty()) rules_.blocked.resize(At(nodes_, columns, 0), 0);
    rules_.blocked[At(node, columns, wanted_kind)] = 1;
  }

  void KeepApart() {
    std::vector<std::vector<uint8_t>> apart(rules_.levels.size());
    if (AnySet(problem_.node_conflict)) apart[0] = problem_.node_conflict;
    for (const PackingRule& rule : problem_.rules) {
      if (rule.affinity) continue;
      std::vector<uint8_t>& pairs = apart[static_cast<size_t>(rule.level)];
      if (pairs.empty()) pairs.resize(At(kinds_, kinds_, 0), 0);
      for (int k = 0; k < kinds_; ++k) {
        if (!IsSet(rule.selects, k)) continue;
        pairs[At(rule.kind, kinds_, k)] = 1;
        pairs[At(k, kinds_, rule.kind)] = 1;
      }
    }
    for (size_t level = 0; level < apart.size(); ++level) {
      if (apart[level].empty()) continue;
      BlockBesidePlaced(static_cast<int>(level), apart[level]);
      KeepWantedPairs(apart[level], &rules_.levels[level]);
    }
  }

  void BlockBesidePlaced(int level, const std::vector<uint8_t>& apart) {
    if (placed_.empty()) return;
    for (int n = 0; n < nodes_; ++n) {
      const int group = rules_.levels[static_cast<size_t>(level)].group[static_cast<size_t>(n)];
      if (group < 0) continue;
      for (size_t w = 0; w < wanted_.size(); ++w) {
        for (int k = 0; k < kinds_; ++k) {
          if (apart[At(wanted_[w], kinds_, k)] && Placed(level, group, k)) {
            Block(n, static_cast<int>(w));
          }
        }
      }
    }
  }

  void KeepWantedPairs(const std::vector<uint8_t>& apart, PackingLevel* level) const {
    for (int a : wanted_) {
      for (int b : wanted_) level->apart.push_back(apart[At(a, kinds_, b)]);
    }
    if (!AnySet(level->apart)) level->apart.clear();
  }

  // Owners with the same selector, level, pods outside and relation to it (selected or not) share a
  // clause: the first-pod exception is theirs together.
  struct Draft {
    const PackingRule* rule = nullptr;
    bool selects_itself = false;
    PackingClause clause;
  };

  void AddClauses() {
    std::vector<Draft> drafts;
    for (const PackingRule& rule : problem_.rules) {
      if (!rule.affinity) continue;
      const auto owner = std::find(wanted_.begin(), wanted_.end(), rule.kind);
      if (owner == wanted_.end()) continue;
      const bool selects_itself = IsSet(rule.selects, rule.kind);
      auto same = std::find_if(drafts.begin(), drafts.end(), [&](const Draft& draft) {
        return draft.rule->level == rule.level && draft.selects_itself == selects_itself &&
               draft.rule->selects == rule.selects && draft.rule->outside == rule.outside &&
               draft.rule->selected_elsewhere == rule.selected_elsewhere;
      });
      if (same == drafts.end()) {
        Draft& draft = drafts.emplace_back(Draft{&rule, selects_itself, {}});
        draft.clause.level = rule.level;
        draft.clause.owner.resize(wanted_.size(), 0);
        same = std::prev(drafts.end());
      }
      same->clause.owner[static_cast<size_t>(owner - wanted_.begin())] = 1;
    }
    for (Draft& draft : drafts) FinishClause(&draft);
  }

  void FinishClause(Draft* draft) {
    PackingClause& clause = draft->clause;
    const PackingLevel& level = rules_.levels[static_cast<size_t>(clause.level)];
    for (size_t w = 0; w < wanted_.size(); ++w) {
      const bool selected = IsSet(draft->rule->selects, wanted_[w]);
      clause.supporter.push_back(selected && !clause.owner[w] ? 1 : 0);
    }
    clause.satisfied.resize(static_cast<size_t>(level.groups), 0);
    for (int group = 0; group < level.groups; ++group) {
      for (int k = 0; k < kinds_; ++k) {
        if (IsSet(draft->rule->selects, k) && Placed(clause.level, group, k)) {
          clause.satisfied[static_cast<size_t>(group)] = 1;
        }
      }
    }
    for (int n = 0; n < nodes_; ++n) {
      const int group = level.group[static_cast<size_t>(n)];
      if (group < 0 || !IsSet(draft->rule->outside, n)) continue;
      clause.satisfied[static_cast<size_t>(group)] = 1;
    }
    clause.first_group =
        draft->selects_itself && !draft->rule->selected_elsewhere && !AnySet(clause.satisfied);
    const bool can_support = AnySet(clause.supporter) || clause.first_group;
    BlockOwners(clause, level, can_support);
    const bool always_satisfied =
        std::count(clause.satisfied.begin(), clause.satisfied.end(), 0) == 0 ||
        (clause.first_group && level.groups == 1);
    if (can_support && !always_satisfied) rules_.clauses.push_back(std::move(clause));
  }

  void BlockOwners(const PackingClause& clause, const PackingLevel& level, bool can_support) {
    for (int n = 0; n < nodes_; ++n) {
      const int group = level.group[static_cast<size_t>(n)];
      if (group >= 0 && (can_support || clause.satisfied[static_cast<size_t>(group)])) continue;
      for (size_t w = 0; w < wanted_.size(); ++w) {
        if (clause.owner[w]) Block(n, static_cast<int>(w));
      }
    }
  }

  const PackingProblem& problem_;
  const std::vector<int>& wanted_;
  const int nodes_;
  const int kinds_;
  std::vector<std::vector<uint8_t>> placed_;
  PackingRules rules_;
};

}  // namespace

bool PackingRules::empty() const {
  return nodes_only() && (levels.empty() || levels[0].apart.empty());
}

bool PackingRules::nodes_only() const {
  if (!clauses.empty()) return false;
  return std::all_of(levels.begin(), levels.end(), [this](const PackingLevel& level) {
    return &level == &levels.front() || level.apart.empty();
  });
}

PackingRules ReducePackingRules(const PackingProblem& problem, const std::vector<int>& wanted) {
  if (problem.rules.empty() && problem.node_conflict.empty()) return {};
  return RuleReduction(problem, wanted).Run();
}

}  // namespace gangpack
