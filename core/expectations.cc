#include "core/expectations.h"

#include <utility>

namespace gangpack {

void ExpectAnswered(EngineState* state, PodRecord* pod, NodeIndex node, absl::Time now) {
  state->cluster.Expect(pod, node);
  state->answers.Note(pod->pod.uid, now + state->policy.answer_timeout);
}

void ForgetAnswer(EngineState* state, PodRecord* pod) {
  if (!state->answers.Has(pod->pod.uid)) return;
  state->answers.Forget(pod->pod.uid);
  state->cluster.Expect(pod, kNoNode);
}

void EndDueAnswers(EngineState* state, absl::Time now) {
  while (const std::optional<PodUid> due = state->answers.Due(now)) {
    ForgetAnswer(state, state->cluster.FindPod(*due));
  }
}

void ExpectPlan(EngineState* state, const Gang& gang, const Plan* before) {
  const Plan& plan = *gang.plan;
  if (before != nullptr) {
    for (const auto& [uid, node] : before->nodes) {
      PodRecord* const pod = plan.nodes.contains(uid) ? nullptr : state->cluster.FindPod(uid);
      if (pod != nullptr) state->cluster.Expect(pod, kNoNode);
    }
  }
  for (const auto& [uid, node] : plan.nodes) {
    PodRecord* const pod = state->cluster.FindPod(uid);
    if (pod == nullptr) continue;
    state->answers.Forget(uid);
    state->cluster.Expect(pod, node);
  }
}

void ExpectNoLonger(EngineState* state, const Plan& plan) {
  for (const auto& [uid, node] : plan.nodes) {
    PodRecord* const pod = state->cluster.FindPod(uid);
    if (pod != nullptr) state->cluster.Expect(pod, kNoNode);
  }
}

LiftedPlan::LiftedPlan(EngineState* state, const Plan& plan, Which which)
    : state_(state), changes_before_(state->cluster.rules().changes()) {
  for (const auto& [uid, node] : plan.nodes) {
    PodRecord* const pod = state->cluster.FindPod(uid);
    if (pod == nullptr || pod->expected == kNoNode) continue;
    if (which == Which::kNotWaiting && state->permits.FindWaiter(uid) != nullptr) continue;
    lifted_.emplace_back(pod, pod->expected);
    state->cluster.Expect(pod, kNoNode);
  }
}

LiftedPlan::~LiftedPlan() {
  for (const auto& [pod, node] : lifted_) state_->cluster.Expect(pod, node);
  if (state_->rule_changes_marked == changes_before_) {
    state_->rule_changes_marked = state_->cluster.rules().changes();
  }
}

}  // namespace gangpack
