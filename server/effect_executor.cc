#include "server/effect_executor.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <variant>

#include "glog/logging.h"
#include "server/status_mapping.h"

namespace gangpack::server {
namespace {

// nullptr for an effect that concerns no single pod.
const PodUid* PodOf(const Effect& effect) {
  if (const auto* bind = std::get_if<BindPod>(&effect)) return &bind->uid;
  if (const auto* wake = std::get_if<WakePod>(&effect)) return &wake->uid;
  if (const auto* clear = std::get_if<ClearNomination>(&effect)) return &clear->uid;
  return nullptr;
}

void LogUnlessGone(const char* what, const NamespacedName& pod, const absl::Status& status) {
  if (status.ok() || absl::IsNotFound(status)) return;
  LOG(WARNING) << "event=" << what << "_failed pod=" << pod.ToString()
               << " error=" << ExtenderErrorOf(status);
}

}  // namespace

EffectExecutor::EffectExecutor(Wiring wiring) : wiring_(std::move(wiring)) {
  for (size_t i = 0; i < std::max<size_t>(wiring_.lanes, 1); ++i) {
    lanes_.push_back(std::make_unique<Lane>());
  }
}

void EffectExecutor::Start(EngineDriver* driver) {
  for (size_t i = 0; i < lanes_.size(); ++i) {
    lanes_[i]->thread = std::thread([this, i, driver] { Run(i, driver); });
  }
}

size_t EffectExecutor::LaneOf(const Effect& effect) const {
  const PodUid* pod = PodOf(effect);
  if (pod == nullptr || lanes_.size() == 1) return 0;
  return 1 + std::hash<std::string>()(pod->value) % (lanes_.size() - 1);
}

void EffectExecutor::Push(std::vector<Effect> effects) {
  const MutexLock lock(&mutex_);
  if (stopping_) return;
  for (Effect& effect : effects) {
    Lane* const lane = lanes_[LaneOf(effect)].get();
    Enqueue(std::move(effect), lane);
    lane->changed.Signal();
  }
}

void EffectExecutor::Enqueue(Effect effect, Lane* lane) {
  if (auto* const wake = std::get_if<WakePod>(&effect)) {
    if (lane->wakes.contains(wake->uid)) return;
    const PodUid uid = wake->uid;
    lane->wakes.emplace(uid, *std::move(wake));
    lane->wake_order.push_back(uid);
    ++unfinished_;
    return;
  }
  if (const auto* const bind = std::get_if<BindPod>(&effect)) {
    if (lane->wakes.erase(bind->uid) > 0) Finish(1);
  }
  lane->queue.push_back(std::move(effect));
  ++unfinished_;
}

std::optional<Effect> EffectExecutor::TakeNext(Lane* lane) {
  if (!lane->queue.empty()) {
    Effect effect = std::move(lane->queue.front());
    lane->queue.pop_front();
    return effect;
  }
  while (!lane->wake_order.empty()) {
    const auto wake = lane->wakes.find(lane->wake_order.front());
    lane->wake_order.pop_front();
    if (wake == lane->wakes.end()) continue;
    Effect effect = std::move(wake->second);
    lane->wakes.erase(wake);
    return effect;
  }
  return std::nullopt;
}

void EffectExecutor::Finish(size_t effects) {
  unfinished_ -= effects;
  if (unfinished_ == 0) idle_.SignalAll();
}

void EffectExecutor::AwaitIdle() {
  const MutexLock lock(&mutex_);
  idle_.Wait(&mutex_, [this] {
    mutex_.AssertHeld();
    return unfinished_ == 0;
  });
}

bool EffectExecutor::AwaitIdleFor(absl::Duration timeout) {
  const MutexLock lock(&mutex_);
  return idle_.WaitFor(&mutex_, absl::ToChronoMilliseconds(timeout), [this] {
    mutex_.AssertHeld();
    return unfinished_ == 0;
  });
}

void EffectExecutor::Stop() {
  {
    const MutexLock lock(&mutex_);
    stopping_ = true;
    for (const std::unique_ptr<Lane>& lane : lanes_) lane->changed.Signal();
  }
  for (const std::unique_ptr<Lane>& lane : lanes_) {
    if (lane->thread.joinable()) lane->thread.join();
  }
}

void EffectExecutor::Run(size_t index, EngineDriver* driver) {
  Lane& lane = *lanes_[index];
  for (;;) {
    std::optional<Effect> effect;
    {
      const MutexLock lock(&mutex_);
      lane.changed.Wait(&mutex_, [this, &lane] {
        mutex_.AssertHeld();
        return stopping_ || !lane.queue.empty() || !lane.wakes.empty();
      });
      effect = TakeNext(&lane);
    }
    if (!effect.has_value()) return;
    CarryOut(*effect, driver);
    const MutexLock lock(&mutex_);
    Finish(1);
  }
}

void EffectExecutor::CarryOut(const Effect& effect, EngineDriver* driver) {
  if (wiring_.on_effect != nullptr) wiring_.on_effect(effect);
  if (const auto* bind = std::get_if<BindPod>(&effect)) {
    Bind(*bind, driver);
  } else if (const auto* answer = std::get_if<AnswerCall>(&effect)) {
    wiring_.calls->Answer(*answer);
  } else if (const auto* wake = std::get_if<WakePod>(&effect)) {
    LogUnlessGone("wake", wake->pod, wiring_.cluster->Wake(*wake));
  } else if (const auto* clear = std::get_if<ClearNomination>(&effect)) {
    LogUnlessGone("clear_nomination", clear->pod, wiring_.cluster->Clear(*clear));
  } else if (const auto* transition = std::get_if<GangTransition>(&effect)) {
    if (wiring_.on_transition != nullptr) wiring_.on_transition(*transition);
  }
}

void EffectExecutor::Bind(const BindPod& bind, EngineDriver* driver) {
  const absl::Status status = wiring_.cluster->Bind(bind);
  if (wiring_.on_bound != nullptr) wiring_.on_bound(bind, status);
  driver->Apply({BindingFinished{bind.uid, ExtenderErrorOf(status)}});
}

}  // namespace gangpack::server
