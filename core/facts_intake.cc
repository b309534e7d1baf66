#include "core/facts_intake.h"

#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/adoption.h"
#include "core/expectations.h"
#include "core/explain.h"
#include "core/gang_life.h"

namespace gangpack {
namespace {

Reason SiblingFailed(const Gang& gang, std::string note) {
  Reason reason;
  reason.code = ReasonCode::kSiblingFailed;
  reason.gang = gang.name;
  reason.note = std::move(note);
  return reason;
}

// Marks whoever depends on the node: holders of its domains and gangs with members on it.
void MarkNode(EngineState* state, NodeIndex node) {
  state->MarkHolders(node);
  for (const PodRecord* pod : state->cluster.node(node).pods) state->Mark(state->GangOf(pod->pod));
}

void TakeInNode(EngineState* state, const Node& node) {
  const NodeIndex before = state->cluster.FindNode(node.name);
  if (before != kNoNode && state->cluster.node(before).object == node) return;  // a heartbeat
  if (before != kNoNode) MarkNode(state, before);
  const NodeIndex after = state->cluster.UpsertNode(node);
  MarkNode(state, after);
  // kube-scheduler sees the change too, but it may have asked before we did.
  state->released_nodes.push_back(after);
}

void TakeInNodeGone(EngineState* state, const std::string& name) {
  const NodeIndex node = state->cluster.FindNode(name);
  if (node == kNoNode) return;
  MarkNode(state, node);
  state->cluster.RemoveNode(name);
  // It may have been all that kept two domains of different keys from being held at once.
  if (!state->ledger.empty()) ++state->releases;
}

// A waiting member's pod went away, is being deleted, or was bound by someone else: its wait ends.
void EndWaitOf(EngineState* state, Gang* gang, const PodUid& uid, const std::string& what,
               absl::Time now) {
  if (gang == nullptr || state->permits.FindWaiter(uid) == nullptr) return;
  UnwindGang(state, gang, SiblingFailed(*gang, what), now);
}

void Leave(EngineState* state, Gang* gang, PodRecord* record) {
  if (gang == nullptr) return;
  gang->members.erase(record->pod.uid);
  gang->refused.erase(record->pod.uid);
  state->specs.Release(record);
  state->Mark(gang);
}

void Join(EngineState* state, Gang* gang, PodRecord* record) {
  if (gang == nullptr) return;
  gang->members.emplace(record->pod.uid, record);
  state->specs.Intern(record);
  gang->dormant = false;
  state->Mark(gang);
}

// The pod was refused, by itself or as a member, and is now remembered as what it has become.
void MoveRefused(EngineState* state, const PodRecord& record, Gang* from, Gang* to) {
  const PodUid& uid = record.pod.uid;
  std::optional<Reason> refused;
  if (from != nullptr && from->refused.contains(uid)) refused = from->refused.at(uid);
  if (state->refused_singles.contains(uid)) refused = state->refused_singles.at(uid);
  state->refused_singles.erase(uid);
  if (from != nullptr) from->refused.erase(uid);
  if (!refused.has_value()) return;
  if (to != nullptr) {
    to->refused[uid] = *std::move(refused);
  } else {
    state->Emit(WakePod{uid, record.pod.name, WakeTrigger::kPodGroupChange});  // nothing keeps it
  }
}

Gang* GangForPod(EngineState* state, const Pod& pod) {
  auto label = pod.labels.find(kPodGroupLabel);
  if (label == pod.labels.end() || label->second.empty()) return nullptr;
  return state->GangFor({pod.name.namespace_name, label->second});
}

void SetEligibleSince(EngineState* state, PodRecord* record, absl::Time now) {
  if (!record->eligible(state->policy.scheduler_name)) {
    record->eligible_sequence = 0;
  } else if (record->eligible_sequence == 0) {
    // What the first lists show has been there since it was created, whatever order they come in.
    record->eligible_since = state->synchronised ? now : record->pod.creation;
    record->eligible_sequence = state->synchronised ? ++state->sequence : 1;
  }
}

// Nobody would place the pod as it now is.
bool IsOver(const Pod& pod) {
  return pod.terminating || !pod.node_name.empty() || pod.phase == PodPhase::kSucceeded ||
         pod.phase == PodPhase::kFailed;
}

// The wait of this member cannot go on with the pod as it now is.
bool EndsWait(const EngineState& state, const Pod& pod) {
  return IsOver(pod) || pod.gates > 0 || pod.scheduler_name != state.policy.scheduler_name;
}

// Takes a pod in that is known already.
void TakeInChange(EngineState* state, PodRecord* record, const Pod& pod, absl::Time now) {
  Gang* const old_gang = state->GangOf(record->pod);
  Gang* const new_gang = GangForPod(state, pod);
  if (old_gang != new_gang || EndsWait(*state, pod)) {
    EndWaitOf(state, old_gang, pod.uid,
              absl::StrCat(pod.name.ToString(), " was deleted, finished, bound or relabelled"),
              now);
  }
  const bool alike = record->pod.spec == pod.spec && record->pod.labels == pod.labels;
  if (old_gang != new_gang) {
    MoveRefused(state, *record, old_gang, new_gang);
    Leave(state, old_gang, record);
  } else if (old_gang != nullptr && !alike) {
    state->specs.Release(record);
  }
  state->cluster.UpsertPod(pod);
  if (old_gang != new_gang) {
    Join(state, new_gang, record);
  } else if (old_gang != nullptr && !alike) {
    state->specs.Intern(record);
  }
  state->Mark(new_gang);
  if (!IsOver(pod)) return;
  ForgetAnswer(state, record);
  if (new_gang != nullptr) new_gang->refused.erase(pod.uid);  // there is nothing left to wake
  state->refused_singles.erase(pod.uid);
}

void TakeInPod(EngineState* state, const Pod& pod, absl::Time now) {
  PodRecord* record = state->cluster.FindPod(pod.uid);
  NodeIndex old_node = kNoNode;
  ResourceVector old_request;
  if (record != nullptr) {
    old_node = record->node;
    old_request = record->request;
    TakeInChange(state, record, pod, now);
  } else {
    record = state->cluster.UpsertPod(pod);
    Join(state, GangForPod(state, pod), record);
  }
  SetEligibleSince(state, record, now);
  if (record->node != kNoNode && (record->node != old_node || record->request != old_request)) {
    state->MarkHolders(record->node);
  }
  if (state->synchronised && state->asked_unknown.erase(pod.uid) > 0 && !IsOver(pod)) {
    state->Emit(WakePod{pod.uid, pod.name, WakeTrigger::kTemplatesComplete});
  }
}

void TakeInPodGone(EngineState* state, const PodUid& uid, absl::Time now) {
  state->asked_unknown.erase(uid);
  PodRecord* const record = state->cluster.FindPod(uid);
  if (record == nullptr) return;
  Gang* const gang = state->GangOf(record->pod);
  EndWaitOf(state, gang, uid, absl::StrCat(record->pod.name.ToString(), " was deleted"), now);
  Leave(state, gang, record);
  state->refused_singles.erase(uid);
  state->answers.Forget(uid);
  state->cluster.RemovePod(uid);
}

// All the members exist that its PodGroup, as it was until now, needs: changing that does not make
// the gang complete any later.
bool IsFormed(const EngineState& state, const Gang& gang) {
  const GangSummary summary = Summarize(gang, state.cluster, state.policy);
  return gang.min_member() >= 1 &&
         summary.placed + static_cast<int64_t>(summary.eligible.size() + summary.awaiting.size()) >=
             gang.min_member();
}

void TakeInGroup(EngineState* state, const PodGroup& group, absl::Time now) {
  Gang* const gang = state->GangFor(group.name);
  const bool other = !gang->group.has_value() || gang->group->uid != group.uid;
  if (other && gang->plan.has_value()) {
    ReleaseHold(state, gang, SiblingFailed(*gang, "its PodGroup was re-created"), now);
  }
  const std::string key = TopologyKeyOf(group, state->policy);
  if (!key.empty()) state->cluster.AddKey(key);
  const bool changed = other || gang->group->min_member != group.min_member ||
                       TopologyKeyOf(*gang->group, state->policy) != key;
  if (changed) {
    gang->dormant = false;
    if (other || !IsFormed(*state, *gang)) {
      gang->group_since = state->synchronised ? now : group.creation;
      gang->group_sequence = state->synchronised ? ++state->sequence : 1;
    }
  }
  if (other) {
    gang->failed_since = absl::InfinitePast();
    gang->failed_sequence = 0;
  }
  DropDeadline(state, *gang);
  gang->group = group;
  if (gang->plan.has_value()) SetDeadline(state, gang);
  state->Mark(gang);
}

void TakeInGroupGone(EngineState* state, const NamespacedName& name) {
  auto it = state->gangs.find(name);
  if (it == state->gangs.end()) return;
  Gang* const gang = it->second.get();
  DropDeadline(state, *gang);
  gang->group.reset();
  if (gang->plan.has_value()) SetDeadline(state, gang);
  state->Mark(gang);
}

void MarkNamespace(EngineState* state, const std::string& name) {
  for (auto it = state->gangs.lower_bound(NamespacedName{name, ""});
       it != state->gangs.end() && it->first.namespace_name == name; ++it) {
    state->Mark(it->second.get());
  }
}

void TakeInBinding(EngineState* state, const BindingFinished& finished, absl::Time now) {
  if (state->permits.BindingNode(finished.uid) == kNoNode) return;  // told twice
  const std::vector<CallId> calls = state->permits.FinishBinding(finished.uid);
  for (const CallId call : calls) state->Emit(AnswerCall{call, finished.error});
  PodRecord* const record = state->cluster.FindPod(finished.uid);
  if (finished.error.empty() || record == nullptr || record->placement != Placement::kAssumed)
    return;
  state->cluster.Unassume(record);
  SetEligibleSince(state, record, now);
  // Its caller is gone, so nobody learns of the failure; it may have asked again and been refused.
  if (calls.empty()) {
    state->Emit(WakePod{finished.uid, record->pod.name, WakeTrigger::kDomainFailed});
  }
  Gang* const gang = state->GangOf(record->pod);
  if (gang == nullptr) return;
  state->Mark(gang);
  const GangSummary summary = Summarize(*gang, state->cluster, state->policy);
  const bool surplus = gang->min_member() >= 1 && summary.placed >= gang->min_member();
  if (surplus || record->pod.terminating) return;  // the gang did without it
  UnwindGang(state, gang,
             SiblingFailed(*gang, absl::StrCat("binding ", record->pod.name.ToString(),
                                               " failed: ", finished.error)),
             now);
}

void TakeInCallerGone(EngineState* state, CallId call, absl::Time now) {
  const PodUid* const waiter = state->permits.WaiterOfCall(call);
  if (waiter == nullptr) {
    state->permits.DropBindingCall(call);
    return;
  }
  const PodUid uid = *waiter;
  const PodRecord* const record = state->cluster.FindPod(uid);
  LeavePermit(state, state->GangOf(record->pod), uid, "", now);
}

// Whoever asked too early is woken at once. Whom an earlier run of ours refused is not known, and
// kube-scheduler tries them again only when they are woken: everybody who may pass is, once.
void ForgetWhoWasRefused(EngineState* state) {
  for (const PodRecord* record : state->cluster.PodsSorted()) {
    if (state->asked_unknown.erase(record->pod.uid) > 0 && !IsOver(record->pod)) {
      state->Emit(WakePod{record->pod.uid, record->pod.name, WakeTrigger::kTemplatesComplete});
      continue;
    }
    if (!record->eligible(state->policy.scheduler_name)) continue;
    Gang* const gang = state->GangOf(record->pod);
    (gang != nullptr ? gang->refused : state->refused_singles)[record->pod.uid] = Reason{};
  }
  for (size_t node = 0; node < state->cluster.nodes(); ++node) {
    state->released_nodes.push_back(static_cast<NodeIndex>(node));
  }
}

void TakeInSynchronised(EngineState* state, absl::Time now) {
  if (state->synchronised) return;
  state->synchronised = true;
  state->sequence = 1;
  ForgetWhoWasRefused(state);
  AdoptNominations(state, now);
  for (const auto& [name, gang] : state->gangs) state->Mark(gang.get());
}

}  // namespace

void TakeIn(EngineState* state, const Fact& fact, absl::Time now) {
  if (const auto* f = std::get_if<PodChanged>(&fact)) {
    TakeInPod(state, f->pod, now);
  } else if (const auto* f = std::get_if<PodGone>(&fact)) {
    TakeInPodGone(state, f->uid, now);
  } else if (const auto* f = std::get_if<NodeChanged>(&fact)) {
    TakeInNode(state, f->node);
  } else if (const auto* f = std::get_if<NodeGone>(&fact)) {
    TakeInNodeGone(state, f->name);
  } else if (const auto* f = std::get_if<PodGroupChanged>(&fact)) {
    TakeInGroup(state, f->group, now);
  } else if (const auto* f = std::get_if<PodGroupGone>(&fact)) {
    TakeInGroupGone(state, f->name);
  } else if (const auto* f = std::get_if<NamespaceChanged>(&fact)) {
    state->cluster.SetNamespace(f->object);
    MarkNamespace(state, f->object.name);
  } else if (const auto* f = std::get_if<NamespaceGone>(&fact)) {
    state->cluster.RemoveNamespace(f->name);
    MarkNamespace(state, f->name);
  } else if (std::get_if<Synchronised>(&fact) != nullptr) {
    TakeInSynchronised(state, now);
  } else if (const auto* f = std::get_if<BindingFinished>(&fact)) {
    TakeInBinding(state, *f, now);
  } else if (const auto* f = std::get_if<CallerGone>(&fact)) {
    TakeInCallerGone(state, f->call, now);
  }
}

}  // namespace gangpack
