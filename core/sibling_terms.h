// Whether a pod's required affinity or anti-affinity term selects another pod.
//
// Source of the rule: kube-scheduler's plugin InterPodAffinity and the API server's merge of
// matchLabelKeys, Kubernetes 1.36.
//
// Cost: O(namespaces + requirements x log labels).
//
// Not here: what follows from it for a plan (packing.h).
#ifndef GANGPACK_CORE_SIBLING_TERMS_H_
#define GANGPACK_CORE_SIBLING_TERMS_H_

#include "core/pod.h"

namespace gangpack {

// True if `term` of `owner` selects `other`: namespace (own one, listed, or selected by its
// labels), label selector, and matchLabelKeys / mismatchLabelKeys with the values of `owner` (keys
// that owner lacks are ignored, as in Kubernetes). A term without a selector selects no pod,
// whatever its other fields say. A match key for which the selector has an In requirement with one
// value, or a mismatch key with such a NotIn one, is taken as merged by the API server when the pod
// was created, and owner's present label no longer counts.
// `other_namespace_labels` are the labels of other's Namespace (empty if it is unknown).
bool TermSelects(const PodAffinityTerm& term, const Pod& owner, const Pod& other,
                 const Labels& other_namespace_labels);

// True if every required affinity term of `owner` selects `other`; false if it has none.
bool AffinitySelects(const Pod& owner, const Pod& other, const Labels& other_namespace_labels);

}  // namespace gangpack

#endif  // GANGPACK_CORE_SIBLING_TERMS_H_
