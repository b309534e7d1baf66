#include "core/sibling_terms.h"

#include <algorithm>
#include <vector>

#include "core/selection_clause.h"

namespace gangpack {

bool TermSelects(const PodAffinityTerm& term, const Pod& owner, const Pod& other,
                 const Labels& other_namespace_labels) {
  return Selects(ClauseOf(term, owner),
                 {other.name.namespace_name, other_namespace_labels, other.labels});
}

bool AffinitySelects(const Pod& owner, const Pod& other, const Labels& other_namespace_labels) {
  const std::vector<PodAffinityTerm>& terms = owner.spec.required_affinity;
  return !terms.empty() &&
         std::all_of(terms.begin(), terms.end(), [&](const PodAffinityTerm& term) {
           return TermSelects(term, owner, other, other_namespace_labels);
         });
}

}  // namespace gangpack
