#include "core/selection_clause.h"

#include <algorithm>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "core/rule_text.h"

namespace gangpack {
namespace {

template <typename T>
void SortUnique(std::vector<T>* items) {
  std::sort(items->begin(), items->end());
  items->erase(std::unique(items->begin(), items->end()), items->end());
}

void Normalize(std::vector<SelectorRequirement>* requirements) {
  for (SelectorRequirement& requirement : *requirements) SortUnique(&requirement.values);
  std::sort(requirements->begin(), requirements->end(),
            [](const SelectorRequirement& a, const SelectorRequirement& b) {
              return std::tie(a.key, a.op, a.values) < std::tie(b.key, b.op, b.values);
            });
  requirements->erase(std::unique(requirements->begin(), requirements->end()), requirements->end());
}

// The API server merges the keys into the selector of each pod that it stores, with the labels of
// then; what is in the selector already stays as it is.
bool IsMerged(const LabelSelector& selector, const std::string& key, SelectorOperator op) {
  return std::any_of(selector.requirements.begin(), selector.requirements.end(),
                     [&](const SelectorRequirement& r) {
                       return r.op == op && r.key == key && r.values.size() == 1;
                     });
}

void MergeKeys(const std::vector<std::string>& keys, SelectorOperator op,
               const LabelSelector& selector, const Pod& owner,
               std::vector<SelectorRequirement>* requirements) {
  for (const std::string& key : keys) {
    const auto value = owner.labels.find(key);
    if (value == owner.labels.end() || IsMerged(selector, key, op)) continue;
    requirements->push_back({key, op, {value->second}});
  }
}

// The constraint's selector with the owner's values. kube-scheduler adds them whether or not the
// API server merged those of another time before.
LabelSelector SpreadSelector(const TopologySpreadConstraint& constraint, const Pod& owner) {
  LabelSelector selector = *constraint.selector;
  for (const std::string& key : constraint.match_label_keys) {
    const auto value = owner.labels.find(key);
    if (value == owner.labels.end()) continue;
    selector.requirements.push_back({key, SelectorOperator::kIn, {value->second}});
  }
  return selector;
}

}  // namespace

SelectionClause ClauseOf(const PodAffinityTerm& term, const Pod& owner) {
  SelectionClause clause;
  if (!term.selector.has_value()) {
    clause.selects_nothing = true;
    return clause;
  }
  clause.requirements = term.selector->requirements;
  MergeKeys(term.match_label_keys, SelectorOperator::kIn, *term.selector, owner,
            &clause.requirements);
  MergeKeys(term.mismatch_label_keys, SelectorOperator::kNotIn, *term.selector, owner,
            &clause.requirements);
  Normalize(&clause.requirements);
  if (term.namespace_selector.has_value() && term.namespace_selector->requirements.empty()) {
    clause.any_namespace = true;
    return clause;
  }
  clause.namespaces = term.namespaces;
  clause.namespace_selector = term.namespace_selector;
  if (clause.namespace_selector.has_value()) Normalize(&clause.namespace_selector->requirements);
  if (clause.namespaces.empty() && !clause.namespace_selector.has_value()) {
    clause.namespaces.push_back(owner.name.namespace_name);
  }
  SortUnique(&clause.namespaces);
  return clause;
}

SelectionClause ClauseOf(const TopologySpreadConstraint& constraint, const Pod& owner) {
  SelectionClause clause;
  if (constraint.selector.has_value()) {
    clause.requirements = SpreadSelector(constraint, owner).requirements;
  }
  if (clause.requirements.empty()) {
    clause.selects_nothing = true;
    return clause;
  }
  Normalize(&clause.requirements);
  clause.namespaces.push_back(owner.name.namespace_name);
  return clause;
}

bool SelfMatches(const TopologySpreadConstraint& constraint, const Pod& owner) {
  return constraint.selector.has_value() &&
         Matches(SpreadSelector(constraint, owner), owner.labels);
}

bool Selects(const SelectionClause& clause, const SelectionSubject& subject) {
  if (clause.selects_nothing) return false;
  const bool in_namespace = clause.any_namespace ||
                            std::binary_search(clause.namespaces.begin(), clause.namespaces.end(),
                                               subject.namespace_name) ||
                            (clause.namespace_selector.has_value() &&
                             Matches(*clause.namespace_selector, subject.namespace_labels));
  return in_namespace && std::all_of(clause.requirements.begin(), clause.requirements.end(),
                                     [&](const SelectorRequirement& requirement) {
                                       return Matches(requirement, subject.labels);
                                     });
}

bool SelectsAll(const std::vector<SelectionClause>& clauses, const SelectionSubject& subject) {
  return !clauses.empty() &&
         std::all_of(clauses.begin(), clauses.end(),
                     [&](const SelectionClause& clause) { return Selects(clause, subject); });
}

void AppendText(const SelectionClause& clause, std::string* text) {
  absl::StrAppend(text, "c", clause.selects_nothing ? 1 : 0, clause.any_namespace ? 1 : 0);
  for (const std::string& name : clause.namespaces) AppendCounted(name, text);
  if (clause.namespace_selector.has_value()) {
    text->push_back('n');
    AppendRequirements(clause.namespace_selector->requirements, text);
  }
  text->push_back('s');
  AppendRequirements(clause.requirements, text);
}

}  // namespace gangpack
