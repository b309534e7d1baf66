#include "tests/support/engine_world.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/explain.h"
#include "gtest/gtest.h"
#include "tests/support/object_builders.h"

namespace gangpack {
namespace {

std::string KeyOf(const NamespacedName& name) {
  return name.namespace_name == "ns" ? name.name : name.ToString();
}

absl::string_view KindName(GangTransitionKind kind) {
  switch (kind) {
    case GangTransitionKind::kPinned:
      return "Pinned";
    case GangTransitionKind::kAdopted:
      return "Adopted";
    case GangTransitionKind::kMoved:
      return "Moved";
    case GangTransitionKind::kWaiting:
      return "Waiting";
    case GangTransitionKind::kComplete:
      return "Complete";
    case GangTransitionKind::kUnwound:
      return "Unwound";
    case GangTransitionKind::kReleased:
      return "Released";
    case GangTransitionKind::kForming:
      return "Forming";
    case GangTransitionKind::kBlocked:
      return "Blocked";
    case GangTransitionKind::kBroken:
      return "Broken";
  }
  return "";
}

}  // namespace

EngineWorld::EngineWorld(Policy policy)
    : policy_(policy), engine_(std::move(policy)), now_(absl::UnixEpoch() + absl::Hours(24)) {
  Synchronise();
}

void EngineWorld::Settle() {
  if (batch_) return;
  while (engine_.Work(now_)) {
  }
  for (std::vector<Effect> effects = engine_.DrainEffects(); !effects.empty();
       effects = engine_.DrainEffects()) {
    for (const Effect& effect : effects) CarryOut(effect);
    while (engine_.Work(now_)) {
    }
  }
  const absl::Status status = engine_.CheckInvariants();
  EXPECT_TRUE(status.ok()) << status;
}

void EngineWorld::CarryOut(const Effect& effect) {
  if (const auto* bind = std::get_if<BindPod>(&effect)) {
    const std::string key = KeyOf(bind->pod);
    bound_.push_back(absl::StrCat(key, "@", bind->node));
    bindings_[key] = bind->node;
    if (!hold_bindings_) FinishBinding(key, "");
  } else if (const auto* answer = std::get_if<AnswerCall>(&effect)) {
    answers_[answer->call].push_back(answer->error.empty() ? "bound" : answer->error);
  } else if (const auto* wake = std::get_if<WakePod>(&effect)) {
    woken_.push_back(KeyOf(wake->pod));
  } else if (const auto* clear = std::get_if<ClearNomination>(&effect)) {
    cleared_.push_back(KeyOf(clear->pod));
  } else if (const auto* transition = std::get_if<GangTransition>(&effect)) {
    transitions_.push_back(absl::StrCat(KindName(transition->kind), " ", transition->gang.name,
                                        transition->domain.empty() ? "" : " ", transition->domain));
  }
}

void EngineWorld::Tell(const Fact& fact) {
  engine_.Apply(fact, now_);
  Settle();
}

void EngineWorld::EndBatch() {
  batch_ = false;
  Settle();
}

void EngineWorld::Advance(absl::Duration duration) {
  now_ += duration;
  engine_.Tick(now_);
  Settle();
}

void EngineWorld::Set(const Node& node) {
  nodes_[node.name] = node;
  Tell(NodeChanged{node});
}

void EngineWorld::Set(const Pod& pod) {
  const std::string key = KeyOf(pod.name);
  const auto old = pods_.find(key);
  Pod now = pod;
  if (old != pods_.end() && old->second.uid == pod.uid && now.node_name.empty()) {
    now.node_name = old->second.node_name;
  }
  pods_[key] = now;
  Tell(PodChanged{now});
}

void EngineWorld::Set(const PodGroup& group) {
  groups_[KeyOf(group.name)] = group;
  Tell(PodGroupChanged{group});
}

void EngineWorld::DeleteNode(absl::string_view name) {
  nodes_.erase(std::string(name));
  Tell(NodeGone{std::string(name)});
}

void EngineWorld::DeletePod(absl::string_view name) {
  const PodUid uid = UidOf(name);
  pods_.erase(std::string(name));
  Tell(PodGone{uid});
}

void EngineWorld::DeleteGroup(absl::string_view name) {
  const NamespacedName full = groups_.at(std::string(name)).name;
  groups_.erase(std::string(name));
  Tell(PodGroupGone{full});
}

void EngineWorld::AddRack(absl::string_view rack, int count, int64_t gpus) {
  for (int i = 1; i <= count; ++i) {
    Set(NodeBuilder(absl::StrCat(rack, "-", i)).Rack(rack).Gpus(gpus).Build());
  }
}

void EngineWorld::AddMembers(absl::string_view gang, int first, int last) {
  for (int i = first; i <= last; ++i) {
    Set(PodBuilder(absl::StrCat(gang, "-", i)).Gang(gang).Gpus(1).Build());
  }
}

void EngineWorld::AddGang(absl::string_view gang, int size) {
  Set(PodGroupBuilder(gang, size).Build());
  AddMembers(gang, 0, size - 1);
}

void EngineWorld::Occupy(absl::string_view node, int64_t gpus) {
  Set(PodBuilder(absl::StrCat("on-", node)).Scheduler("other").Gpus(gpus).On(node).Build());
}

PodUid EngineWorld::UidOf(absl::string_view name) const {
  const auto it = pods_.find(std::string(name));
  return it == pods_.end() ? PodUid{absl::StrCat("uid-", name)} : it->second.uid;
}

FilterDecision EngineWorld::Decide(absl::string_view pod, const std::vector<std::string>& nodes) {
  const std::vector<absl::string_view> names(nodes.begin(), nodes.end());
  const NamespacedName full = {"ns", std::string(pod)};
  FilterDecision decision = engine_.Filter({UidOf(pod), full, names}, now_);
  Settle();
  return decision;
}

std::string EngineWorld::Filter(absl::string_view pod, const std::vector<std::string>& nodes) {
  const FilterDecision decision = Decide(pod, nodes);
  std::vector<std::string> parts;
  if (!decision.accepted.empty()) {
    for (const int i : decision.accepted) parts.push_back(nodes[static_cast<size_t>(i)]);
    return absl::StrJoin(parts, ",");
  }
  for (const FilterDecision::Refusal& refusal : decision.refusals) {
    parts.push_back(Text(refusal.reason));
  }
  return absl::StrCat("refused: ", absl::StrJoin(parts, "; "));
}

std::string EngineWorld::Filter(absl::string_view pod) {
  std::vector<std::string> names;
  for (const auto& [name, node] : nodes_) names.push_back(name);
  return Filter(pod, names);
}

std::vector<int64_t> EngineWorld::Prioritize(absl::string_view pod,
                                             const std::vector<std::string>& nodes) {
  const std::vector<absl::string_view> names(nodes.begin(), nodes.end());
  return engine_.Prioritize({UidOf(pod), {"ns", std::string(pod)}, names}, now_);
}

CallId EngineWorld::Bind(absl::string_view pod, absl::string_view node) {
  const CallId call = ++calls_;
  engine_.Bind({call, UidOf(pod), {"ns", std::string(pod)}, std::string(node)}, now_);
  Settle();
  return call;
}

CallId EngineWorld::Schedule(absl::string_view pod) {
  const std::string answer = Filter(pod);
  if (answer.rfind("refused: ", 0) == 0) return 0;
  return Bind(pod, answer.substr(0, answer.find(',')));
}

CallId EngineWorld::ScheduleMembers(absl::string_view gang, int first, int last) {
  CallId call = 0;
  for (int i = first; i <= last; ++i) call = Schedule(absl::StrCat(gang, "-", i));
  return call;
}

void EngineWorld::HangUp(CallId call) { Tell(CallerGone{call}); }

std::string EngineWorld::AnswerTo(CallId call) const {
  const auto it = answers_.find(call);
  return it == answers_.end() ? "held" : it->second.back();
}

int EngineWorld::AnswersTo(CallId call) const {
  const auto it = answers_.find(call);
  return it == answers_.end() ? 0 : static_cast<int>(it->second.size());
}

void EngineWorld::FinishBinding(absl::string_view pod, absl::string_view error) {
  const auto binding = bindings_.find(std::string(pod));
  ASSERT_TRUE(binding != bindings_.end()) << pod << " is not being bound";
  const std::string node = binding->second;
  bindings_.erase(binding);
  const auto object = pods_.find(std::string(pod));
  if (error.empty() && object != pods_.end()) {
    object->second.node_name = node;
    object->second.nominated_node_name.clear();
    engine_.Apply(PodChanged{object->second}, now_);
  }
  Tell(BindingFinished{UidOf(pod), std::string(error)});
}

std::string EngineWorld::NodeOf(absl::string_view pod) const {
  const auto it = pods_.find(std::string(pod));
  return it == pods_.end() ? "" : it->second.node_name;
}

std::vector<std::string> EngineWorld::TakeWoken() { return std::exchange(woken_, {}); }
std::vector<std::string> EngineWorld::TakeBindings() { return std::exchange(bound_, {}); }
std::vector<std::string> EngineWorld::TakeCleared() { return std::exchange(cleared_, {}); }
std::vector<std::string> EngineWorld::TakeTransitions() { return std::exchange(transitions_, {}); }

GangView EngineWorld::ViewOf(absl::string_view gang) {
  for (const GangView& view : engine_.Gangs()) {
    if (KeyOf(view.gang) == gang) return view;
  }
  return GangView();
}

PodView EngineWorld::PodViewOf(absl::string_view pod) {
  for (const PodView& view : engine_.Pods()) {
    if (KeyOf(view.pod) == pod) return view;
  }
  return PodView();
}

std::string EngineWorld::Holds() {
  std::vector<std::string> holds;
  for (const ReservationView& view : engine_.Reservations()) {
    holds.push_back(absl::StrCat(view.domain, ":", KeyOf(view.gang)));
  }
  return absl::StrJoin(holds, ",");
}

void EngineWorld::Restart(bool synchronise) {
  engine_ = Engine(policy_);
  bindings_.clear();
  batch_ = true;
  for (const auto& [name, pod] : pods_) Tell(PodChanged{pod});
  for (const auto& [name, group] : groups_) Tell(PodGroupChanged{group});
  for (const auto& [name, node] : nodes_) Tell(NodeChanged{node});
  batch_ = false;
  if (synchronise) {
    Synchronise();
  } else {
    Settle();
  }
}

}  // namespace gangpack
