#include "k8s/pod_codec.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/exact_amounts.h"
#include "core/pod_request.h"
#include "core/resources.h"
#include "k8s/container_codec.h"
#include "k8s/metadata_codec.h"
#include "k8s/names.h"
#include "k8s/resource_codec.h"
#include "k8s/selector_codec.h"
#include "k8s/spread_codec.h"
#include "k8s/toleration_codec.h"

namespace gangpack::k8s {
namespace {

constexpr absl::string_view kMirrorAnnotation = "kubernetes.io/config.mirror";

std::optional<PodPhase> DecodePhase(const Field& status) {
  const absl::string_view text = status.Text("phase");
  if (text.empty()) return std::nullopt;
  if (text == "Pending") return PodPhase::kPending;
  if (text == "Running") return PodPhase::kRunning;
  if (text == "Succeeded") return PodPhase::kSucceeded;
  if (text == "Failed") return PodPhase::kFailed;
  if (text == "Unknown") return PodPhase::kUnknown;
  status.Report("phase", absl::StrCat(Quote(text),
                                      ", expected Pending, Running, Succeeded, Failed "
                                      "or Unknown"));
  return std::nullopt;
}

// The containers as the spec alone has them, without what the kubelet says.
PodResources SpecResources(const std::vector<DecodedContainer>& containers) {
  PodResources resources;
  for (const DecodedContainer& container : containers) {
    auto& list = container.init ? resources.init_containers : resources.containers;
    ContainerResources& added = list.emplace_back();
    added.requests = container.resources.requests;
    added.restartable = container.resources.restartable;
  }
  return resources;
}

// The API server's defaults for spec.resources, where that has anything. A limit of hugepages that
// containers have is the pod's as well; then, where it has a limit of whatever kind, a missing
// request is what the containers request of cpu or memory, else the limit.
std::optional<ExactAmounts> DecodePodLevelRequests(
    const Field& spec, const std::vector<DecodedContainer>& containers) {
  auto [requests, limits] = DecodeRequestsAndLimits(spec, "resources");
  if (requests.empty() && limits.empty()) return std::nullopt;
  const ExactAmounts of_containers = ComputeExactRequest(SpecResources(containers));
  for (const auto& [name, sum] : of_containers) {
    if (absl::StartsWith(name, kHugePagesPrefix) && !requests.contains(name)) {
      limits.emplace(name, sum);
    }
  }
  for (const auto& [name, sum] : of_containers) {
    if (!limits.empty() && (name == kResourceCpu || name == kResourceMemory)) {
      requests.emplace(name, sum);
    }
  }
  for (const auto& [name, limit] : limits) {
    if (MayBeSetForThePod(name)) requests.emplace(name, limit);
  }
  return std::move(requests);
}

// Of several conditions of a type only the first counts, as in Kubernetes.
void DecodeConditions(const Field& status, DecodedPod* decoded, bool* resize_infeasible) {
  const Field list = status.List("conditions");
  bool resize_seen = false;
  for (size_t i = 0; i < list.item_count(); ++i) {
    const Field condition = list.ObjectAt(i);
    const absl::string_view type = condition.Text("type");
    if (type == "PodResizePending" && !resize_seen) {
      resize_seen = true;
      *resize_infeasible = condition.Text("reason") == "Infeasible";
    } else if (type == "PodScheduled" && !decoded->scheduled.has_value()) {
      decoded->scheduled = {std::string(condition.Text("status")),
                            std::string(condition.Text("reason")),
                            std::string(condition.Text("message"))};
    }
  }
}

PodResources DecodePodResources(const Field& spec, const Field& status,
                                const std::vector<DecodedContainer>& containers) {
  PodResources resources;
  for (const DecodedContainer& container : containers) {
    auto& list = container.init ? resources.init_containers : resources.containers;
    list.push_back(container.resources);
  }
  resources.overhead = DecodeContainerAmounts(spec, "overhead");
  resources.pod_level_requests = DecodePodLevelRequests(spec, containers);
  const Field current = status.Object("resources");
  if (current.exists()) {
    resources.pod_level_status_requests = DecodeContainerAmounts(current, "requests");
  }
  resources.pod_level_status_allocated =
      DecodeOptionalContainerAmounts(status, "allocatedResources");
  return resources;
}

void DecodeAffinity(const Field& spec, PodSpec* pod_spec) {
  const Field affinity = spec.Object("affinity");
  const Field node_affinity = affinity.Object("nodeAffinity");
  const Field pod_affinity = affinity.Object("podAffinity");
  const Field pod_anti_affinity = affinity.Object("podAntiAffinity");
  pod_spec->required_node_affinity = DecodeRequiredNodeAffinity(node_affinity);
  pod_spec->required_affinity = DecodeRequiredPodAffinity(pod_affinity);
  pod_spec->required_anti_affinity = DecodeRequiredPodAffinity(pod_anti_affinity);
}

std::vector<std::string> DecodeGates(const Field& spec) {
  const Field list = spec.List("schedulingGates");
  std::vector<std::string> gates;
  for (size_t i = 0; i < list.item_count(); ++i) {
    const Field gate = list.ObjectAt(i);
    const absl::string_view name = gate.Text("name");
    if (const char* expected = CheckQualifiedName(name)) {
      gate.Report("name", absl::StrCat(Quote(name), ", ", expected));
    }
    gates.emplace_back(name);
  }
  return gates;
}

// Volumes that kube-scheduler's own filters look at; the others can be had on every node.
bool HasVolumesThatBindNodes(const Field& spec) {
  const Field volumes = spec.List("volumes");
  for (size_t i = 0; i < volumes.item_count(); ++i) {
    const Field volume = volumes.ObjectAt(i);
    for (const absl::string_view kind :
         {"persistentVolumeClaim", "ephemeral", "awsElasticBlockStore", "azureDisk", "cinder",
          "gcePersistentDisk", "iscsi", "rbd", "vsphereVolume"}) {
      if (volume.Any(kind).exists()) return true;
    }
  }
  return false;
}

std::string DecodeNodeName(const Field& parent, absl::string_view key) {
  const absl::string_view name = parent.Text(key);
  const char* expected = name.empty() ? nullptr : CheckDnsSubdomain(name);
  if (expected != nullptr) parent.Report(key, absl::StrCat(Quote(name), ", ", expected));
  return std::string(name);
}

}  // namespace

DecodedPod DecodePod(const Field& object) {
  constexpr int64_t kMinPriority = std::numeric_limits<int32_t>::min();
  constexpr int64_t kMaxPriority = std::numeric_limits<int32_t>::max();
  ObjectMeta meta = DecodeMetadata(object, NameForm::kDnsSubdomain);
  const Field spec = object.Object("spec");
  const Field status = object.Object("status");
  DecodedPod decoded;
  Pod& pod = decoded.pod;
  pod.uid = {std::move(meta.uid)};
  pod.name = {std::move(meta.namespace_name), std::move(meta.name)};
  pod.labels = std::move(meta.labels);
  if (const auto plan = meta.annotations.find(kPlanAnnotation); plan != meta.annotations.end()) {
    pod.plan_annotation = plan->second;
  }
  pod.mirror = meta.annotations.contains(kMirrorAnnotation);
  pod.daemon_set = meta.daemon_set;
  pod.terminating = meta.terminating;
  pod.creation = meta.creation.value_or(absl::Time());
  pod.scheduler_name = std::string(spec.Text("schedulerName"));
  pod.node_name = DecodeNodeName(spec, "nodeName");
  pod.nominated_node_name = DecodeNodeName(status, "nominatedNodeName");
  decoded.phase = DecodePhase(status);
  pod.phase = decoded.phase.value_or(PodPhase::kPending);
  decoded.gates = DecodeGates(spec);
  pod.gates = static_cast<int>(decoded.gates.size());
  pod.priority = static_cast<int32_t>(spec.Int("priority", kMinPriority, kMaxPriority).value_or(0));

  DecodedContainers containers = DecodeContainers(spec, status);
  PodResources resources = DecodePodResources(spec, status, containers.containers);
  DecodeConditions(status, &decoded, &resources.resize_infeasible);
  pod.spec.request = ComputePodRequest(resources);
  pod.spec.host_ports = std::move(containers.host_ports);
  pod.spec.node_selector = DecodeLabels(spec, "nodeSelector");
  pod.spec.tolerations = DecodeTolerations(spec);
  DecodeAffinity(spec, &pod.spec);
  pod.spec.topology_spread = DecodeTopologySpread(spec);

  for (DecodedContainer& container : containers.containers) {
    decoded.containers.push_back(
        {std::move(container.name), container.init, RoundedUp(container.resources.requests)});
  }
  decoded.has_volumes = HasVolumesThatBindNodes(spec);
  const Field claims = spec.List("resourceClaims");
  decoded.has_device_claims = claims.item_count() > 0;
  decoded.resource_version = std::move(meta.resource_version);
  decoded.creation = meta.creation;
  decoded.annotations = std::move(meta.annotations);
  return decoded;
}

}  // namespace gangpack::k8s
