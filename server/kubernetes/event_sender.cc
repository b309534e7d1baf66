#include "server/kubernetes/event_sender.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/match.h"
#include "glog/logging.h"

namespace gangpack::server {
namespace {

constexpr absl::Duration kKeptWaitMin = absl::Milliseconds(10);

}  // namespace

EventSender::EventSender(std::string reporting_instance, k8s::ApiClient* client, k8s::Clock* clock)
    : client_(client), clock_(clock), recorder_(std::move(reporting_instance)) {
  thread_ = std::thread([this] { Run(); });
}

void EventSender::Record(const EventNote& note) {
  const MutexLock lock(&mutex_);
  if (stopping_ || queue_.size() >= kQueuedMax) return;
  std::optional<EventToSend> event = recorder_.Record(note, clock_->Now());
  if (event.has_value()) queue_.push_back(*std::move(event));
  changed_.SignalAll();
}

void EventSender::AwaitIdle() {
  const MutexLock lock(&mutex_);
  changed_.Wait(&mutex_, [this] {
    mutex_.AssertHeld();
    return stopping_ || (queue_.empty() && !sending_);
  });
}

void EventSender::Stop() {
  {
    const MutexLock lock(&mutex_);
    stopping_ = true;
    changed_.SignalAll();
  }
  if (thread_.joinable()) thread_.join();
}

void EventSender::Run() {
  for (;;) {
    std::optional<EventToSend> event;
    {
      const MutexLock lock(&mutex_);
      sending_ = false;
      changed_.SignalAll();
      AwaitWork();
      if (stopping_) return;
      event = std::move(queue_.front());
      queue_.pop_front();
      sending_ = true;
    }
    NoteResult(Send(*event));
  }
}

void EventSender::AwaitWork() {
  const auto has_work = [this] {
    mutex_.AssertHeld();
    return stopping_ || !queue_.empty();
  };
  for (;;) {
    changed_.Wait(&mutex_, [&] {
      mutex_.AssertHeld();
      return has_work() || recorder_.NextKept() != absl::InfiniteFuture();
    });
    if (has_work()) return;
    const absl::Time now = clock_->Now();
    if (std::optional<EventToSend> kept = recorder_.TakeKept(now); kept.has_value()) {
      queue_.push_back(*std::move(kept));
      return;
    }
    // No longer than a token takes, since the clock may be set meanwhile.
    const absl::Duration wait =
        std::clamp(recorder_.NextKept() - now, kKeptWaitMin, EventRecorder::kObjectEvery);
    changed_.WaitFor(&mutex_, absl::ToChronoMilliseconds(wait), has_work);
  }
}

absl::Status EventSender::Send(const EventToSend& event) {
  if (!event.series.has_value()) return client_->CreateEvent(event.event);
  const absl::Status status = client_->RepeatEvent(event.event, *event.series);
  return absl::IsNotFound(status) ? client_->CreateEvent(event.event) : status;
}

void EventSender::NoteResult(const absl::Status& status) {
  if (status.ok()) {
    logged_ = absl::InfinitePast();
    return;
  }
  // The namespace is on its way out, or gone, which nobody needs to know.
  if (absl::IsCancelled(status) || absl::IsNotFound(status)) return;
  if (absl::StrContains(status.message(), "being terminated")) return;
  if (clock_->Now() - logged_ < kLogEvery) return;
  logged_ = clock_->Now();
  LOG(WARNING) << "event=event_not_sent error=" << std::string(status.message());
}

}  // namespace gangpack::server
