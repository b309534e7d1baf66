// A Step document: something that happens in the simulated cluster, at its place in the input.
//
// Invariant: of a Step without faults every name is well-formed; whether it exists is seen only
// when the Step is done (simulation.h).
#ifndef GANGPACK_SERVER_SIMULATE_STEP_H_
#define GANGPACK_SERVER_SIMULATE_STEP_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "core/ids.h"
#include "k8s/document.h"
#include "k8s/fault.h"
#include "k8s/field.h"
#include "server/manifest/other_objects.h"

namespace gangpack::server {

struct StepDeletion {
  enum class Kind { kPod, kPodGroup, kNode };
  Kind kind = Kind::kPod;
  NamespacedName name;  // no namespace for a node
  k8s::Fault place;     // where it is written, for the fault that there is no such object
};

// Fields in the order in which they are done.
struct Step {
  std::vector<StepDeletion> deletions;
  std::vector<NamespacedName> pause;
  std::vector<NamespacedName> resume;
  std::vector<NamespacedName> fail_binding;
  std::vector<std::pair<NamespacedName, std::vector<std::string>>> refuse;  // pod, nodes
  bool restart = false;
  std::optional<absl::Duration> advance;
};

// Reads a document of kind Step. What is wrong goes to `faults`; the Step is then of no use.
Step DecodeStep(const k8s::Value& root, k8s::FaultList* faults);

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_SIMULATE_STEP_H_
