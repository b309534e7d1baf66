// The hard rules that look at one node: one function per rule, one reason code each.
//
// Source of the rules: kube-scheduler's plugins NodeUnschedulable, TaintToleration, NodeAffinity,
// NodeResourcesFit, NodePorts, Kubernetes 1.36. An absent result means the rule is satisfied.
//
// Cost: linear in the pod's own rule and in what it is compared with (taints, ports in use,
// resources), with one look-up per label.
//
// Not here: rules between pods (pod_rules.h, packing_problem.h), planning (packing.h).
#ifndef GANGPACK_CORE_PREDICATES_H_
#define GANGPACK_CORE_PREDICATES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/node.h"
#include "core/pod.h"
#include "core/resources.h"

namespace gangpack {

enum class NodeRule {
  kUnschedulable,
  kTaint,
  kNodeAffinity,
  kResource,
  kHostPort,
  kSiblings,  // rules among the members exclude the node
  kWaiting,   // members of the gang that wait at Permit take what the member needs
  kPodRule,   // a rule between the member and a pod that is placed does
};

struct NodeRejection {
  NodeRule rule = NodeRule::kUnschedulable;
  // The taint as key=value:effect (key:effect if it has no value), the resource's name, the port as
  // protocol/port, or of kPodRule the rule in words; else empty.
  std::string subject;
  // kSiblings, kWaiting and kPodRule are never found here, since they take more than a node and a
  // pod: see shortage.h. kResource: what the pod requests and what is free, in the units of
  // resources.h.
  int64_t requested = 0;
  int64_t free = 0;
};

// spec.unschedulable, unless the pod tolerates node.kubernetes.io/unschedulable:NoSchedule.
std::optional<NodeRejection> CheckUnschedulable(const PodSpec& pod, const Node& node);

// The first NoSchedule or NoExecute taint, in the node's order, that the pod does not tolerate.
std::optional<NodeRejection> CheckTaints(const PodSpec& pod, const Node& node);

// nodeSelector and required node affinity.
std::optional<NodeRejection> CheckNodeAffinity(const PodSpec& pod, const Node& node);

// The first resource, in the order of ResourceId, of which less than requested is free. A request
// of 0 always fits; the pod slot is an amount like the others, so the caller puts it into both.
std::optional<NodeRejection> CheckResources(const ResourceVector& request,
                                            const ResourceVector& free, const ResourceTable& table);

// The first wanted host port that conflicts with one in use.
std::optional<NodeRejection> CheckHostPorts(const std::vector<HostPort>& wanted,
                                            const std::vector<HostPort>& used);

// Same port and protocol, and the same address or one of them 0.0.0.0. Addresses are compared as
// text; an absent address is 0.0.0.0, an absent protocol TCP, and port 0 is no port.
bool HostPortsConflict(const HostPort& a, const HostPort& b);

// The rules that depend on the pod's spec and the Node object only, in the order above:
// unschedulable, taints, affinity.
std::optional<NodeRejection> CheckNodeObject(const PodSpec& pod, const Node& node);

// Lt tolerates a taint whose value is less than the toleration's, Gt one whose value is greater,
// both as 64-bit integers in canonical decimal form; anything else is not tolerated by them. They
// exist since Kubernetes 1.35, behind a feature gate that an API server checks.
bool Tolerates(const Toleration& toleration, const Taint& taint);

}  // namespace gangpack

#endif  // GANGPACK_CORE_PREDICATES_H_
