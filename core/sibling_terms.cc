#include "core/sibling_terms.h"

#include <algorithm>
#include <string>
#include <vector>

#include "core/selector.h"

namespace gangpack {
namespace {

bool SelectsNamespace(const PodAffinityTerm& term, const Pod& owner, const Pod& other,
                      const Labels& other_namespace_labels) {
  if (term.namespaces.empty() && !term.namespace_selector.has_value()) {
    return other.name.namespace_name == owner.name.namespace_name;
  }
  if (std::find(term.namespaces.begin(), term.namespaces.end(), other.name.namespace_name) !=
      term.namespaces.end()) {
    return true;
  }
  return term.namespace_selector.has_value() &&
         Matches(*term.namespace_selector, other_namespace_labels);
}

// The API server merges these keys into the selector of each pod it stores, with the labels the pod
// had then. Labels may have changed since, and a selector in force is not changed with them; so a
// key that is in it already stays as it is. Only objects that never passed an API server lack it.
bool IsMerged(const LabelSelector& selector, const std::string& key, SelectorOperator op) {
  return std::any_of(selector.requirements.begin(), selector.requirements.end(),
                     [&](const SelectorRequirement& r) {
                       return r.op == op && r.key == key && r.values.size() == 1;
                     });
}

bool SatisfiesLabelKeys(const std::vector<std::string>& keys, SelectorOperator op,
                        const LabelSelector& selector, const Pod& owner, const Pod& other) {
  for (const std::string& key : keys) {
    const auto value = owner.labels.find(key);
    if (value == owner.labels.end() || IsMerged(selector, key, op)) continue;
    const auto other_value = other.labels.find(key);
    const bool same = other_value != other.labels.end() && other_value->second == value->second;
    if (same != (op == SelectorOperator::kIn)) return false;
  }
  return true;
}

}  // namespace

bool TermSelects(const PodAffinityTerm& term, const Pod& owner, const Pod& other,
                 const Labels& other_namespace_labels) {
  if (!term.selector.has_value()) return false;
  return SelectsNamespace(term, owner, other, other_namespace_labels) &&
         Matches(*term.selector, other.labels) &&
         SatisfiesLabelKeys(term.match_label_keys, SelectorOperator::kIn, *term.selector, owner,
                            other) &&
         SatisfiesLabelKeys(term.mismatch_label_keys, SelectorOperator::kNotIn, *term.selector,
                            owner, other);
}

bool AffinitySelects(const Pod& owner, const Pod& other, const Labels& other_namespace_labels) {
  const std::vector<PodAffinityTerm>& terms = owner.spec.required_affinity;
  return !terms.empty() &&
         std::all_of(terms.begin(), terms.end(), [&](const PodAffinityTerm& term) {
           return TermSelects(term, owner, other, other_namespace_labels);
         });
}

}  // namespace gangpack
