#include "core/rule_text.h"

#include "absl/strings/str_cat.h"

namespace gangpack {

void AppendCounted(absl::string_view part, std::string* text) {
  absl::StrAppend(text, part.size(), ":", part);
}

void AppendRequirements(const std::vector<SelectorRequirement>& requirements, std::string* text) {
  absl::StrAppend(text, "q", requirements.size());
  for (const SelectorRequirement& requirement : requirements) {
    absl::StrAppend(text, "o", static_cast<int>(requirement.op), "v", requirement.values.size(),
                    ";");
    AppendCounted(requirement.key, text);
    for (const std::string& value : requirement.values) AppendCounted(value, text);
  }
}

void AppendNodeRules(const PodSpec& spec, std::string* text) {
  absl::StrAppend(text, "s", spec.node_selector.size(), ";");
  for (const auto& [key, value] : spec.node_selector) {
    AppendCounted(key, text);
    AppendCounted(value, text);
  }
  if (!spec.required_node_affinity.has_value()) {
    text->push_back('n');
    return;
  }
  absl::StrAppend(text, "a", spec.required_node_affinity->size());
  for (const NodeSelectorTerm& term : *spec.required_node_affinity) {
    AppendRequirements(term.match_expressions, text);
    AppendRequirements(term.match_fields, text);
  }
}

void AppendTolerations(const std::vector<Toleration>& tolerations, std::string* text) {
  absl::StrAppend(text, "t", tolerations.size());
  for (const Toleration& toleration : tolerations) {
    absl::StrAppend(text, "o", static_cast<int>(toleration.op), "e",
                    toleration.effect.has_value() ? static_cast<int>(*toleration.effect) : -1, ";");
    AppendCounted(toleration.key, text);
    AppendCounted(toleration.value, text);
  }
}

}  // namespace gangpack
