// What our own decoders and rules say about the pods and nodes of a case.
//
// A case is a JSON object with the lists `nodes`, `namespaces`, `pods` (bound) and `pending`, each
// of Kubernetes objects.
#ifndef GANGPACK_TESTS_ORACLE_OUR_VERDICTS_H_
#define GANGPACK_TESTS_ORACLE_OUR_VERDICTS_H_

#include <string>
#include <vector>

#include "absl/container/btree_set.h"
#include "absl/types/span.h"
#include "k8s/document.h"

namespace gangpack {

// Names of kube-scheduler's plugins.
using PluginNames = absl::btree_set<std::string>;

// The plugins whose rules are ours to check.
absl::Span<const char* const> ComparedPlugins();

struct OurVerdicts {
  std::vector<std::string> faults;  // of the decoders; nothing is judged where there are any
  // The plugins whose rule refuses: per pending pod, per node.
  std::vector<std::vector<PluginNames>> refused;
};

OurVerdicts Judge(const k8s::Value& test_case);

}  // namespace gangpack

#endif  // GANGPACK_TESTS_ORACLE_OUR_VERDICTS_H_
