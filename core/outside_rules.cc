#include "core/outside_rules.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "absl/container/btree_set.h"

namespace gangpack {
namespace {

using Kind = OutsideRules::Kind;
using Spread = OutsideRules::Spread;
using Values = OutsideRules::Values;

void Set(TopologyKeyIndex key, const ValueCounts& counts,
         absl::btree_map<TopologyKeyIndex, Values>* by_key) {
  if (counts.nonzero() == 0) return;
  Values& values = (*by_key)[key];
  values.key = key;
  counts.ForEach([&](TopologyValue value, int32_t) {
    const size_t at = static_cast<size_t>(value);
    if (values.has.size() <= at) values.has.resize(at + 1, 0);
    values.has[at] = 1;
  });
}

std::vector<Values> Listed(absl::btree_map<TopologyKeyIndex, Values> by_key) {
  std::vector<Values> values;
  for (auto& [key, of_key] : by_key) values.push_back(std::move(of_key));
  return values;
}

Kind KindOf(const RulePod& pod, const PodRules& rules) {
  Kind kind;
  absl::btree_map<TopologyKeyIndex, Values> barred;
  for (const TermUnit* unit : pod.terms.anti_affinity) {
    Set(unit->keys[0], unit->selected[0], &barred);
  }
  for (const SelectionIndex selection : rules.selections().SelectionsOf(pod.pod_class)) {
    for (const TermUnit* unit : rules.terms().AntiAffinityWith(selection)) {
      Set(unit->keys[0], unit->carriers, &barred);
    }
  }
  kind.barred = Listed(std::move(barred));
  if (const TermUnit* unit = pod.terms.affinity; unit != nullptr) {
    absl::btree_map<TopologyKeyIndex, Values> found;
    for (size_t i = 0; i < unit->keys.size(); ++i) Set(unit->keys[i], unit->selected[i], &found);
    kind.found = Listed(std::move(found));
    kind.found_anywhere = unit->total > 0;
  }
  return kind;
}

Spread SpreadOf(const CarriedSpread& carried, size_t kinds) {
  const SpreadQuery& query = *carried.query;
  Spread spread;
  spread.key = query.key;
  spread.max_skew = carried.max_skew;
  spread.min_domains = carried.min_domains;
  spread.bound.assign(kinds, 0);
  spread.counted.assign(kinds, 0);
  query.counts.ForEach([&](TopologyValue value, int32_t count) {
    const size_t at = static_cast<size_t>(value);
    if (spread.counts.size() <= at) spread.counts.resize(at + 1, 0);
    spread.counts[at] = count;
  });
  spread.eligible = query.eligibility->eligible;
  spread.domains_with.insert(query.values_with.begin(), query.values_with.end());
  const int32_t without = query.domains() - query.counts.nonzero();
  if (without > 0) spread.domains_with[0] = without;
  return spread;
}

int32_t LeastOf(const Spread& spread) {
  return spread.domains_with.empty() ? 0 : spread.domains_with.begin()->first;
}

void AddValues(TopologyKeyIndex key, const std::vector<uint8_t>& a, const std::vector<uint8_t>& b,
               OutsideDifferences* differences) {
  for (size_t at = 0; at < std::max(a.size(), b.size()); ++at) {
    const bool in_a = at < a.size() && a[at] != 0;
    const bool in_b = at < b.size() && b[at] != 0;
    if (in_a != in_b) differences->values.emplace_back(key, static_cast<TopologyValue>(at));
  }
}

// Both are in the order of keys.
void CompareValues(const std::vector<Values>& before, const std::vector<Values>& after,
                   OutsideDifferences* differences) {
  static const std::vector<uint8_t> kNone;
  auto a = before.begin();
  auto b = after.begin();
  while (a != before.end() || b != after.end()) {
    const bool has_a = a != before.end() && (b == after.end() || a->key <= b->key);
    const bool has_b = b != after.end() && (a == before.end() || b->key <= a->key);
    const TopologyKeyIndex key = has_a ? a->key : b->key;
    AddValues(key, has_a ? a->has : kNone, has_b ? b->has : kNone, differences);
    if (has_a) ++a;
    if (has_b) ++b;
  }
}

// The least count outside a domain of the gang changes only with the least of all, unless so few
// have that one that a domain may hold them all.
bool SameLeast(const Spread& a, const Spread& b, int nodes_max) {
  if (a.LeastIsZero() != b.LeastIsZero() || LeastOf(a) != LeastOf(b)) return false;
  if (a.domains_with == b.domains_with) return true;
  return !a.domains_with.empty() && !b.domains_with.empty() &&
         a.domains_with.begin()->second > nodes_max && b.domains_with.begin()->second > nodes_max;
}

void CompareSpread(const Spread& before, const Spread& after, int nodes_max,
                   OutsideDifferences* differences) {
  if (before.key != after.key || before.max_skew != after.max_skew || before.bound != after.bound ||
      before.counted != after.counted || before.eligible != after.eligible ||
      !SameLeast(before, after, nodes_max)) {
    differences->everywhere = true;
    return;
  }
  for (size_t at = 0; at < std::max(before.counts.size(), after.counts.size()); ++at) {
    const TopologyValue value = static_cast<TopologyValue>(at);
    if (before.CountOf(value) != after.CountOf(value)) {
      differences->values.emplace_back(before.key, value);
    }
  }
}

// The least count of domains that have no eligible node among these.
int LeastOutside(const Spread& spread, const absl::btree_set<TopologyValue>& inside) {
  absl::btree_map<int32_t, int32_t> domains = spread.domains_with;
  for (const TopologyValue value : inside) --domains[spread.CountOf(value)];
  for (const auto& [count, number] : domains) {
    if (number > 0) return count;
  }
  return PackingSpread::kNoOtherGroup;
}

void AddSpread(const Spread& spread, absl::Span<const NodeIndex> nodes,
               const TopologyValues& values, PackingSpread* problem) {
  absl::btree_set<TopologyValue> inside;
  for (const NodeIndex node : nodes) {
    const TopologyValue value = values.ValueOf(spread.key, node);
    const bool eligible = spread.IsEligible(node);
    problem->base.push_back(spread.CountOf(value));
    problem->eligible.push_back(eligible ? 1 : 0);
    if (eligible) inside.insert(value);
  }
  problem->least_outside = LeastOutside(spread, inside);
  problem->least_is_zero = spread.LeastIsZero();
}

const Values* Find(const std::vector<Values>& values, TopologyKeyIndex key) {
  const auto it = std::find_if(values.begin(), values.end(),
                               [&](const Values& of_key) { return of_key.key == key; });
  return it == values.end() ? nullptr : &*it;
}

}  // namespace

bool OutsideRules::Spread::LeastIsZero() const {
  int32_t domains = 0;
  for (const auto& [count, number] : domains_with) domains += number;
  return domains < min_domains;
}

OutsideRules OutsideRulesOf(absl::Span<const PodUid> kinds, const PodRules& rules) {
  OutsideRules outside;
  outside.kinds.resize(kinds.size());
  std::vector<std::pair<CarriedSpread, size_t>> carried;  // as first met, and where it is
  std::vector<const RulePod*> pods;
  for (const PodUid& uid : kinds) pods.push_back(rules.Find(uid));
  for (size_t k = 0; k < pods.size(); ++k) {
    if (pods[k] == nullptr) continue;
    outside.kinds[k] = KindOf(*pods[k], rules);
    for (const CarriedSpread& own : pods[k]->spread) {
      auto known = std::find_if(carried.begin(), carried.end(), [&](const auto& other) {
        return std::tie(other.first.query, other.first.max_skew, other.first.min_domains) ==
               std::tie(own.query, own.max_skew, own.min_domains);
      });
      if (known == carried.end()) {
        known = carried.insert(carried.end(), {own, outside.spread.size()});
        outside.spread.push_back(SpreadOf(own, kinds.size()));
      }
      outside.spread[known->second].bound[k] = 1;
    }
  }
  for (const auto& [own, at] : carried) {
    for (size_t k = 0; k < pods.size(); ++k) {
      if (pods[k] == nullptr || pods[k]->terminating) continue;
      outside.spread[at].counted[k] =
          rules.selections().Selects(own.query->selection, pods[k]->pod_class) ? 1 : 0;
    }
  }
  return outside;
}

OutsideDifferences Compare(const OutsideRules& before, const OutsideRules& after, int nodes_max) {
  OutsideDifferences differences;
  if (before == after) return differences;
  if (before.kinds.size() != after.kinds.size() || before.spread.size() != after.spread.size()) {
    differences.everywhere = true;
    return differences;
  }
  for (size_t k = 0; k < before.kinds.size(); ++k) {
    const Kind& a = before.kinds[k];
    const Kind& b = after.kinds[k];
    if (a.found_anywhere != b.found_anywhere) differences.everywhere = true;
    CompareValues(a.barred, b.barred, &differences);
    CompareValues(a.found, b.found, &differences);
  }
  for (size_t i = 0; i < before.spread.size(); ++i) {
    CompareSpread(before.spread[i], after.spread[i], nodes_max, &differences);
  }
  if (differences.everywhere) differences.values.clear();
  std::sort(differences.values.begin(), differences.values.end());
  differences.values.erase(std::unique(differences.values.begin(), differences.values.end()),
                           differences.values.end());
  return differences;
}

void AddOutsideRules(const OutsideRules& outside, absl::Span<const NodeIndex> nodes,
                     absl::Span<const std::string> rule_keys, const TopologyValues& values,
                     PackingProblem* problem) {
  for (size_t k = 0; k < outside.kinds.size(); ++k) {
    for (const Values& barred : outside.kinds[k].barred) {
      for (size_t i = 0; i < nodes.size(); ++i) {
        if (barred.Has(values.ValueOf(barred.key, nodes[i]))) problem->nodes[i].feasible[k] = 0;
      }
    }
  }
  for (size_t r = 0; r < problem->rules.size(); ++r) {
    PackingRule& rule = problem->rules[r];
    if (!rule.affinity) continue;
    const Kind& kind = outside.kinds[static_cast<size_t>(rule.kind)];
    rule.selected_elsewhere = kind.found_anywhere;
    const Values* const found = Find(kind.found, values.FindKey(rule_keys[r]));
    if (found == nullptr) continue;
    for (const NodeIndex node : nodes) {
      rule.outside.push_back(found->Has(values.ValueOf(found->key, node)) ? 1 : 0);
    }
  }
  for (size_t i = 0; i < outside.spread.size(); ++i) {
    AddSpread(outside.spread[i], nodes, values, &problem->spread[i]);
    for (size_t n = 0; n < nodes.size(); ++n) {
      if (values.ValueOf(outside.spread[i].key, nodes[n]) != kNoValue) continue;
      for (size_t k = 0; k < outside.kinds.size(); ++k) {
        if (outside.spread[i].bound[k] != 0) problem->nodes[n].feasible[k] = 0;
      }
    }
  }
}

}  // namespace gangpack
