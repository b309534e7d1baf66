// Label selectors and node selectors, matched as Kubernetes matches them.
//
// Source of the rules: k8s.io/apimachinery/pkg/labels and
// k8s.io/component-helpers/scheduling/corev1/nodeaffinity.
//
// Errors: none; the reader (k8s/) refuses what the API server refuses. A node selector term that
// kube-scheduler cannot parse matches no node.
//
// Cost: O(requirements x log labels).
#ifndef GANGPACK_CORE_SELECTOR_H_
#define GANGPACK_CORE_SELECTOR_H_

#include <string>
#include <vector>

#include "absl/container/btree_map.h"
#include "absl/strings/string_view.h"

namespace gangpack {

using Labels = absl::btree_map<std::string, std::string>;

enum class SelectorOperator { kIn, kNotIn, kExists, kDoesNotExist, kGt, kLt };

struct SelectorRequirement {
  std::string key;
  SelectorOperator op = SelectorOperator::kIn;
  std::vector<std::string> values;  // exactly one for Gt and Lt

  friend bool operator==(const SelectorRequirement&, const SelectorRequirement&) = default;
};

// matchLabels (as In requirements with one value) and matchExpressions, all of which must match.
// Empty matches everything.
struct LabelSelector {
  std::vector<SelectorRequirement> requirements;

  friend bool operator==(const LabelSelector&, const LabelSelector&) = default;
};

// One term of required node affinity: all expressions and all fields must match. A term with
// neither matches no node. Nor does one with an expression that is malformed: In and NotIn without
// values, Gt and Lt with a value that is no integer, or a value that cannot be a label's (a
// negative number, for one, which API servers before 1.33 accept).
struct NodeSelectorTerm {
  std::vector<SelectorRequirement> match_expressions;
  // The only field is metadata.name; In and NotIn with exactly one value.
  std::vector<SelectorRequirement> match_fields;

  friend bool operator==(const NodeSelectorTerm&, const NodeSelectorTerm&) = default;
};

// NotIn and DoesNotExist match labels without the key, the others do not. Gt and Lt compare the
// label's value as a decimal integer with the requirement's; a value that is none does not match.
bool Matches(const SelectorRequirement& requirement, const Labels& labels);
bool Matches(const LabelSelector& selector, const Labels& labels);

// True if any of `terms` matches; false for an empty list (an affinity without terms matches no
// node).
bool MatchesAnyTerm(const std::vector<NodeSelectorTerm>& terms, const Labels& node_labels,
                    absl::string_view node_name);

}  // namespace gangpack

#endif  // GANGPACK_CORE_SELECTOR_H_
