#include "core/rule_wakes.h"

#include <algorithm>

#include "core/gang_life.h"

namespace gangpack {
namespace {

// Why the pod was refused last; nullptr if it has passed, been woken or gone since.
const Reason* RefusalOf(const EngineState& state, const PodRecord& pod) {
  const auto single = state.refused_singles.find(pod.pod.uid);
  if (single != state.refused_singles.end()) return &single->second;
  const Gang* gang = state.GangOf(pod.pod);
  if (gang == nullptr) return nullptr;
  const auto member = gang->refused.find(pod.pod.uid);
  return member == gang->refused.end() ? nullptr : &member->second;
}

bool MayUse(const EngineState& state, const PodRecord& pod, const PreparedPod& prepared,
            NodeIndex node) {
  return prepared.Allows(node) && SingleMayUse(state, pod, node) &&
         state.ledger.HolderOfNode(node, state.cluster.topology()) == nullptr;
}

// Whether a node that may have changed in the pod's eyes takes it now.
bool TakesNow(const EngineState& state, const PodRecord& pod, RuleWatch* watch) {
  const PodRules& rules = state.cluster.rules();
  const RuleStaleness staleness = rules.CatchUp(watch);
  if (staleness.everything) return true;
  const PreparedPod prepared = rules.Prepare(pod.pod.uid);
  return std::any_of(
      staleness.changes.begin(), staleness.changes.end(), [&](const RuleChange& change) {
        if (!change.better) return false;
        const std::vector<NodeIndex>& nodes = rules.values().NodesWith(change.key, change.value);
        return std::any_of(nodes.begin(), nodes.end(),
                           [&](NodeIndex node) { return MayUse(state, pod, prepared, node); });
      });
}

}  // namespace

void WatchRules(EngineState* state, const PodUid& pod) {
  state->rule_watches[pod] = state->cluster.rules().Watch({&pod, 1});
}

bool WakeByRules(EngineState* state) {
  const int64_t improvements = state->cluster.rules().improvements();
  auto& watches = state->rule_watches;
  if (watches.empty() || improvements == state->rule_wakes_done) return false;
  if (state->rule_wakes_next == PodUid{}) state->rule_wakes_begun = improvements;
  auto it = watches.lower_bound(state->rule_wakes_next);
  for (int looked_at = 0; it != watches.end(); ++looked_at) {
    if (looked_at == state->policy.views_per_slice) {
      state->rule_wakes_next = it->first;
      return true;
    }
    PodRecord* const pod = state->cluster.FindPod(it->first);
    const Reason* const refused = pod == nullptr ? nullptr : RefusalOf(*state, *pod);
    const bool wakes = refused != nullptr && TakesNow(*state, *pod, &it->second);
    if (wakes) WakeSingle(state, pod);
    it = refused == nullptr || wakes ? watches.erase(it) : std::next(it);
  }
  state->rule_wakes_next = PodUid{};
  state->rule_wakes_done = state->rule_wakes_begun;
  return state->rule_wakes_done != improvements;  // some changed while the slices passed
}

bool RulesChanged(const EngineState& state) {
  const PodRules& rules = state.cluster.rules();
  return (rules.changes() != state.rule_changes_marked && !state.ledger.empty()) ||
         (rules.improvements() != state.rule_wakes_done && !state.rule_watches.empty());
}

void MarkRuledPlans(EngineState* state) {
  const PodRules& rules = state->cluster.rules();
  if (rules.changes() == state->rule_changes_marked) return;
  state->rule_changes_marked = rules.changes();
  for (const auto& [domain, gang] : state->ledger.holders()) {
    const auto& nodes = gang->plan->nodes;
    const bool concerned = std::any_of(nodes.begin(), nodes.end(), [&](const auto& planned) {
      return rules.Knows(planned.first) && rules.Concern(planned.first);
    });
    if (concerned) state->Mark(gang);
  }
}

}  // namespace gangpack
