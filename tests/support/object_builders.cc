#include "tests/support/object_builders.h"

#include <utility>

#include "absl/strings/str_cat.h"

namespace gangpack {
namespace {

constexpr absl::string_view kTopologyKeyAnnotation = "ome.io/topology-key";

}  // namespace

NodeBuilder::NodeBuilder(absl::string_view name) {
  node_.name = std::string(name);
  Label(kHostnameLabel, name);
  PodSlots(110);
}

NodeBuilder& NodeBuilder::Label(absl::string_view key, absl::string_view value) {
  node_.labels[key] = std::string(value);
  return *this;
}

NodeBuilder& NodeBuilder::Amount(absl::string_view resource, int64_t amount) {
  node_.allocatable[resource] = amount;
  return *this;
}

NodeBuilder& NodeBuilder::Tainted(absl::string_view key, absl::string_view value,
                                  TaintEffect effect) {
  node_.taints.push_back({std::string(key), std::string(value), effect});
  return *this;
}

NodeBuilder& NodeBuilder::Cordoned(bool cordoned) {
  node_.unschedulable = cordoned;
  return *this;
}

PodAffinityTerm TermFor(absl::string_view topology_key, absl::string_view label,
                        absl::string_view value) {
  PodAffinityTerm term;
  term.topology_key = std::string(topology_key);
  term.selector.emplace();
  term.selector->requirements.push_back(
      {std::string(label), SelectorOperator::kIn, {std::string(value)}});
  return term;
}

TopologySpreadConstraint SpreadOver(absl::string_view topology_key, absl::string_view label,
                                    absl::string_view value) {
  TopologySpreadConstraint constraint;
  constraint.topology_key = std::string(topology_key);
  constraint.selector = TermFor(topology_key, label, value).selector;
  return constraint;
}

PodBuilder::PodBuilder(absl::string_view name) {
  pod_.name = {"ns", std::string(name)};
  pod_.uid.value = absl::StrCat("uid-", name);
  pod_.scheduler_name = "ome-scheduler";
  pod_.creation = absl::UnixEpoch();
}

PodBuilder& PodBuilder::Namespace(absl::string_view name) {
  pod_.name.namespace_name = std::string(name);
  return *this;
}

PodBuilder& PodBuilder::Uid(absl::string_view uid) {
  pod_.uid.value = std::string(uid);
  return *this;
}

PodBuilder& PodBuilder::Label(absl::string_view key, absl::string_view value) {
  pod_.labels[key] = std::string(value);
  return *this;
}

PodBuilder& PodBuilder::Amount(absl::string_view resource, int64_t amount) {
  pod_.spec.request[resource] = amount;
  return *this;
}

PodBuilder& PodBuilder::HostPort(int32_t port, absl::string_view protocol,
                                 absl::string_view host_ip) {
  pod_.spec.host_ports.push_back({std::string(host_ip), std::string(protocol), port});
  return *this;
}

PodBuilder& PodBuilder::NodeSelector(absl::string_view key, absl::string_view value) {
  pod_.spec.node_selector[key] = std::string(value);
  return *this;
}

PodBuilder& PodBuilder::NodeAffinity(absl::string_view key, SelectorOperator op,
                                     std::vector<std::string> values) {
  if (!pod_.spec.required_node_affinity.has_value()) pod_.spec.required_node_affinity.emplace();
  pod_.spec.required_node_affinity->push_back({{{std::string(key), op, std::move(values)}}, {}});
  return *this;
}

PodBuilder& PodBuilder::Tolerates(Toleration toleration) {
  pod_.spec.tolerations.push_back(std::move(toleration));
  return *this;
}

PodBuilder& PodBuilder::ToleratesEverything() {
  return Tolerates({"", TolerationOperator::kExists, "", std::nullopt});
}

PodBuilder& PodBuilder::Affinity(PodAffinityTerm term) {
  pod_.spec.required_affinity.push_back(std::move(term));
  return *this;
}

PodBuilder& PodBuilder::AntiAffinity(PodAffinityTerm term) {
  pod_.spec.required_anti_affinity.push_back(std::move(term));
  return *this;
}

PodBuilder& PodBuilder::Spread(TopologySpreadConstraint constraint) {
  pod_.spec.topology_spread.push_back(std::move(constraint));
  return *this;
}

PodBuilder& PodBuilder::On(absl::string_view node) {
  pod_.node_name = std::string(node);
  return *this;
}

PodBuilder& PodBuilder::Nominated(absl::string_view node, absl::string_view plan_annotation) {
  pod_.nominated_node_name = std::string(node);
  pod_.plan_annotation = std::string(plan_annotation);
  return *this;
}

PodBuilder& PodBuilder::Phase(PodPhase phase) {
  pod_.phase = phase;
  return *this;
}

PodBuilder& PodBuilder::Terminating(bool terminating) {
  pod_.terminating = terminating;
  return *this;
}

PodBuilder& PodBuilder::Gates(int gates) {
  pod_.gates = gates;
  return *this;
}

PodBuilder& PodBuilder::Priority(int32_t priority) {
  pod_.priority = priority;
  return *this;
}

PodBuilder& PodBuilder::Created(absl::Time time) {
  pod_.creation = time;
  return *this;
}

PodBuilder& PodBuilder::Scheduler(absl::string_view name) {
  pod_.scheduler_name = std::string(name);
  return *this;
}

PodBuilder& PodBuilder::DaemonSet() {
  pod_.daemon_set = true;
  return *this;
}

PodBuilder& PodBuilder::Mirror() {
  pod_.mirror = true;
  return *this;
}

PodGroupBuilder::PodGroupBuilder(absl::string_view name, int64_t min_member) {
  group_.name = {"ns", std::string(name)};
  group_.uid = absl::StrCat("uid-", name);
  group_.creation = absl::UnixEpoch();
  group_.min_member = min_member;
  group_.annotations[kTopologyKeyAnnotation] = std::string(kRack);
}

PodGroupBuilder& PodGroupBuilder::Namespace(absl::string_view name) {
  group_.name.namespace_name = std::string(name);
  return *this;
}

PodGroupBuilder& PodGroupBuilder::Uid(absl::string_view uid) {
  group_.uid = std::string(uid);
  return *this;
}

PodGroupBuilder& PodGroupBuilder::Label(absl::string_view key, absl::string_view value) {
  group_.labels[key] = std::string(value);
  return *this;
}

PodGroupBuilder& PodGroupBuilder::TopologyKey(std::optional<std::string> key) {
  group_.annotations.erase(kTopologyKeyAnnotation);
  if (key.has_value()) group_.annotations[kTopologyKeyAnnotation] = *std::move(key);
  return *this;
}

PodGroupBuilder& PodGroupBuilder::MinMember(std::optional<int64_t> min_member) {
  group_.min_member = min_member;
  return *this;
}

PodGroupBuilder& PodGroupBuilder::TimeoutSeconds(std::optional<int64_t> seconds) {
  group_.schedule_timeout_seconds = seconds;
  return *this;
}

PodGroupBuilder& PodGroupBuilder::Created(absl::Time time) {
  group_.creation = time;
  return *this;
}

}  // namespace gangpack
