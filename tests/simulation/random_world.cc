#include "tests/simulation/random_world.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "absl/strings/str_join.h"
#include "core/explain.h"

namespace gangpack {
namespace {

constexpr int kQuietStepsMax = 20000;

Policy RandomPolicy(Prng* prng) {
  Policy policy;
  policy.permit_timeout = absl::Seconds(prng->Between(5, 60));
  policy.judged_gangs_per_slice = prng->Chance(30) ? 1 : 64;
  policy.shapes_max = prng->Chance(30) ? 1 : 256;
  return policy;
}

std::string NameOf(const Fact& fact) {
  if (const auto* f = std::get_if<NodeChanged>(&fact)) return absl::StrCat("node ", f->node.name);
  if (const auto* f = std::get_if<NodeGone>(&fact)) return absl::StrCat("node gone ", f->name);
  if (const auto* f = std::get_if<PodChanged>(&fact)) {
    return absl::StrCat("pod ", f->pod.name.name, " ", f->pod.uid.value, " on ", f->pod.node_name);
  }
  if (const auto* f = std::get_if<PodGone>(&fact)) return absl::StrCat("pod gone ", f->uid.value);
  if (const auto* f = std::get_if<PodGroupChanged>(&fact)) {
    return absl::StrCat("group ", f->group.name.name);
  }
  if (const auto* f = std::get_if<PodGroupGone>(&fact)) {
    return absl::StrCat("group gone ", f->name.name);
  }
  if (const auto* f = std::get_if<BindingFinished>(&fact)) {
    return absl::StrCat("binding of ", f->uid.value, " ended: ", f->error);
  }
  if (const auto* f = std::get_if<CallerGone>(&fact)) return absl::StrCat("caller gone ", f->call);
  return "synchronised";
}

}  // namespace

RandomWorld::RandomWorld(uint64_t seed)
    : prng_(seed),
      policy_(RandomPolicy(&prng_)),
      now_(absl::UnixEpoch() + absl::Hours(1000)),
      scheduler_(&cluster_, &prng_),
      workload_(&cluster_, &prng_),
      engine_(policy_),
      checks_(&cluster_) {
  workload_.Build();
  RestartEngine();
}

void RandomWorld::Check(const std::string& problem) {
  if (problem.empty() || !failure_.empty()) return;
  failure_ = problem;
  Note("FAILURE: ", problem);
}

void RandomWorld::TellScheduler() {
  checks_.OnTruth();
  for (const std::string& uid : cluster_.TakeChangedPods()) scheduler_.OnPodChanged(uid);
  if (cluster_.TakeHint()) scheduler_.OnHint();
}

void RandomWorld::AfterEngine(bool all_slices) {
  bool more = true;
  while (more) {
    more = engine_.Work(now_);
    for (const Effect& effect : engine_.DrainEffects()) Take(effect);
    if (!all_slices) break;
  }
  Check(checks_.AfterCall(engine_, !more));
}

void RandomWorld::Take(const Effect& effect) {
  if (const auto* bind = std::get_if<BindPod>(&effect)) {
    Note("  bind ", bind->pod.name, " ", bind->node);
    Check(checks_.OnBind(*bind));
    bindings_.push_back({*bind, false, ""});
    ++bound_;
  } else if (const auto* answer = std::get_if<AnswerCall>(&effect)) {
    Note("  answer ", answer->call, " ", answer->error);
    if (given_up_.contains(answer->call)) return;
    const auto call = scheduler_.calls().find(answer->call);
    if (call == scheduler_.calls().end()) {
      Check(absl::StrCat("call ", answer->call, " is answered, but nobody waits for it"));
      return;
    }
    const BindRequest& request = call->second.request;
    const auto pod = cluster_.truth().pods.find(request.uid.value);
    const bool bound_elsewhere =
        pod != cluster_.truth().pods.end() && pod->second.node_name != request.node;
    if (answer->error.empty() && bound_elsewhere) {
      Check(absl::StrCat(request.pod.name, " is said to be bound to ", request.node));
    }
    scheduler_.OnAnswer(answer->call, answer->error, now_);
  } else if (const auto* wake = std::get_if<WakePod>(&effect)) {
    Note("  wake ", wake->pod.name);
    wakes_.push_back(wake->uid);
  } else if (const auto* clear = std::get_if<ClearNomination>(&effect)) {
    Note("  clear ", clear->pod.name);
    const auto pod = cluster_.truth().pods.find(clear->uid.value);
    if (pod == cluster_.truth().pods.end()) return;
    Pod cleared = pod->second;
    cleared.nominated_node_name.clear();
    cluster_.Set(cleared);
  } else if (const auto* transition = std::get_if<GangTransition>(&effect)) {
    Note("  ", static_cast<int>(transition->kind), " ", transition->gang.name, " ",
         transition->domain, ": ", transition->text);
  }
}

void RandomWorld::Tell(const Fact& fact) {
  Note("fact ", NameOf(fact));
  checks_.OnFact(fact);
  engine_.Apply(fact, now_);
  AfterEngine(settling_ || prng_.Chance(80));
}

void RandomWorld::DeliverNews(int watch) {
  if (cluster_.HasNews(watch)) Tell(cluster_.NextNews(watch));
}

// A watch that was cut tells again what is known already.
void RandomWorld::RepeatNews() {
  const std::map<std::string, Pod>& pods = cluster_.seen().pods;
  const std::map<std::string, Node>& nodes = cluster_.seen().nodes;
  if (pods.empty() || nodes.empty()) return;
  const int at = prng_.Between(0, 99);
  Tell(PodChanged{std::next(pods.begin(), at % static_cast<int>(pods.size()))->second});
  Tell(NodeChanged{std::next(nodes.begin(), at % static_cast<int>(nodes.size()))->second});
}

void RandomWorld::ScheduleOne() {
  const SimulatedScheduler::Attempt attempt = scheduler_.ScheduleOne(&engine_, now_);
  if (attempt.uid.empty()) return;
  Note("try ", attempt.uid, " of ", absl::StrJoin(attempt.offered, ","), ": ",
       absl::StrJoin(attempt.decision.accepted, ","));
  for (const auto& refusal : attempt.decision.refusals) Note("  ", Text(refusal.reason));
  Check(checks_.OnFilter(engine_, attempt));
  AfterEngine(settling_ || prng_.Chance(80));
}

void RandomWorld::SendBind() {
  const std::vector<CallId> unsent = scheduler_.Unsent();
  if (unsent.empty()) return;
  const CallId call =
      unsent[static_cast<size_t>(prng_.Between(0, static_cast<int>(unsent.size()) - 1))];
  scheduler_.MarkSent(call);
  const BindRequest request = scheduler_.calls().at(call).request;
  Note("call ", call, " bind ", request.pod.name, " ", request.node);
  engine_.Bind(request, now_);
  AfterEngine(settling_ || prng_.Chance(80));
}

std::string RandomWorld::TryToBind(const BindPod& effect) {
  const auto found = cluster_.truth().pods.find(effect.uid.value);
  if (found == cluster_.truth().pods.end()) return "pod not found";
  Pod pod = found->second;
  if (pod.terminating) return "pod is being deleted";
  if (!pod.node_name.empty()) return pod.node_name == effect.node ? "" : "pod is bound already";
  pod.node_name = effect.node;
  pod.nominated_node_name.clear();
  cluster_.Set(pod);
  return "";
}

void RandomWorld::CarryOutBinding(bool faults) {
  const auto next = std::find_if(bindings_.begin(), bindings_.end(),
                                 [](const Binding& binding) { return !binding.done; });
  if (next == bindings_.end()) return;
  next->done = true;
  const int fault = faults ? prng_.Between(0, 99) : 99;
  next->error = fault < 5 ? "refused" : TryToBind(next->effect);
  if (fault >= 5 && fault < 8) next->error = "the reply was lost";
  Note("bound ", next->effect.pod.name, " ", next->error);
}

void RandomWorld::ReportBinding() {
  if (bindings_.empty() || !bindings_.front().done) return;
  const Binding binding = bindings_.front();
  bindings_.pop_front();
  const BindingFinished fact = {binding.effect.uid, binding.error};
  checks_.OnBindingFinished(fact);
  Tell(fact);
}

bool RandomWorld::IsBeingBound(const PodUid& uid) const {
  return std::any_of(bindings_.begin(), bindings_.end(),
                     [&](const Binding& binding) { return binding.effect.uid == uid; });
}

void RandomWorld::DeliverWake() {
  if (wakes_.empty()) return;
  scheduler_.OnWake(wakes_.front().value);
  wakes_.pop_front();
}

void RandomWorld::Advance(absl::Duration duration) {
  now_ += duration;
  Note("time ", absl::FormatTime(now_, absl::UTCTimeZone()));
  engine_.Tick(now_);
  AfterEngine();
  Check(checks_.AfterTick(now_));
}

void RandomWorld::AdvanceRandomly() {
  const absl::Time due = engine_.NextDeadline();
  const int how = prng_.Between(0, 9);
  if (how == 0 && due > now_ && due < absl::InfiniteFuture()) {
    Advance(due - now_ - absl::Nanoseconds(prng_.Between(0, 1)));
  } else if (how == 1) {
    Advance(absl::Seconds(prng_.Between(10, 1000)));
  } else {
    Advance(absl::Milliseconds(prng_.Between(0, 1500)));
  }
}

// Only while the pod is not being bound: kube-scheduler's timeout is far above what that takes.
void RandomWorld::GiveUpCall() {
  if (scheduler_.calls().empty()) return;
  const int at = prng_.Between(0, static_cast<int>(scheduler_.calls().size()) - 1);
  const auto [call, record] = *std::next(scheduler_.calls().begin(), at);
  const bool sent = record.sent;
  if (IsBeingBound(record.request.uid)) return;
  given_up_.insert(call);
  scheduler_.GiveUp(call, now_);
  if (sent) Tell(CallerGone{call});
}

void RandomWorld::RestartScheduler() {
  Note("scheduler restarts");
  for (size_t left = bindings_.size(); left > 0; --left) CarryOutBinding(true);  // it takes long
  const std::map<CallId, SimulatedScheduler::Call> calls = scheduler_.calls();
  scheduler_.Restart();
  for (const auto& [call, record] : calls) {
    given_up_.insert(call);
    if (record.sent) Tell(CallerGone{call});
  }
}

// What an earlier run leaves if it nominates: plans, some of them no longer complete.
void RandomWorld::LeaveNominations() {
  for (const ReservationView& hold : engine_.Reservations()) {
    for (const std::vector<WaiterView>* members : {&hold.planned, &hold.waiters}) {
      for (const WaiterView& member : *members) {
        if (prng_.Chance(10)) continue;
        for (const auto& [uid, pod] : ObjectSet(cluster_.truth()).pods) {
          if (!(pod.name == member.pod) || !pod.node_name.empty()) continue;
          Pod nominated = pod;
          nominated.nominated_node_name = member.node;
          nominated.plan_annotation = absl::StrCat(hold.group_uid, "/", hold.plan_number);
          cluster_.Set(nominated);
        }
      }
    }
  }
}

void RandomWorld::RestartEngine() {
  Note("engine restarts");
  for (size_t left = bindings_.size(); left > 0; --left) {
    if (prng_.Chance(50)) CarryOutBinding(false);
  }
  if (prng_.Chance(50)) LeaveNominations();
  bindings_.clear();
  wakes_.clear();
  engine_ = Engine(policy_);
  checks_.OnRestart();
  std::vector<Fact> facts = cluster_.ListAll();
  prng_.Shuffle(&facts);
  for (const Fact& fact : facts) {
    checks_.OnFact(fact);
    engine_.Apply(fact, now_);
    if (prng_.Chance(5)) ScheduleOne();
  }
  Tell(Synchronised{});
  const std::map<CallId, SimulatedScheduler::Call> calls = scheduler_.calls();
  for (const auto& [call, record] : calls) {
    if (record.sent) scheduler_.GiveUp(call, now_);
  }
}

void RandomWorld::Step() {
  const int what = prng_.Between(0, 199);
  if (what < 60) {
    DeliverNews(prng_.Between(0, SimulatedCluster::kWatches - 1));
  } else if (what < 95) {
    ScheduleOne();
  } else if (what < 125) {
    SendBind();
  } else if (what < 140) {
    CarryOutBinding(true);
  } else if (what < 155) {
    ReportBinding();
  } else if (what < 165) {
    DeliverWake();
  } else if (what < 182) {
    Note("change ", workload_.Change(now_));
  } else if (what < 194) {
    AdvanceRandomly();
  } else if (what < 196) {
    GiveUpCall();
  } else if (what < 197) {
    RepeatNews();
  } else if (what < 198) {
    scheduler_.Flush();
  } else if (prng_.Chance(15)) {
    RestartScheduler();
  } else if (prng_.Chance(25)) {
    RestartEngine();
  }
  TellScheduler();
}

void RandomWorld::Run(int steps) {
  for (int i = 0; i < steps && failure_.empty(); ++i) Step();
}

bool RandomWorld::RunUntilQuiet() {
  for (int i = 0; i < kQuietStepsMax && failure_.empty(); ++i) {
    TellScheduler();
    if (cluster_.HasNews()) {
      for (int watch = 0; watch < SimulatedCluster::kWatches; ++watch) DeliverNews(watch);
    } else if (!bindings_.empty()) {
      CarryOutBinding(false);
      ReportBinding();
    } else if (!wakes_.empty()) {
      DeliverWake();
    } else if (!scheduler_.Unsent().empty()) {
      SendBind();
    } else if (scheduler_.HasReady(now_)) {
      ScheduleOne();
    } else if (scheduler_.NextBackoff() < absl::InfiniteFuture()) {
      Advance(scheduler_.NextBackoff() - now_);
    } else {
      return true;
    }
  }
  Check("it does not come to rest");
  return false;
}

void RandomWorld::CheckQuiet() {
  Check(checks_.OnQuiet(engine_));
  for (const auto& [call, record] : scheduler_.calls()) {
    Check(absl::StrCat(record.request.pod.name, " still waits for the answer to its bind"));
  }
  const std::map<std::string, bool> parked = scheduler_.parked();
  for (const auto& [uid, only_wake] : parked) {
    const FilterDecision decision = scheduler_.Probe(uid, &engine_, now_);
    if (decision.accepted.empty()) continue;
    Check(absl::StrCat(cluster_.truth().pods.at(uid).name.name, " could go but was not woken"));
  }
}

void RandomWorld::Settle() {
  settling_ = true;
  Note("settle");
  AfterEngine();
  if (RunUntilQuiet()) CheckQuiet();
}

}  // namespace gangpack
