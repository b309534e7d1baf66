// A Kubernetes Pod as the engine needs it. Value types.
//
// Not here: what a pod requests from its containers (pod_request.h), which rules it must pass
// (predicates.h).
#ifndef GANGPACK_CORE_POD_H_
#define GANGPACK_CORE_POD_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "core/ids.h"
#include "core/node.h"
#include "core/resources.h"
#include "core/selector.h"

namespace gangpack {

inline constexpr absl::string_view kPodGroupLabel = "scheduling.x-k8s.io/pod-group";
inline constexpr absl::string_view kPlanAnnotation = "gangpack.io/plan";
inline constexpr absl::string_view kHostnameLabel = "kubernetes.io/hostname";

enum class PodPhase { kPending, kRunning, kSucceeded, kFailed, kUnknown };

enum class TolerationOperator { kEqual, kExists, kLt, kGt };

struct Toleration {
  std::string key;  // empty with kExists: every key
  TolerationOperator op = TolerationOperator::kEqual;
  std::string value;
  std::optional<TaintEffect> effect;  // absent: every effect

  friend bool operator==(const Toleration&, const Toleration&) = default;
};

struct HostPort {
  std::string host_ip;   // "0.0.0.0" where the pod names none
  std::string protocol;  // TCP, UDP or SCTP
  int32_t port = 0;

  friend bool operator==(const HostPort&, const HostPort&) = default;
};

// A required pod affinity or anti-affinity term.
struct PodAffinityTerm {
  std::optional<LabelSelector> selector;  // absent (null) selects no pod, empty selects every pod
  std::vector<std::string>
      namespaces;  // with no namespace_selector, empty means the pod's own namespace
  std::optional<LabelSelector> namespace_selector;  // empty selects every namespace
  std::string topology_key;
  std::vector<std::string> match_label_keys;  // keys whose value must equal the incoming pod's
  std::vector<std::string>
      mismatch_label_keys;  // keys whose value must differ from the incoming pod's

  friend bool operator==(const PodAffinityTerm&, const PodAffinityTerm&) = default;
};

// A hard topology spread constraint (whenUnsatisfiable: DoNotSchedule; others are not kept). Its
// selector selects among the pods of the owner's namespace.
struct TopologySpreadConstraint {
  int32_t max_skew = 1;
  std::string topology_key;
  std::optional<LabelSelector> selector;      // absent (null) counts no pod
  std::vector<std::string> match_label_keys;  // keys whose value must equal the incoming pod's
  int32_t min_domains = 1;          // with fewer domains the least count in a domain is taken as 0
  bool honor_node_affinity = true;  // only nodes that the pod's own node rules select count
  bool honor_taints = false;        // only nodes whose taints the pod tolerates count

  friend bool operator==(const TopologySpreadConstraint&,
                         const TopologySpreadConstraint&) = default;
};

// The part of a pod that decides where it may run; immutable in Kubernetes but for gated pods and
// in-place resize.
struct PodSpec {
  ResourceAmounts request;  // ComputePodRequest(), without the pod slot
  std::vector<HostPort> host_ports;
  Labels node_selector;
  std::optional<std::vector<NodeSelectorTerm>> required_node_affinity;  // absent: no such rule
  std::vector<Toleration> tolerations;
  std::vector<PodAffinityTerm> required_affinity;
  std::vector<PodAffinityTerm> required_anti_affinity;
  std::vector<TopologySpreadConstraint> topology_spread;

  friend bool operator==(const PodSpec&, const PodSpec&) = default;
};

struct Pod {
  PodUid uid;
  NamespacedName name;
  Labels labels;
  std::string plan_annotation;  // value of gangpack.io/plan, empty if absent
  bool mirror = false;  // static pod's mirror: annotation kubernetes.io/config.mirror is present
  bool daemon_set = false;  // its controller is a DaemonSet
  std::string scheduler_name;
  std::string node_name;            // spec.nodeName: bound when not empty
  std::string nominated_node_name;  // status.nominatedNodeName
  PodPhase phase = PodPhase::kPending;
  bool terminating = false;  // has a deletionTimestamp
  int gates = 0;             // number of spec.schedulingGates
  int32_t priority = 0;
  absl::Time creation;
  PodSpec spec;
};

// A Kubernetes Namespace: its labels decide which namespaces a pod affinity term selects.
struct Namespace {
  std::string name;
  Labels labels;
};

}  // namespace gangpack

#endif  // GANGPACK_CORE_POD_H_
