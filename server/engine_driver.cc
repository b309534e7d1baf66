#include "server/engine_driver.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace gangpack::server {
namespace {

class ABSL_SCOPED_LOCKABLE TurnLock {
 public:
  TurnLock(Mutex* next, Mutex* mutex) ABSL_EXCLUSIVE_LOCK_FUNCTION(mutex) : mutex_(mutex) {
    const MutexLock turn(next);
    mutex_->Lock();
  }
  ~TurnLock() ABSL_UNLOCK_FUNCTION() { mutex_->Unlock(); }
  TurnLock(const TurnLock&) = delete;
  TurnLock& operator=(const TurnLock&) = delete;

 private:
  Mutex* const mutex_;
};

}  // namespace

EngineDriver::EngineDriver(Policy policy, k8s::Clock* clock, EffectSink* sink,
                           CallObserver* observer)
    : clock_(clock), sink_(sink), observer_(observer), engine_(std::move(policy)) {}

absl::Time EngineDriver::Now() {
  last_now_ = std::max(last_now_, clock_->Now());
  return last_now_;
}

void EngineDriver::Drain() {
  std::vector<Effect> effects = engine_.DrainEffects();
  if (effects.empty()) return;
  if (!binds_since_.empty()) {
    for (const Effect& effect : effects) {
      if (const auto* answer = std::get_if<AnswerCall>(&effect)) ObserveBind(answer->call);
    }
  }
  sink_->Push(std::move(effects));
}

void EngineDriver::ObserveBind(CallId call) {
  const auto since = binds_since_.find(call);
  if (since == binds_since_.end()) return;
  observer_->OnBind(clock_->Now() - since->second);
  binds_since_.erase(since);
}

void EngineDriver::Apply(const std::vector<Fact>& facts) {
  {
    TurnLock lock(&next_, &mutex_);
    const absl::Time now = Now();
    for (const Fact& fact : facts) {
      engine_.Apply(fact, now);
      if (const auto* gone = std::get_if<CallerGone>(&fact)) ObserveBind(gone->call);
    }
    Drain();
  }
  WorkInSlices();
}

void EngineDriver::WorkInSlices() {
  bool more = true;
  while (more) {
    TurnLock lock(&next_, &mutex_);
    more = engine_.Work(Now());
    Drain();
    if (!more) AnnounceDeadline();
  }
}

FilterDecision EngineDriver::Filter(const FilterRequest& request) {
  const absl::Time begin = observer_ != nullptr ? clock_->Now() : absl::InfinitePast();
  FilterDecision decision;
  {
    TurnLock lock(&next_, &mutex_);
    decision = engine_.Filter(request, Now());
    Drain();
    AnnounceDeadline();
  }
  if (observer_ != nullptr) observer_->OnFilter(request, decision, clock_->Now() - begin);
  return decision;
}

std::vector<int64_t> EngineDriver::Prioritize(const FilterRequest& request) {
  const absl::Time begin = observer_ != nullptr ? clock_->Now() : absl::InfinitePast();
  std::vector<int64_t> scores;
  {
    TurnLock lock(&next_, &mutex_);
    scores = engine_.Prioritize(request, Now());
  }
  if (observer_ != nullptr) observer_->OnPrioritize(clock_->Now() - begin);
  return scores;
}

void EngineDriver::Bind(const BindRequest& request) {
  const absl::Time begin = observer_ != nullptr ? clock_->Now() : absl::InfinitePast();
  {
    TurnLock lock(&next_, &mutex_);
    if (observer_ != nullptr) binds_since_[request.call] = begin;
    engine_.Bind(request, Now());
    Drain();
  }
  WorkInSlices();
}

absl::Time EngineDriver::Tick() {
  {
    TurnLock lock(&next_, &mutex_);
    engine_.Tick(Now());
    Drain();
  }
  WorkInSlices();
  return NextDeadline();
}

absl::Time EngineDriver::NextDeadline() {
  TurnLock lock(&next_, &mutex_);
  return engine_.NextDeadline();
}

void EngineDriver::SetDeadlineListener(std::function<void(absl::Time)> listener) {
  TurnLock lock(&next_, &mutex_);
  deadline_listener_ = std::move(listener);
  announced_deadline_ = absl::InfiniteFuture();
  AnnounceDeadline();
}

void EngineDriver::AnnounceDeadline() {
  const absl::Time deadline = engine_.NextDeadline();
  if (deadline_listener_ == nullptr || deadline == announced_deadline_) return;
  announced_deadline_ = deadline;
  deadline_listener_(deadline);
}

bool EngineDriver::synchronised() {
  TurnLock lock(&next_, &mutex_);
  return engine_.synchronised();
}

std::vector<PodView> EngineDriver::Pods() {
  MutexLock turn(&views_mutex_);
  return AllPages([this](const PodPosition& after) {
    TurnLock lock(&next_, &mutex_);
    return engine_.PodsAfter(after);
  });
}

std::vector<GangView> EngineDriver::Gangs() {
  MutexLock turn(&views_mutex_);
  return AllPages([this](const NamespacedName& after) {
    TurnLock lock(&next_, &mutex_);
    return engine_.GangsAfter(after);
  });
}

std::vector<DomainView> EngineDriver::Domains() {
  MutexLock turn(&views_mutex_);
  return AllPages([this](const DomainPosition& after) {
    TurnLock lock(&next_, &mutex_);
    return engine_.DomainsAfter(after);
  });
}

std::vector<ReservationView> EngineDriver::Reservations() {
  MutexLock turn(&views_mutex_);
  return AllPages([this](const DomainPosition& after) {
    TurnLock lock(&next_, &mutex_);
    return engine_.ReservationsAfter(after);
  });
}

absl::Status EngineDriver::CheckInvariants() {
  TurnLock lock(&next_, &mutex_);
  return engine_.CheckInvariants();
}

}  // namespace gangpack::server
