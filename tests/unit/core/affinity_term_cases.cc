#include "tests/unit/core/affinity_term_cases.h"

#include <utility>

#include "tests/unit/core/case_table.h"

namespace gangpack {

Pod LabelledPod(const std::string& namespace_name, const std::string& labels) {
  Pod pod;
  pod.name = {namespace_name, "p"};
  pod.labels = ParseLabels(labels);
  return pod;
}

std::vector<AffinityTermCase> ReadAffinityTermCases() {
  std::vector<AffinityTermCase> cases;
  for (const TableCase& c : ReadCases("affinity_terms.txt", 11)) {
    AffinityTermCase parsed;
    parsed.line = c.line;
    parsed.owner = LabelledPod(c.fields[0], c.fields[1]);
    parsed.other = LabelledPod(c.fields[2], c.fields[3]);
    parsed.namespace_labels = ParseLabels(c.fields[4]);
    PodAffinityTerm& term = parsed.term;
    if (c.fields[5] != "-") term.selector = LabelSelector{ParseRequirements(c.fields[5])};
    term.namespaces = ParseList(c.fields[6], ',');
    if (c.fields[7] != "-") term.namespace_selector = LabelSelector{ParseRequirements(c.fields[7])};
    term.match_label_keys = ParseList(c.fields[8], ',');
    term.mismatch_label_keys = ParseList(c.fields[9], ',');
    parsed.selects = c.fields[10] == "1";
    cases.push_back(std::move(parsed));
  }
  return cases;
}

}  // namespace gangpack
