// Rules as texts that can be compared and looked up: equal rules give equal texts, and texts put
// together by these functions alone are equal for equal rules only.
//
// Requirements, terms and tolerations count in the order given: who wants another order to be the
// same sorts first. Cost: linear.
#ifndef GANGPACK_CORE_RULE_TEXT_H_
#define GANGPACK_CORE_RULE_TEXT_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "core/pod.h"
#include "core/selector.h"

namespace gangpack {

// Appends the length too, so that parts in a row cannot be read in two ways.
void AppendCounted(absl::string_view part, std::string* text);

void AppendRequirements(const std::vector<SelectorRequirement>& requirements, std::string* text);

// nodeSelector and required node affinity.
void AppendNodeRules(const PodSpec& spec, std::string* text);

void AppendTolerations(const std::vector<Toleration>& tolerations, std::string* text);

}  // namespace gangpack

#endif  // GANGPACK_CORE_RULE_TEXT_H_
