// The calls that schedulers make, and what they are answered.
#ifndef GANGPACK_CORE_CALLS_H_
#define GANGPACK_CORE_CALLS_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "core/ids.h"
#include "core/reason.h"

namespace gangpack {

// kube-scheduler asks which of `node_names` the pod may use. The names need only live during the
// call.
struct FilterRequest {
  PodUid uid;
  NamespacedName pod;
  absl::Span<const absl::string_view> node_names;
};

// Nodes are indexes into FilterRequest::node_names, ascending. Every offered node is accepted or in
// one refusal; where all are refused for one reason, or one node alone is the answer, refusals
// carry no lists (`all_others`).
struct FilterDecision {
  struct Refusal {
    std::vector<int> nodes;
    bool all_others = false;  // every node that is neither accepted nor in another refusal
    Reason reason;
  };
  std::vector<int> accepted;
  std::vector<Refusal> refusals;
};

struct BindRequest {
  CallId call = 0;
  PodUid uid;
  NamespacedName pod;
  std::string node;
};

// Every offered node is refused for this reason.
inline FilterDecision RefuseAll(Reason reason) {
  FilterDecision decision;
  decision.refusals.push_back({{}, true, std::move(reason)});
  return decision;
}

}  // namespace gangpack

#endif  // GANGPACK_CORE_CALLS_H_
