// Where pods that are not placed yet are going to be, so that the rules between pods count them
// there: planned members of a gang, and pods placed one by one that were answered with one node.
//
// Rule (semantics section 3): a pod that carries a rule between pods, or is selected by one, counts
// as placed on the node of its answer until its bind arrives, its refusal shows (it is filtered
// again) or Policy::answer_timeout passes. Invariant: PodRecord::expected is set exactly for the
// pods of plans and of EngineState::answers. Cost: that of PodRules::SetPod per pod.
// Not here: what is counted (pod_rules.h), who is woken when that changes (rule_wakes.h).
#ifndef GANGPACK_CORE_EXPECTATIONS_H_
#define GANGPACK_CORE_EXPECTATIONS_H_

#include <vector>

#include "absl/time/time.h"
#include "core/engine_state.h"

namespace gangpack {

// The pod is not a planned member.
void ExpectAnswered(EngineState* state, PodRecord* pod, NodeIndex node, absl::Time now);
// Nothing happens if the pod was not answered, or was and has come back.
void ForgetAnswer(EngineState* state, PodRecord* pod);
// Forgets the answers that end by `now`.
void EndDueAnswers(EngineState* state, absl::Time now);

// Expects the members of the gang's plan on their nodes. `before` is the plan that it replaces, if
// any: members that are in no plan any more are expected nowhere.
void ExpectPlan(EngineState* state, const Gang& gang, const Plan* before);
void ExpectNoLonger(EngineState* state, const Plan& plan);

// While it lives, planned members (all, or those that do not wait at Permit) are expected nowhere,
// so that they do not stand in the way of their own gang when it is planned again or looked over.
// That they were lifted marks nobody (MarkRuledPlans in rule_wakes.h).
class LiftedPlan {
 public:
  enum class Which { kAll, kNotWaiting };
  LiftedPlan(EngineState* state, const Plan& plan, Which which);
  ~LiftedPlan();
  LiftedPlan(const LiftedPlan&) = delete;
  LiftedPlan& operator=(const LiftedPlan&) = delete;

 private:
  EngineState* const state_;
  const int64_t changes_before_;
  std::vector<std::pair<PodRecord*, NodeIndex>> lifted_;
};

}  // namespace gangpack

#endif  // GANGPACK_CORE_EXPECTATIONS_H_
