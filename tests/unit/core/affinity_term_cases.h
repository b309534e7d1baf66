// The cases of testdata/affinity_terms.txt: whether a term of one pod selects another, as
// Kubernetes has it.
#ifndef GANGPACK_TESTS_UNIT_CORE_AFFINITY_TERM_CASES_H_
#define GANGPACK_TESTS_UNIT_CORE_AFFINITY_TERM_CASES_H_

#include <string>
#include <vector>

#include "core/pod.h"
#include "core/selector.h"

namespace gangpack {

struct AffinityTermCase {
  std::string line;  // for the failure message
  PodAffinityTerm term;
  Pod owner;
  Pod other;
  Labels namespace_labels;  // of the namespace of `other`
  bool selects = false;
};

std::vector<AffinityTermCase> ReadAffinityTermCases();

// `labels` as ParseLabels() of case_table.h reads them.
Pod LabelledPod(const std::string& namespace_name, const std::string& labels);

}  // namespace gangpack

#endif  // GANGPACK_TESTS_UNIT_CORE_AFFINITY_TERM_CASES_H_
