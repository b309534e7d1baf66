// Fluent builders of the objects that tests feed to the engine.
//
// Terms: every setter returns the builder, so that one expression makes one object; a builder turns
// into its object by itself where one is expected. Units: those of core/resources.h. Defaults,
// which tests may rely on:
// - Node: 110 pod slots and no other resource; the label kubernetes.io/hostname is its name.
// - Pod: namespace `ns`, UID `uid-NAME`, scheduler `ome-scheduler`, phase Pending, created at the
//   Unix epoch, requesting nothing.
// - PodGroup: namespace `ns`, UID `uid-NAME`, topology key `rack`, created at the Unix epoch, and
//   minMember as given.
#ifndef GANGPACK_TESTS_SUPPORT_OBJECT_BUILDERS_H_
#define GANGPACK_TESTS_SUPPORT_OBJECT_BUILDERS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/node.h"
#include "core/pod.h"
#include "core/pod_group.h"

namespace gangpack {

inline constexpr absl::string_view kGpu = "nvidia.com/gpu";
inline constexpr absl::string_view kRack = "rack";

class NodeBuilder {
 public:
  explicit NodeBuilder(absl::string_view name);

  NodeBuilder& Label(absl::string_view key, absl::string_view value);
  NodeBuilder& Rack(absl::string_view value) { return Label(kRack, value); }
  NodeBuilder& Amount(absl::string_view resource, int64_t amount);
  NodeBuilder& CpuMilli(int64_t amount) { return Amount(kResourceCpu, amount); }
  NodeBuilder& Gpus(int64_t amount) { return Amount(kGpu, amount); }
  NodeBuilder& PodSlots(int64_t amount) { return Amount(kResourcePods, amount); }
  NodeBuilder& Tainted(absl::string_view key, absl::string_view value = "",
                       TaintEffect effect = TaintEffect::kNoSchedule);
  NodeBuilder& Cordoned(bool cordoned = true);

  const Node& Build() const { return node_; }
  operator const Node&() const { return node_; }

 private:
  Node node_;
};

// A required pod affinity or anti-affinity term that selects by one label in the pod's namespace.
PodAffinityTerm TermFor(absl::string_view topology_key, absl::string_view label,
                        absl::string_view value);
// A hard spread constraint of maxSkew 1 that counts by one label.
TopologySpreadConstraint SpreadOver(absl::string_view topology_key, absl::string_view label,
                                    absl::string_view value);

class PodBuilder {
 public:
  explicit PodBuilder(absl::string_view name);

  PodBuilder& Namespace(absl::string_view name);
  PodBuilder& Uid(absl::string_view uid);
  PodBuilder& Label(absl::string_view key, absl::string_view value);
  PodBuilder& Gang(absl::string_view pod_group) { return Label(kPodGroupLabel, pod_group); }
  PodBuilder& Amount(absl::string_view resource, int64_t amount);
  PodBuilder& CpuMilli(int64_t amount) { return Amount(kResourceCpu, amount); }
  PodBuilder& Gpus(int64_t amount) { return Amount(kGpu, amount); }
  PodBuilder& HostPort(int32_t port, absl::string_view protocol = "TCP",
                       absl::string_view host_ip = "0.0.0.0");
  PodBuilder& NodeSelector(absl::string_view key, absl::string_view value);
  // Required node affinity with one term more: `key` is one of, or none of, `values`.
  PodBuilder& NodeAffinity(absl::string_view key, SelectorOperator op,
                           std::vector<std::string> values);
  PodBuilder& Tolerates(Toleration toleration);
  PodBuilder& ToleratesEverything();
  PodBuilder& Affinity(PodAffinityTerm term);
  PodBuilder& AntiAffinity(PodAffinityTerm term);
  PodBuilder& Spread(TopologySpreadConstraint constraint);
  PodBuilder& On(absl::string_view node);  // bound
  PodBuilder& Nominated(absl::string_view node, absl::string_view plan_annotation = "");
  PodBuilder& Phase(PodPhase phase);
  PodBuilder& Terminating(bool terminating = true);
  PodBuilder& Gates(int gates);
  PodBuilder& Priority(int32_t priority);
  PodBuilder& Created(absl::Time time);
  PodBuilder& Scheduler(absl::string_view name);
  PodBuilder& DaemonSet();
  PodBuilder& Mirror();

  const Pod& Build() const { return pod_; }
  operator const Pod&() const { return pod_; }

 private:
  Pod pod_;
};

class PodGroupBuilder {
 public:
  PodGroupBuilder(absl::string_view name, int64_t min_member);

  PodGroupBuilder& Namespace(absl::string_view name);
  PodGroupBuilder& Uid(absl::string_view uid);
  PodGroupBuilder& Label(absl::string_view key, absl::string_view value);
  // The annotation ome.io/topology-key; nullopt removes it.
  PodGroupBuilder& TopologyKey(std::optional<std::string> key);
  PodGroupBuilder& MinMember(std::optional<int64_t> min_member);
  PodGroupBuilder& TimeoutSeconds(std::optional<int64_t> seconds);
  PodGroupBuilder& Created(absl::Time time);

  const PodGroup& Build() const { return group_; }
  operator const PodGroup&() const { return group_; }

 private:
  PodGroup group_;
};

}  // namespace gangpack

#endif  // GANGPACK_TESTS_SUPPORT_OBJECT_BUILDERS_H_
