#include "server/kubernetes/fact_feed.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace gangpack::server {
namespace {

// nullptr for a fact that is about no pod.
const PodUid* PodOf(const Fact& fact) {
  if (const auto* changed = std::get_if<PodChanged>(&fact)) return &changed->pod.uid;
  if (const auto* gone = std::get_if<PodGone>(&fact)) return &gone->uid;
  return nullptr;
}

}  // namespace

void FactFeed::Start(FactSink* sink) {
  {
    const MutexLock lock(&mutex_);
    sink_ = sink;
  }
  thread_ = std::thread([this, sink] { Run(sink); });
}

void FactFeed::Stop() {
  {
    const MutexLock lock(&mutex_);
    stopping_ = true;
    changed_.SignalAll();
  }
  if (thread_.joinable()) thread_.join();
}

void FactFeed::Push(std::vector<Fact> facts) {
  const MutexLock lock(&mutex_);
  changed_.Wait(&mutex_, [this] {
    mutex_.AssertHeld();
    return stopping_ || queue_.size() < kQueuedMax;
  });
  if (stopping_) return;
  for (Fact& fact : facts) queue_.push_back(std::move(fact));
  changed_.SignalAll();
}

void FactFeed::Run(FactSink* sink) {
  for (;;) {
    const std::vector<Fact> batch = TakeBatch();
    if (batch.empty()) return;
    {
      const MutexLock lock(&mutex_);
      batch_ = &batch;
      for (const Fact& fact : batch) Note(fact);
    }
    sink->Apply(batch);
    const MutexLock lock(&mutex_);
    batch_ = nullptr;
  }
}

std::vector<Fact> FactFeed::TakeBatch() {
  const MutexLock lock(&mutex_);
  changed_.Wait(&mutex_, [this] {
    mutex_.AssertHeld();
    return stopping_ || !queue_.empty();
  });
  std::vector<Fact> batch;
  if (stopping_) return batch;
  const auto end = queue_.begin() + static_cast<std::ptrdiff_t>(std::min(queue_.size(), kBatchMax));
  std::move(queue_.begin(), end, std::back_inserter(batch));
  queue_.erase(queue_.begin(), end);
  changed_.SignalAll();
  return batch;
}

void FactFeed::Note(const Fact& fact) {
  const PodUid* const uid = PodOf(fact);
  if (uid == nullptr) return;
  if (std::holds_alternative<PodGone>(fact)) NoteGone(*uid);
  if (offers_.empty()) return;
  const auto offer = offers_.find(*uid);
  if (offer != offers_.end()) offer->second = fact;
}

void FactFeed::NoteGone(const PodUid& uid) {
  if (!gone_.insert(uid).second) return;
  gone_order_.push_back(uid);
  if (gone_order_.size() <= kGoneMax) return;
  gone_.erase(gone_order_.front());
  gone_order_.pop_front();
}

bool FactFeed::Offer(const Pod& pod, absl::FunctionRef<bool()> is_unknown) {
  if (!BeginOffer(pod.uid)) return false;
  if (!is_unknown()) {
    EndOffer(pod.uid);
    return false;
  }
  FactSink* sink = nullptr;
  {
    const MutexLock lock(&mutex_);
    sink = sink_;
  }
  // Whatever the watch tells meanwhile may have been applied before, so it is applied again.
  std::optional<Fact> fact = PodChanged{pod};
  while (fact.has_value()) {
    sink->Apply({*fact});
    fact = LaterFact(pod.uid);
  }
  return true;
}

bool FactFeed::BeginOffer(const PodUid& uid) {
  const MutexLock lock(&mutex_);
  if (sink_ == nullptr || stopping_ || gone_.contains(uid)) return false;
  if (batch_ != nullptr) {
    for (const Fact& fact : *batch_) {
      const PodUid* const pod = PodOf(fact);
      if (pod != nullptr && *pod == uid) return false;
    }
  }
  return offers_.emplace(uid, std::nullopt).second;
}

void FactFeed::EndOffer(const PodUid& uid) {
  const MutexLock lock(&mutex_);
  offers_.erase(uid);
}

std::optional<Fact> FactFeed::LaterFact(const PodUid& uid) {
  const MutexLock lock(&mutex_);
  const auto offer = offers_.find(uid);
  std::optional<Fact> fact = std::exchange(offer->second, std::nullopt);
  if (!fact.has_value()) offers_.erase(offer);
  return fact;
}

}  // namespace gangpack::server
