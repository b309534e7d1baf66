#include "server/simulate/scheduling_queue.h"

#include <algorithm>
#include <utility>

namespace gangpack::server {
namespace {

constexpr absl::Duration kInitialBackoff = absl::Seconds(1);
constexpr absl::Duration kMaxBackoff = absl::Seconds(2);
constexpr absl::Duration kBackoffWindow = absl::Seconds(1);
constexpr absl::Duration kFlushInterval = absl::Seconds(30);
constexpr absl::Duration kParkedMax = absl::Minutes(5);

absl::Duration BackoffAfter(int failures) {
  absl::Duration backoff = kInitialBackoff;
  for (int i = 1; i < failures && backoff < kMaxBackoff; ++i) backoff *= 2;
  return std::min(backoff, kMaxBackoff);
}

}  // namespace

SchedulingQueue::Order SchedulingQueue::OrderOf(const Entry& entry) const {
  return {-int64_t{entry.pod.object->pod.priority}, entry.sequence};
}

absl::Time SchedulingQueue::BackoffEnd(const Entry& entry) const {
  const int failures = entry.consecutive_errors > 0 ? entry.consecutive_errors : entry.refusals;
  const absl::Duration since_start = entry.queued + BackoffAfter(failures) - start_;
  return start_ + absl::Ceil(since_start, kBackoffWindow);
}

absl::Time SchedulingQueue::ParkedTooLong(const Entry& entry) const {
  const absl::Duration limit = entry.queued + kParkedMax - start_;
  return start_ + absl::Floor(limit, kFlushInterval) + kFlushInterval;
}

void SchedulingQueue::Stamp(Entry* entry, absl::Time now) {
  entry->sequence = ++sequence_;
  entry->queued = now;
}

void SchedulingQueue::PutActive(Entry* entry) {
  entry->place = Place::kActive;
  active_[OrderOf(*entry)] = entry->pod.object->pod.uid;
}

void SchedulingQueue::PutWaiting(Entry* entry, Place place) {
  entry->place = place;
  const PodUid& uid = entry->pod.object->pod.uid;
  if (place == Place::kBackoff) backoff_[{BackoffEnd(*entry), OrderOf(*entry)}] = uid;
  if (place == Place::kErrorBackoff) error_backoff_[{BackoffEnd(*entry), OrderOf(*entry)}] = uid;
  if (place == Place::kParked) parked_[{ParkedTooLong(*entry), OrderOf(*entry)}] = uid;
}

void SchedulingQueue::TakeOut(Entry* entry) {
  switch (entry->place) {
    case Place::kActive:
      active_.erase(OrderOf(*entry));
      break;
    case Place::kBackoff:
      backoff_.erase({BackoffEnd(*entry), OrderOf(*entry)});
      break;
    case Place::kErrorBackoff:
      error_backoff_.erase({BackoffEnd(*entry), OrderOf(*entry)});
      break;
    case Place::kParked:
      parked_.erase({ParkedTooLong(*entry), OrderOf(*entry)});
      break;
    case Place::kOut:
    case Place::kGated:
      break;
  }
  entry->place = Place::kOut;
}

void SchedulingQueue::Add(std::shared_ptr<const PodObject> object, absl::Time now) {
  Entry& entry = entries_[object->pod.uid];
  TakeOut(&entry);
  entry.pod.object = std::move(object);
  Stamp(&entry, now);
  if (entry.pod.object->pod.gates > 0) {
    entry.place = Place::kGated;
  } else {
    PutActive(&entry);
  }
}

void SchedulingQueue::Update(std::shared_ptr<const PodObject> object, absl::Time now) {
  const auto found = entries_.find(object->pod.uid);
  if (found == entries_.end()) return;
  Entry& entry = found->second;
  const bool ungated = entry.place == Place::kGated && object->pod.gates == 0;
  entry.pod.object = std::move(object);  // priority, and so the order, never changes
  if (!ungated) return;
  Stamp(&entry, now);
  PutActive(&entry);
}

void SchedulingQueue::Remove(const PodUid& uid) {
  const auto found = entries_.find(uid);
  if (found == entries_.end()) return;
  TakeOut(&found->second);
  entries_.erase(found);
}

std::optional<QueuedPod> SchedulingQueue::Pop(bool no_backoff,
                                              absl::FunctionRef<bool(const QueuedPod&)> eligible) {
  if (no_backoff) {
    for (auto* waiting : {&backoff_, &error_backoff_}) {
      while (!waiting->empty()) {
        Entry& entry = entries_.at(waiting->begin()->second);
        TakeOut(&entry);
        PutActive(&entry);
      }
    }
  }
  const auto take = [this](const PodUid& uid) {
    Entry& entry = entries_.at(uid);
    TakeOut(&entry);
    return entry.pod;
  };
  for (const auto& [order, uid] : active_) {
    if (eligible(entries_.at(uid).pod)) return take(PodUid(uid));
  }
  for (const auto& [order, uid] : backoff_) {
    if (eligible(entries_.at(uid).pod)) return take(PodUid(uid));
  }
  return std::nullopt;
}

void SchedulingQueue::Park(const PodUid& uid, Rejectors rejectors, absl::Time now) {
  const auto found = entries_.find(uid);
  if (found == entries_.end()) return;
  Entry& entry = found->second;
  entry.pod.rejectors = rejectors;
  entry.consecutive_errors = 0;
  ++entry.refusals;
  Stamp(&entry, now);
  PutWaiting(&entry, Place::kParked);
}

void SchedulingQueue::BackOffAfterError(const PodUid& uid, absl::Time now) {
  const auto found = entries_.find(uid);
  if (found == entries_.end()) return;
  Entry& entry = found->second;
  entry.pod.rejectors = 0;
  ++entry.consecutive_errors;
  Stamp(&entry, now);
  PutWaiting(&entry, Place::kErrorBackoff);
}

void SchedulingQueue::Requeue(absl::Time now, absl::FunctionRef<bool(const QueuedPod&)> helps) {
  std::map<Order, Entry*> helped;
  for (const auto& [due, uid] : parked_) {
    Entry& entry = entries_.at(uid);
    if (helps(entry.pod)) helped[OrderOf(entry)] = &entry;
  }
  for (const auto& [order, entry] : helped) {
    TakeOut(entry);
    if (BackoffEnd(*entry) > now) {
      PutWaiting(entry, Place::kBackoff);
    } else {
      PutActive(entry);
    }
  }
}

void SchedulingQueue::Flush(absl::Time now) {
  for (auto* waiting : {&backoff_, &error_backoff_, &parked_}) {
    while (!waiting->empty() && std::get<0>(waiting->begin()->first) <= now) {
      Entry& entry = entries_.at(waiting->begin()->second);
      TakeOut(&entry);
      PutActive(&entry);
    }
  }
}

absl::Time SchedulingQueue::NextFlush() const {
  absl::Time next = absl::InfiniteFuture();
  for (const auto* waiting : {&backoff_, &error_backoff_, &parked_}) {
    if (!waiting->empty()) next = std::min(next, std::get<0>(waiting->begin()->first));
  }
  return next;
}

const QueuedPod* SchedulingQueue::Find(const PodUid& uid) const {
  const auto found = entries_.find(uid);
  return found == entries_.end() ? nullptr : &found->second.pod;
}

}  // namespace gangpack::server
