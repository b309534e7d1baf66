// Decodes a Pod.
//
// Beside the pod as the engine needs it, this hands out what only its owner needs: what the object
// left out, and the parts that the API server does not allow to change.
//
// Not here: how a request follows from containers (core/pod_request.h).

#ifndef GANGPACK_K8S_POD_CODEC_H_
#define GANGPACK_K8S_POD_CODEC_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "core/pod.h"
#include "core/resources.h"
#include "k8s/field.h"

namespace gangpack::k8s {

// status.conditions, type PodScheduled.
struct PodScheduledStatus {
  std::string status;  // "True" or "False".
  std::string reason;
  std::string message;
};

struct DecodedPod {
  // uid, namespace, scheduler_name, node_name and nominated_node_name are empty where the object
  // has none; the phase is then Pending and the creation time the epoch.
  Pod pod;
  std::string resource_version;
  Labels annotations;
  std::optional<absl::Time> creation;
  std::optional<PodPhase> phase;
  std::optional<PodScheduledStatus> scheduled;
  std::vector<std::string> gates;  // Names of spec.schedulingGates.

  struct Container {
    std::string name;
    bool init = false;
    ResourceAmounts requests;  // From the spec alone, defaults applied.
  };
  std::vector<Container> containers;  // Init containers first.

  bool has_volumes = false;        // Of a kind that can keep a pod off a node.
  bool has_device_claims = false;  // spec.resourceClaims
};

// Reports every fault to the field's list; the result is then what could be understood. Volumes and
// device claims are not read, but for their presence.
DecodedPod DecodePod(const Field& object);

}  // namespace gangpack::k8s

#endif  // GANGPACK_K8S_POD_CODEC_H_
