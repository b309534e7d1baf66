// Which pods a pod affinity term or a spread constraint selects, apart from its topology key and
// from the pod that carries it: value types that can be compared.
//
// Terms. Clause: namespaces and a label selector, with the owner's own values of matchLabelKeys and
// mismatchLabelKeys written into it. A selection is a conjunction of clauses (pod_selections.h).
// Invariant: requirements, values and namespaces are sorted and without repetitions, so that terms
// that say the same in another order give equal clauses.
// Source of the rules: kube-scheduler's plugins InterPodAffinity and PodTopologySpread, and the API
// server's merge of matchLabelKeys, Kubernetes 1.36.
// Cost: linear in the term.
#ifndef GANGPACK_CORE_SELECTION_CLAUSE_H_
#define GANGPACK_CORE_SELECTION_CLAUSE_H_

#include <optional>
#include <string>
#include <vector>

#include "core/pod.h"
#include "core/selector.h"

namespace gangpack {

struct SelectionClause {
  bool selects_nothing = false;  // a null selector; everything else is then empty
  bool any_namespace = false;    // an empty namespaceSelector; `namespaces` is then empty
  std::vector<std::string> namespaces;
  std::optional<LabelSelector> namespace_selector;
  std::vector<SelectorRequirement> requirements;

  // Only listed namespaces count, whatever their labels.
  bool names_namespaces() const { return !any_namespace && !namespace_selector.has_value(); }
};

// What `term` of `owner` selects: the namespaces (its own one, or listed, or selected by their
// labels), and the label selector with matchLabelKeys and mismatchLabelKeys (keys that the owner
// lacks are ignored, as in Kubernetes). A term without a selector selects no pod, whatever its
// other fields say. A match key for which the selector has an In requirement with one value, or a
// mismatch key with such a NotIn one, is taken as merged by the API server when the pod was
// created, and the owner's present label no longer counts.
SelectionClause ClauseOf(const PodAffinityTerm& term, const Pod& owner);

// What is counted for `constraint` of `owner`, terminating pods aside. An empty selector counts no
// pod, though it matches the owner itself: see SelfMatches().
SelectionClause ClauseOf(const TopologySpreadConstraint& constraint, const Pod& owner);

// Whether `owner` counts for its own constraint where it is placed.
bool SelfMatches(const TopologySpreadConstraint& constraint, const Pod& owner);

struct SelectionSubject {
  const std::string& namespace_name;
  const Labels& namespace_labels;  // empty for a namespace that is not known
  const Labels& labels;
};
bool Selects(const SelectionClause& clause, const SelectionSubject& subject);
bool SelectsAll(const std::vector<SelectionClause>& clauses, const SelectionSubject& subject);

// Appends a text that is equal for equal clauses only.
void AppendText(const SelectionClause& clause, std::string* text);

}  // namespace gangpack

#endif  // GANGPACK_CORE_SELECTION_CLAUSE_H_
