#include "core/engine.h"

#include <algorithm>
#include <utility>

#include "core/check.h"
#include "core/engine_state.h"
#include "core/engine_views.h"
#include "core/expectations.h"
#include "core/explain.h"
#include "core/facts_intake.h"
#include "core/gang_judge.h"
#include "core/gang_life.h"
#include "core/invariants.h"
#include "core/member_calls.h"
#include "core/rule_wakes.h"
#include "core/single_pods.h"
#include "core/standalone_scores.h"

namespace gangpack {
namespace {

Reason PodReason(ReasonCode code, const NamespacedName& pod, std::string note) {
  Reason reason;
  reason.code = code;
  reason.pod = pod;
  reason.note = std::move(note);
  return reason;
}

// A pod that was asked about before the watch showed it is remembered so that it can be woken.
Reason AskedTooEarly(EngineState* state, const PodUid& uid, const NamespacedName& pod) {
  const size_t most = static_cast<size_t>(state->policy.asked_unknown_max);
  const bool remembered = state->asked_unknown.size() < most || state->asked_unknown.contains(uid);
  if (remembered) state->asked_unknown.insert(uid);
  return PodReason(
      state->synchronised ? ReasonCode::kPodUnknown : ReasonCode::kNotSynchronised, pod,
      remembered ? "" : "nothing wakes it, since asked_unknown_max pods are waited for");
}

// Why the pod cannot be placed whatever the cluster looks like; kNone if it can.
Reason NotPlaceable(const EngineState& state, const PodRecord& record) {
  const NamespacedName& name = record.pod.name;
  if (record.placed()) {
    return PodReason(ReasonCode::kPodNotPlaceable, name,
                     "it is bound to " + state.cluster.node(record.node).object.name);
  }
  if (record.finished()) return PodReason(ReasonCode::kPodNotPlaceable, name, "it has finished");
  if (record.pod.terminating) {
    return PodReason(ReasonCode::kPodNotPlaceable, name, "it is being deleted");
  }
  return Reason{};
}

// A call that names another pod than the one of its UID is about neither; kNone if they agree.
Reason OtherName(const PodRecord& record, const NamespacedName& named) {
  if (record.pod.name == named) return Reason{};
  return PodReason(ReasonCode::kPodNotPlaceable, named,
                   "its UID is that of pod " + record.pod.name.ToString());
}

// kube-scheduler asks again for a pod whose binding is under way: only that node will do.
FilterDecision FilterWhileBinding(const EngineState& state, const PodRecord& record,
                                  const FilterRequest& request) {
  const std::string& node = state.cluster.node(record.node).object.name;
  FilterDecision decision;
  for (size_t i = 0; i < request.node_names.size(); ++i) {
    if (request.node_names[i] == node) decision.accepted = {static_cast<int>(i)};
  }
  decision.refusals.push_back({{}, true, NotPlaceable(state, record)});
  return decision;
}

// Ends one hold whose time has come.
void EndDueHold(EngineState* state, Gang* gang, absl::Time now) {
  Reason reason;
  reason.code = ReasonCode::kSiblingFailed;
  reason.gang = gang->name;
  const int64_t placed = gang->summary.placed + gang->plan->waiting;
  const std::string timeout = absl::FormatDuration(TimeoutOf(*gang, state->policy));
  reason.note = gang->plan->waiting > 0 ? "a member waited " + timeout + " at Permit with "
                                        : "no member came within " + timeout + ", with ";
  reason.note += std::to_string(placed) + " of " + std::to_string(gang->min_member()) + " placed";
  UnwindGang(state, gang, reason, now);
}

}  // namespace

struct Engine::State : EngineState {
  using EngineState::EngineState;
};

Engine::Engine(Policy policy) : state_(std::make_unique<State>(std::move(policy))) {
  CORE_CHECK(state_->policy.Validate().ok());
}
Engine::~Engine() = default;
Engine::Engine(Engine&&) noexcept = default;
Engine& Engine::operator=(Engine&&) noexcept = default;

void Engine::Apply(const Fact& fact, absl::Time now) { TakeIn(state_.get(), fact, now); }

bool Engine::Work(absl::Time now) { return JudgeSlice(state_.get(), now); }

void Engine::Tick(absl::Time now) {
  EndDueAnswers(state_.get(), now);
  while (!state_->deadlines.empty() && state_->deadlines.begin()->first <= now) {
    EndDueHold(state_.get(), state_->gangs.at(state_->deadlines.begin()->second).get(), now);
  }
}

absl::Time Engine::NextDeadline() const {
  const bool work = !state_->marked.empty() || RulesChanged(*state_);
  if (state_->synchronised && work) return absl::InfinitePast();
  const absl::Time answers_end = state_->answers.NextEnd();
  if (state_->deadlines.empty()) return answers_end;
  return std::min(answers_end, state_->deadlines.begin()->first);
}

FilterDecision Engine::Filter(const FilterRequest& request, absl::Time now) {
  PodRecord* const record = state_->cluster.FindPod(request.uid);
  if (!state_->synchronised || record == nullptr) {
    return RefuseAll(AskedTooEarly(state_.get(), request.uid, request.pod));
  }
  Reason other = OtherName(*record, request.pod);
  if (other.code != ReasonCode::kNone) return RefuseAll(std::move(other));
  if (record->placement == Placement::kAssumed) {
    return FilterWhileBinding(*state_, *record, request);
  }
  Reason unplaceable = NotPlaceable(*state_, *record);
  if (unplaceable.code != ReasonCode::kNone) return RefuseAll(std::move(unplaceable));
  Gang* const gang = state_->GangOf(record->pod);
  if (gang != nullptr) return FilterMember(state_.get(), gang, record, request, now);
  JudgeSlice(state_.get(), now);
  return FilterStandalone(state_.get(), record, request, now);
}

std::vector<int64_t> Engine::Prioritize(const FilterRequest& request, absl::Time) {
  const PodRecord* const record = state_->cluster.FindPod(request.uid);
  if (record == nullptr || state_->GangOf(record->pod) != nullptr) {
    return std::vector<int64_t>(request.node_names.size(), 0);
  }
  return ScoreStandalone(*state_, *record, request);
}

void Engine::Bind(const BindRequest& request, absl::Time now) {
  EngineState* const state = state_.get();
  PodRecord* const record = state->cluster.FindPod(request.uid);
  const auto refuse = [&](const Reason& reason) {
    state->Emit(AnswerCall{request.call, Text(reason)});
  };
  if (!state->synchronised || record == nullptr) {
    return refuse(AskedTooEarly(state, request.uid, request.pod));
  }
  const Reason other = OtherName(*record, request.pod);
  if (other.code != ReasonCode::kNone) return refuse(other);
  const NodeIndex node = state->cluster.FindNode(request.node);
  if (record->placed() && node == record->node) {
    // Idempotent by UID and node: bound already, or being bound, then both calls get the result.
    if (state->permits.BindingNode(request.uid) == node) {
      state->permits.JoinBinding(request.uid, request.call);
    } else {
      state->Emit(AnswerCall{request.call, ""});
    }
    return;
  }
  const Reason unplaceable = NotPlaceable(*state, *record);
  if (unplaceable.code != ReasonCode::kNone) return refuse(unplaceable);
  if (node == kNoNode)
    return refuse(PodReason(ReasonCode::kNodeUnknown, request.pod, request.node));
  Gang* const gang = state->GangOf(record->pod);
  if (gang != nullptr) {
    BindMember(state, gang, record, node, request.call, now);
  } else {
    JudgeSlice(state, now);
    BindStandalone(state, record, node, request.call, now);
  }
}

std::vector<Effect> Engine::DrainEffects() { return std::exchange(state_->effects, {}); }

bool Engine::synchronised() const { return state_->synchronised; }

PodPage Engine::PodsAfter(const PodPosition& after) const { return ViewPods(state_.get(), after); }
GangPage Engine::GangsAfter(const NamespacedName& after) const {
  return ViewGangs(state_.get(), after);
}
DomainPage Engine::DomainsAfter(const DomainPosition& after) const {
  return ViewDomains(*state_, after);
}
ReservationPage Engine::ReservationsAfter(const DomainPosition& after) const {
  return ViewReservations(*state_, after);
}

std::vector<PodView> Engine::Pods() const {
  return AllPages([this](const PodPosition& after) { return PodsAfter(after); });
}
std::vector<GangView> Engine::Gangs() const {
  return AllPages([this](const NamespacedName& after) { return GangsAfter(after); });
}
std::vector<DomainView> Engine::Domains() const {
  return AllPages([this](const DomainPosition& after) { return DomainsAfter(after); });
}
std::vector<ReservationView> Engine::Reservations() const {
  return AllPages([this](const DomainPosition& after) { return ReservationsAfter(after); });
}

absl::Status Engine::CheckInvariants() const { return gangpack::CheckInvariants(*state_); }

}  // namespace gangpack
