#include "core/adoption.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "core/gang_life.h"
#include "core/gang_plan.h"

namespace gangpack {
namespace {

struct PlanMark {
  std::string group_uid;
  int64_t number = 0;
};

// Reads `<PodGroup UID>/<plan number>`.
std::optional<PlanMark> ReadPlanMark(const std::string& annotation) {
  const std::vector<std::string> parts = absl::StrSplit(annotation, '/');
  PlanMark mark;
  if (parts.size() != 2 || !absl::SimpleAtoi(parts[1], &mark.number) || mark.number < 1) {
    return std::nullopt;
  }
  mark.group_uid = parts[0];
  return mark;
}

// Tries the gang's newest marked nominations as its plan.
void Adopt(EngineState* state, Gang* gang, absl::Time now) {
  if (!gang->group.has_value()) return;
  gang->summary = Summarize(*gang, state->cluster, state->policy);
  const GangSummary& summary = gang->summary;
  const int64_t need = gang->min_member() - summary.placed;
  if (gang->min_member() < 1 || summary.key < 0 || summary.broken || summary.placement_group ||
      need <= 0) {
    return;
  }
  Plan plan;
  for (const PodRecord* member : summary.eligible) {
    const std::optional<PlanMark> mark = ReadPlanMark(member->pod.plan_annotation);
    if (!mark.has_value() || mark->group_uid != gang->group->uid) continue;
    if (mark->number > plan.number) plan.nodes.clear();
    if (mark->number < plan.number) continue;
    plan.number = mark->number;
    const NodeIndex node = state->cluster.FindNode(member->pod.nominated_node_name);
    if (node != kNoNode) plan.nodes[member->pod.uid] = node;
  }
  if (plan.number == 0 || static_cast<int64_t>(plan.nodes.size()) < need) return;
  plan.domain = state->cluster.topology().DomainOf(summary.key, plan.nodes.begin()->second);
  if (plan.domain == kNoDomain ||
      state->ledger.HolderOverlapping(plan.domain, gang, state->cluster.topology()) != nullptr) {
    return;
  }
  std::optional<Plan> complete = CompletePlan(state, gang, std::move(plan));
  if (!complete.has_value()) return;
  TakeHold(state, gang, *std::move(complete), GangTransitionKind::kAdopted, now);
}

}  // namespace

void AdoptNominations(EngineState* state, absl::Time now) {
  std::vector<const PodRecord*> marked;
  for (const PodRecord* pod : state->cluster.PodsSorted()) {
    const bool ours = !pod->pod.plan_annotation.empty() && !pod->pod.nominated_node_name.empty();
    if (!ours || pod->placed() || pod->finished()) continue;
    marked.push_back(pod);
    const std::optional<PlanMark> mark = ReadPlanMark(pod->pod.plan_annotation);
    if (mark.has_value()) state->plans_made = std::max(state->plans_made, mark->number);
  }
  if (marked.empty()) return;
  for (const auto& [name, gang] : state->gangs) Adopt(state, gang.get(), now);
  for (const PodRecord* pod : marked) {
    const Gang* gang = state->GangOf(pod->pod);
    const bool kept =
        gang != nullptr && gang->plan.has_value() && gang->plan->nodes.contains(pod->pod.uid);
    if (!kept) state->Emit(ClearNomination{pod->pod.uid, pod->pod.name});
  }
}

}  // namespace gangpack
