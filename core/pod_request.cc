#include "core/pod_request.h"

#include "absl/strings/match.h"
#include "absl/strings/string_view.h"

namespace gangpack {
namespace {

// What a running container or pod is accounted for while the kubelet applies a resize: the largest
// of what is asked for, allocated and in effect; what is asked for does not count once the node has
// said that it can never give it.
ExactAmounts EffectiveRequests(const ExactAmounts& asked, const ExactAmounts& in_effect,
                               const std::optional<ExactAmounts>& allocated,
                               bool resize_infeasible) {
  ExactAmounts effective = in_effect;
  if (allocated.has_value()) MaxAmounts(*allocated, &effective);
  if (!resize_infeasible) MaxAmounts(asked, &effective);
  return effective;
}

ExactAmounts ContainerRequests(const ContainerResources& container, bool resize_infeasible) {
  if (!container.status_requests.has_value()) return container.requests;
  return EffectiveRequests(container.requests, *container.status_requests,
                           container.status_allocated, resize_infeasible);
}

// The most that is in use at once: while an init container runs, it and the sidecars started before
// it; afterwards all containers and all sidecars.
ExactAmounts SumOfContainers(const PodResources& resources) {
  ExactAmounts total;
  for (const ContainerResources& container : resources.containers) {
    AddAmounts(ContainerRequests(container, resources.resize_infeasible), &total);
  }
  ExactAmounts sidecars;
  ExactAmounts init_peak;
  for (const ContainerResources& container : resources.init_containers) {
    if (container.restartable) {
      const ExactAmounts sidecar = ContainerRequests(container, resources.resize_infeasible);
      AddAmounts(sidecar, &total);
      AddAmounts(sidecar, &sidecars);
    } else {
      ExactAmounts running = sidecars;
      AddAmounts(container.requests, &running);
      MaxAmounts(running, &init_peak);
    }
  }
  MaxAmounts(init_peak, &total);
  return total;
}

// Pod-level requests replace the containers' sum, resource by resource.
void ApplyPodLevelRequests(const PodResources& resources, ExactAmounts* total) {
  if (!resources.pod_level_requests.has_value()) return;
  ExactAmounts pod_level = *resources.pod_level_requests;
  if (resources.pod_level_status_requests.has_value()) {
    pod_level =
        EffectiveRequests(*resources.pod_level_requests, *resources.pod_level_status_requests,
                          resources.pod_level_status_allocated, resources.resize_infeasible);
  }
  for (const auto& [name, unused_asked] : *resources.pod_level_requests) {
    if (MayBeSetForThePod(name)) (*total)[name] = pod_level[name];
  }
}

}  // namespace

bool MayBeSetForThePod(absl::string_view resource) {
  return resource == kResourceCpu || resource == kResourceMemory ||
         absl::StartsWith(resource, kHugePagesPrefix);
}

ResourceAmounts ComputePodRequest(const PodResources& resources) {
  return RoundedUp(ComputeExactRequest(resources));
}

ExactAmounts ComputeExactRequest(const PodResources& resources) {
  ExactAmounts total = SumOfContainers(resources);
  ApplyPodLevelRequests(resources, &total);
  AddAmounts(resources.overhead, &total);
  return total;
}

}  // namespace gangpack
