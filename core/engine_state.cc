#include "core/engine_state.h"

namespace gangpack {

EngineState::EngineState(Policy p) : policy(std::move(p)), cluster(policy.scheduler_name) {
  if (!policy.default_topology_key.empty()) cluster.AddKey(policy.default_topology_key);
}

PackingLimits EngineState::Limits() const {
  PackingLimits limits;
  limits.states_max = policy.packing_states_max;
  limits.shown_states_max = policy.shown_states_max;
  limits.backtrack_members_max = policy.backtrack_members_max;
  limits.lighter_tries_max = policy.lighter_tries_max;
  limits.state_comparisons_max = policy.state_comparisons_max;
  return limits;
}

Gang* EngineState::GangOf(const Pod& pod) const {
  auto label = pod.labels.find(kPodGroupLabel);
  if (label == pod.labels.end() || label->second.empty()) return nullptr;
  auto it = gangs.find(NamespacedName{pod.name.namespace_name, label->second});
  return it == gangs.end() ? nullptr : it->second.get();
}

Gang* EngineState::GangFor(const NamespacedName& name) {
  std::unique_ptr<Gang>& gang = gangs[name];
  if (gang == nullptr) {
    gang = std::make_unique<Gang>();
    gang->name = name;
  }
  return gang.get();
}

void EngineState::Mark(Gang* gang) {
  if (gang == nullptr || gang->marked) return;
  gang->marked = true;
  marked.push_back(gang);
}

void EngineState::MarkHolders(NodeIndex node) {
  if (ledger.empty()) return;
  const TopologyIndex& topology = cluster.topology();
  for (size_t key = 0; key < topology.keys(); ++key) {
    const DomainIndex domain = topology.DomainOf(static_cast<TopologyKeyIndex>(key), node);
    if (domain != kNoDomain) Mark(ledger.HolderOf(domain));
  }
}

void EngineState::Unwant(Gang* gang) {
  if (!gang->wanting) return;
  wanting.erase(gang);
  gang->wanting = false;
}

void EngineState::Want(Gang* gang) {
  if (gang->wanting) return;
  wanting.insert(gang);
  gang->wanting = true;
}

GangTransition EngineState::TransitionOf(GangTransitionKind kind, const Gang& gang,
                                         DomainIndex domain, std::string text) const {
  GangTransition transition;
  transition.kind = kind;
  transition.gang = gang.name;
  if (gang.group.has_value()) transition.group_uid = gang.group->uid;
  if (gang.summary.key >= 0) transition.topology_key = cluster.topology().KeyName(gang.summary.key);
  if (domain != kNoDomain) transition.domain = cluster.topology().domain(domain).name;
  transition.text = std::move(text);
  return transition;
}

void EngineState::EmitTransition(GangTransitionKind kind, const Gang& gang, DomainIndex domain,
                                 std::string text) {
  Emit(TransitionOf(kind, gang, domain, std::move(text)));
}

}  // namespace gangpack
