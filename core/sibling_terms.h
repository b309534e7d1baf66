// Whether a pod's required affinity or anti-affinity term selects another pod.
//
// Cost: that of making a SelectionClause; where one owner is asked about many pods, make it once.
// Not here: the rule (selection_clause.h), what follows from it for a plan (packing.h).
#ifndef GANGPACK_CORE_SIBLING_TERMS_H_
#define GANGPACK_CORE_SIBLING_TERMS_H_

#include "core/pod.h"

namespace gangpack {

// True if `term` of `owner` selects `other` (ClauseOf() in selection_clause.h).
// `other_namespace_labels` are the labels of other's Namespace (empty if it is unknown).
bool TermSelects(const PodAffinityTerm& term, const Pod& owner, const Pod& other,
                 const Labels& other_namespace_labels);

// True if every required affinity term of `owner` selects `other`; false if it has none.
bool AffinitySelects(const Pod& owner, const Pod& other, const Labels& other_namespace_labels);

}  // namespace gangpack

#endif  // GANGPACK_CORE_SIBLING_TERMS_H_
