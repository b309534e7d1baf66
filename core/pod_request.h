// What a pod requests, computed from its containers exactly as kube-scheduler does it.
//
// Source of the rule: k8s.io/component-helpers/resource (PodRequests with status resources),
// Kubernetes 1.36.
//
// Units: thousandths in, those of resources.h out: what containers request is summed as it is, and
// the pod's request is rounded up.
//
// Cost: linear in containers and their resources.
//
// Not here: requests that the API server fills in from limits when it stores a pod (k8s/).
#ifndef GANGPACK_CORE_POD_REQUEST_H_
#define GANGPACK_CORE_POD_REQUEST_H_

#include <optional>
#include <vector>

#include "absl/strings/string_view.h"
#include "core/exact_amounts.h"
#include "core/resources.h"

namespace gangpack {

// One container's requests and, where its status tells, what the kubelet has allocated and applied
// (in-place resize). The status of init containers that are no sidecars does not count.
struct ContainerResources {
  ExactAmounts requests;
  bool restartable = false;  // an init container with restartPolicy Always (sidecar)

  // status.containerStatuses[].resources.requests; present exactly where `resources` is, even if
  // that names no request. Without it status_allocated does not count.
  std::optional<ExactAmounts> status_requests;
  std::optional<ExactAmounts> status_allocated;  // status.containerStatuses[].allocatedResources
};

struct PodResources {
  std::vector<ContainerResources> init_containers;  // in the order they run
  std::vector<ContainerResources> containers;
  ExactAmounts overhead;

  // spec.resources.requests. Of it cpu, memory and hugepages-* count, and replace the containers'.
  std::optional<ExactAmounts> pod_level_requests;
  bool resize_infeasible = false;  // condition PodResizePending with reason Infeasible

  // status.resources.requests, present exactly where status.resources is, and
  // status.allocatedResources: the same for pod-level requests as for a container's.
  std::optional<ExactAmounts> pod_level_status_requests;
  std::optional<ExactAmounts> pod_level_status_allocated;
};

// What a pod may request as a whole: cpu, memory and hugepages-*. Other names count in containers
// only.
bool MayBeSetForThePod(absl::string_view resource);

// The pod's request without the pod slot itself (resource `pods`, which cluster_state adds as 1).
ResourceAmounts ComputePodRequest(const PodResources& resources);
// The same before it is rounded.
ExactAmounts ComputeExactRequest(const PodResources& resources);

}  // namespace gangpack

#endif  // GANGPACK_CORE_POD_REQUEST_H_
