#include "server/simulate/simulation.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <variant>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "server/status_mapping.h"
#include "server/transition_name.h"

namespace gangpack::server {
namespace {

// What kube-scheduler reads when the extender's process ends while a call is open.
constexpr char kExtenderGone[] = "Post \"http://127.0.0.1:8888/bind\": EOF";
// The API server's own words in the condition of a gated pod.
constexpr char kGated[] = "Scheduling is blocked due to non-empty scheduling gates";
constexpr char kPaused[] = "not tried by kube-scheduler: paused by a Step";
constexpr char kTerminating[] = "not tried by kube-scheduler: the pod is being deleted";
constexpr char kNotTried[] = "not tried by kube-scheduler so far";

const char* EventName(AttemptOutcome::Kind kind) {
  switch (kind) {
    case AttemptOutcome::Kind::kAssumed:
      return "Assumed";
    case AttemptOutcome::Kind::kUnschedulable:
      return "Unschedulable";
    case AttemptOutcome::Kind::kFailed:
      return "Failed";
  }
  return "";
}

bool UsesNode(const Pod& pod) {
  return !pod.node_name.empty() && pod.phase != PodPhase::kSucceeded &&
         pod.phase != PodPhase::kFailed;
}

}  // namespace

Simulation::Simulation(const Policy& policy)
    : policy_(policy),
      start_(clock_.now),
      cluster_(policy.scheduler_name, &clock_),
      scheduler_(policy.scheduler_name, {&cluster_, &extender_, &clock_,
                                         [this](const AttemptOutcome& outcome) {
                                           Trace({{},
                                                  EventName(outcome.kind),
                                                  outcome.pod.ToString(),
                                                  outcome.node,
                                                  "",
                                                  outcome.text});
                                         }}),
      driver_(NewDriver()) {
  extender_.Connect(driver_.get());
}

std::unique_ptr<EngineDriver> Simulation::NewDriver() {
  return std::make_unique<EngineDriver>(policy_, &clock_, static_cast<EffectSink*>(this));
}

std::vector<FieldFault> Simulation::Apply(const ManifestObject& object) {
  scheduler_.NoteChange();
  return cluster_.Apply(object);
}

std::vector<k8s::Fault> Simulation::Run(const Step& step) {
  Settle();
  std::vector<k8s::Fault> faults;
  const auto done = [this](bool any, const std::string& what) {
    if (!any) return;
    scheduler_.NoteChange();
    Trace({{}, "Step", "", "", "", what});
    Settle();
  };
  if (!step.deletions.empty()) {
    scheduler_.NoteChange();
    Trace({{}, "Step", "", "", "", "delete"});
    faults = Delete(step.deletions);
    Settle();
  }
  for (const NamespacedName& pod : step.pause) scheduler_.Pause(pod);
  done(!step.pause.empty(), "pause");
  for (const NamespacedName& pod : step.resume) scheduler_.Resume(pod);
  done(!step.resume.empty(), "resume");
  for (const NamespacedName& pod : step.fail_binding) cluster_.FailNextBinding(pod);
  done(!step.fail_binding.empty(), "failBinding");
  for (const auto& [pod, nodes] : step.refuse) {
    for (const std::string& node : nodes) scheduler_.Refuse(pod, node);
  }
  done(!step.refuse.empty(), "refuse");
  if (step.restart) Restart();
  done(step.restart, "restart");
  if (step.advance.has_value()) {
    Trace({{}, "Step", "", "", "", "advance"});
    Advance(*step.advance);
  }
  return faults;
}

// The watches are told of one deletion after the other. Of a pod they are told twice, also when it
// is deleted without a grace period: the API server first writes that it is being deleted.
std::vector<k8s::Fault> Simulation::Delete(const std::vector<StepDeletion>& deletions) {
  std::vector<k8s::Fault> faults;
  for (const StepDeletion& deletion : deletions) {
    absl::Status status;
    switch (deletion.kind) {
      case StepDeletion::Kind::kPod:
        cluster_.Terminate(deletion.name);
        Deliver();
        status = cluster_.DeletePod(deletion.name);
        break;
      case StepDeletion::Kind::kPodGroup:
        status = cluster_.DeletePodGroup(deletion.name);
        break;
      case StepDeletion::Kind::kNode:
        status = cluster_.DeleteNode(deletion.name.name);
        break;
    }
    Deliver();
    if (status.ok()) continue;
    faults.push_back(deletion.place);
    faults.back().message += ", which does not exist then, expected an object that exists";
  }
  return faults;
}

void Simulation::Restart() {
  effects_.clear();
  driver_ = NewDriver();
  extender_.Connect(driver_.get());
  scheduler_.FailHeldBinds(kExtenderGone);
  cluster_.DrainEvents();
  cluster_.ListFacts([this](Fact fact) { driver_->Apply({std::move(fact)}); });
  driver_->Apply({Synchronised{}});
}

void Simulation::Push(std::vector<Effect> effects) {
  for (Effect& effect : effects) {
    if (const auto* transition = std::get_if<GangTransition>(&effect)) {
      TraceTransition(*transition);  // there is nothing to carry out
    } else {
      effects_.push_back(std::move(effect));
    }
  }
}

void Simulation::Settle() {
  RunUntilQuiet(/*no_backoff=*/true);
  CheckInvariants();
}

void Simulation::Advance(absl::Duration duration) {
  const absl::Time end = clock_.now + duration;
  while (violation_.empty()) {
    const absl::Time due = std::min(driver_->NextDeadline(), scheduler_.NextFlush());
    clock_.now = std::max(clock_.now, std::min(due, end));
    driver_->Tick();
    scheduler_.Flush();
    RunUntilQuiet(/*no_backoff=*/false);
    CheckInvariants();
    if (due > end || (due == end && clock_.now == end)) break;
  }
  clock_.now = std::max(clock_.now, end);
  Settle();
}

void Simulation::RunUntilQuiet(bool no_backoff) {
  bool ticked = false;
  while (violation_.empty()) {
    Deliver();
    if (scheduler_.TryOne(no_backoff)) {
      ticked = false;
      if (on_attempt_ != nullptr) on_attempt_(scheduler_.attempts());
    } else if (!ticked && driver_->NextDeadline() <= clock_.now) {
      driver_->Tick();
      ticked = true;
    } else if (effects_.empty()) {
      break;
    }
  }
  if (driver_->NextDeadline() <= clock_.now) {
    Violate("a deadline of the engine stays due after it was told the time");
  }
}

void Simulation::Deliver() {
  while (violation_.empty()) {
    if (const std::vector<ClusterEvent> events = cluster_.DrainEvents(); !events.empty()) {
      DeliverEvents(events);
    } else if (!synchronised_) {
      synchronised_ = true;
      driver_->Apply({Synchronised{}});
    } else if (!effects_.empty()) {
      const Effect effect = std::move(effects_.front());
      effects_.pop_front();
      Carry(effect);
    } else if (!to_run_.empty()) {
      cluster_.RunPod(to_run_.front());
      to_run_.pop_front();
    } else {
      return;
    }
  }
}

void Simulation::DeliverEvents(const std::vector<ClusterEvent>& events) {
  std::vector<Fact> facts;
  for (const ClusterEvent& event : events) {
    facts.push_back(FactOf(event));
    scheduler_.Observe(event);
    const auto* change = std::get_if<Change<PodObject>>(&event);
    if (change == nullptr || change->after == nullptr) continue;
    const Pod& pod = change->after->pod;
    if (!pod.node_name.empty() && pod.phase == PodPhase::kPending) to_run_.push_back(pod.name);
  }
  driver_->Apply(facts);
}

void Simulation::Carry(const Effect& effect) {
  if (const auto* bind = std::get_if<BindPod>(&effect)) {
    CarryBind(*bind);
  } else if (const auto* answer = std::get_if<AnswerCall>(&effect)) {
    const std::optional<ExtenderBind> held = scheduler_.HeldBind(answer->call);
    if (held.has_value() && answer->error.empty()) CheckBound(*held);
    scheduler_.AnswerBind(answer->call, CodecExtender::ReadAnswer(*answer));
  } else if (const auto* wake = std::get_if<WakePod>(&effect)) {
    cluster_.Wake(*wake).IgnoreError();  // a pod that is gone needs no wake
  } else if (const auto* clear = std::get_if<ClearNomination>(&effect)) {
    cluster_.Clear(*clear).IgnoreError();
  }
}

void Simulation::CarryBind(const BindPod& bind) {
  const absl::Status status = cluster_.Bind(bind);
  const std::string error = ExtenderErrorOf(status);
  if (status.ok()) {
    scheduler_.NoteChange();
    bound_.emplace_back(bind.uid, bind.pod);
  }
  Trace({{}, status.ok() ? "Bound" : "BindingRefused", bind.pod.ToString(), bind.node, "", error});
  driver_->Apply({BindingFinished{bind.uid, error}});
}

void Simulation::TraceTransition(const GangTransition& transition) {
  Trace({{},
         std::string(TransitionName(transition.kind)),
         transition.gang.ToString(),
         "",
         transition.domain,
         transition.text});
}

void Simulation::Trace(TraceEntry entry) {
  entry.time = clock_.now - start_;
  trace_.push_back(std::move(entry));
}

void Simulation::Violate(const std::string& what) {
  if (violation_.empty()) violation_ = what;
}

void Simulation::CheckBound(const ExtenderBind& bind) {
  const std::shared_ptr<const PodObject> pod = cluster_.FindPod(bind.pod);
  if (pod != nullptr && pod->pod.uid == bind.uid && pod->pod.node_name == bind.node) return;
  Violate(absl::StrCat("the bind of pod ", bind.pod.ToString(), " to node ", bind.node,
                       " was answered with success, but it is not bound there"));
}

void Simulation::CheckInvariants() {
  if (!violation_.empty()) return;
  if (const absl::Status status = driver_->CheckInvariants(); !status.ok()) {
    Violate(std::string(status.message()));
  }
  CheckNodesOfOurs();
  const std::vector<NamespacedName> orphans = scheduler_.OrphanedBinds();
  if (!orphans.empty()) {
    Violate(absl::StrCat("the bind of pod ", orphans.front().ToString(),
                         " is still held although the pod is gone"));
  }
}

// No pod that we have bound since the last check uses a resource of its node that is over-used.
void Simulation::CheckNodesOfOurs() {
  std::set<std::string> nodes;
  for (const auto& [uid, name] : bound_) {
    const std::shared_ptr<const PodObject> pod = cluster_.FindPod(name);
    if (pod != nullptr && pod->pod.uid == uid) nodes.insert(pod->pod.node_name);
  }
  if (nodes.empty()) return;
  std::map<std::string, ResourceAmounts> used;
  for (const auto& [name, object] : cluster_.pods()) {
    if (!UsesNode(object->pod) || !nodes.contains(object->pod.node_name)) continue;
    AddAmounts(object->pod.spec.request, &used[object->pod.node_name]);
    AddAmounts({{std::string(kResourcePods), 1}}, &used[object->pod.node_name]);
  }
  for (const auto& [uid, name] : std::exchange(bound_, {})) {
    const std::shared_ptr<const PodObject> pod = cluster_.FindPod(name);
    if (pod == nullptr || !(pod->pod.uid == uid)) continue;
    const std::shared_ptr<const NodeObject> node = cluster_.FindNode(pod->pod.node_name);
    if (node == nullptr) continue;
    ResourceAmounts request = pod->pod.spec.request;
    request[std::string(kResourcePods)] = 1;
    for (const auto& [resource, amount] : request) {
      const auto total = node->node.allocatable.find(resource);
      const int64_t has = total == node->node.allocatable.end() ? 0 : total->second;
      if (amount == 0 || used[pod->pod.node_name][resource] <= has) continue;
      Violate(absl::StrCat("pod ", name.ToString(), " was bound to node ", pod->pod.node_name,
                           ", where more ", resource, " is requested than there is"));
    }
  }
}

std::string Simulation::MessageOf(const PodView& view,
                                  const std::set<std::string>& complete) const {
  if (view.state != PodState::kPending) return view.message;
  const std::shared_ptr<const PodObject> pod = cluster_.FindPod(view.pod);
  if (pod != nullptr && pod->pod.terminating) return kTerminating;
  const AttemptRecord record = scheduler_.RecordOf(view.uid);
  // Of a standalone pod or a surplus member the engine remembers its own last answer, which may be
  // older.
  const bool alone = view.gang.empty() || complete.contains(view.gang);
  const bool theirs = alone && !record.text.empty() && !record.extender_asked;
  if (!view.message.empty() && !theirs) return view.message;
  if (!record.text.empty()) return record.text;
  if (pod != nullptr && pod->pod.gates > 0) return kGated;
  return scheduler_.paused(view.pod) ? kPaused : kNotTried;
}

SimulationResult Simulation::Result() {
  SimulationResult result;
  result.time = clock_.now - start_;
  result.gangs = driver_->Gangs();
  std::set<std::string> complete;
  for (const GangView& gang : result.gangs) {
    if (gang.state == GangState::kComplete) complete.insert(gang.gang.ToString());
  }
  for (PodView& view : driver_->Pods()) {
    view.message = MessageOf(view, complete);
    const int attempts = scheduler_.RecordOf(view.uid).attempts;
    result.pods.push_back({std::move(view), attempts});
  }
  result.domains = driver_->Domains();
  result.trace = trace_;
  return result;
}

std::vector<std::string> Simulation::Notes() const {
  std::vector<std::string> notes;
  for (const NamespacedName& pod : scheduler_.exhausted()) {
    notes.push_back(
        absl::StrCat("pod ", pod.ToString(), " was tried ", KubeSchedulerModel::kTriesMax,
                     " times without a binding or a change of an object, and not again"));
  }
  if (scheduler_.all_tries_used()) {
    notes.push_back(absl::StrCat("kube-scheduler made ", KubeSchedulerModel::kTriesTotalMax,
                                 " attempts in all, and no more"));
  }
  return notes;
}

}  // namespace gangpack::server
