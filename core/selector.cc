#include "core/selector.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"

namespace gangpack {
namespace {

constexpr absl::string_view kNodeNameField = "metadata.name";
constexpr size_t kLabelValueSizeMax = 63;

// A decimal integer with an optional sign and nothing around it. absl::SimpleAtoi alone would allow
// spaces.
std::optional<int64_t> ParseInteger(absl::string_view text) {
  absl::string_view digits = text;
  if (!digits.empty() && (digits[0] == '+' || digits[0] == '-')) digits.remove_prefix(1);
  if (digits.empty() || !std::all_of(digits.begin(), digits.end(), absl::ascii_isdigit)) {
    return std::nullopt;
  }
  int64_t value = 0;
  if (!absl::SimpleAtoi(text, &value)) return std::nullopt;
  return value;
}

bool HasValue(const SelectorRequirement& requirement, absl::string_view value) {
  return std::find(requirement.values.begin(), requirement.values.end(), value) !=
         requirement.values.end();
}

bool MatchesOrdering(const SelectorRequirement& requirement, absl::string_view label_value) {
  if (requirement.values.size() != 1) return false;
  const std::optional<int64_t> actual = ParseInteger(label_value);
  const std::optional<int64_t> bound = ParseInteger(requirement.values[0]);
  if (!actual.has_value() || !bound.has_value()) return false;
  return requirement.op == SelectorOperator::kGt ? *actual > *bound : *actual < *bound;
}

bool IsLabelValue(absl::string_view value) {
  if (value.empty()) return true;
  const auto is_inner = [](unsigned char c) {
    return absl::ascii_isalnum(c) || c == '-' || c == '_' || c == '.';
  };
  return value.size() <= kLabelValueSizeMax && absl::ascii_isalnum(value.front()) &&
         absl::ascii_isalnum(value.back()) && std::all_of(value.begin(), value.end(), is_inner);
}

// Whether kube-scheduler could parse the requirement; a term with one that it could not matches no
// node.
bool IsWellFormed(const SelectorRequirement& requirement) {
  const std::vector<std::string>& values = requirement.values;
  switch (requirement.op) {
    case SelectorOperator::kIn:
    case SelectorOperator::kNotIn:
      if (values.empty()) return false;
      break;
    case SelectorOperator::kExists:
    case SelectorOperator::kDoesNotExist:
      return values.empty();
    case SelectorOperator::kGt:
    case SelectorOperator::kLt:
      if (values.size() != 1 || !ParseInteger(values[0]).has_value()) return false;
      break;
  }
  return std::all_of(values.begin(), values.end(), IsLabelValue);
}

bool MatchesField(const SelectorRequirement& requirement, absl::string_view node_name) {
  if (requirement.values.size() != 1) return false;
  const absl::string_view field = requirement.key == kNodeNameField ? node_name : "";
  if (requirement.op == SelectorOperator::kIn) return field == requirement.values[0];
  if (requirement.op == SelectorOperator::kNotIn) return field != requirement.values[0];
  return false;
}

bool MatchesTerm(const NodeSelectorTerm& term, const Labels& node_labels,
                 absl::string_view node_name) {
  if (term.match_expressions.empty() && term.match_fields.empty()) return false;
  for (const SelectorRequirement& requirement : term.match_expressions) {
    if (!Matches(requirement, node_labels)) return false;
  }
  for (const SelectorRequirement& requirement : term.match_fields) {
    if (!MatchesField(requirement, node_name)) return false;
  }
  return std::all_of(term.match_expressions.begin(), term.match_expressions.end(), IsWellFormed);
}

}  // namespace

bool Matches(const SelectorRequirement& requirement, const Labels& labels) {
  const auto label = labels.find(requirement.key);
  const bool present = label != labels.end();
  switch (requirement.op) {
    case SelectorOperator::kIn:
      return present && HasValue(requirement, label->second);
    case SelectorOperator::kNotIn:
      return !present || !HasValue(requirement, label->second);
    case SelectorOperator::kExists:
      return present;
    case SelectorOperator::kDoesNotExist:
      return !present;
    case SelectorOperator::kGt:
    case SelectorOperator::kLt:
      return present && MatchesOrdering(requirement, label->second);
  }
  return false;
}

bool Matches(const LabelSelector& selector, const Labels& labels) {
  for (const SelectorRequirement& requirement : selector.requirements) {
    if (!Matches(requirement, labels)) return false;
  }
  return true;
}

bool MatchesAnyTerm(const std::vector<NodeSelectorTerm>& terms, const Labels& node_labels,
                    absl::string_view node_name) {
  for (const NodeSelectorTerm& term : terms) {
    if (MatchesTerm(term, node_labels, node_name)) return true;
  }
  return false;
}

}  // namespace gangpack
