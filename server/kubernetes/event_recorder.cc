#include "server/kubernetes/event_recorder.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace gangpack::server {
namespace {

// An event's name has at most 253 bytes, and 17 of them are ours.
constexpr size_t kObjectNameMax = 236;

}  // namespace

std::optional<EventToSend> EventRecorder::Record(const EventNote& note, absl::Time now) {
  const std::string& uid = note.regarding.identity.uid;
  const auto known = series_.find({uid, note.reason, note.note});
  if (known != series_.end() && now - known->second.last <= kSeriesWindow) {
    kept_.erase(uid);  // it does not hold any more
    return Repeat(&known->second, now);
  }
  if (!TakeTokens(uid, now)) {
    kept_[uid] = note;
    return std::nullopt;
  }
  kept_.erase(uid);
  return StartSeries(note, now);
}

EventToSend EventRecorder::StartSeries(const EventNote& note, absl::Time now) {
  const SeriesKey key = {note.regarding.identity.uid, note.reason, note.note};
  k8s::ApiEvent event;
  event.name = UniqueName(note.regarding.identity.name, now);
  event.regarding = note.regarding;
  event.warning = note.warning;
  event.reason = note.reason;
  event.action = note.action;
  event.note = note.note;
  event.time = now;
  event.reporting_instance = reporting_instance_;
  if (const auto known = series_.find(key); known != series_.end()) {
    series_order_.erase(known->second.order);
    series_.erase(known);
  }
  series_order_.push_back(key);
  series_[key] = {event, 1, 1, now, std::prev(series_order_.end())};
  Forget();
  return EventToSend{std::move(event), std::nullopt};
}

std::optional<EventToSend> EventRecorder::TakeKept(absl::Time now) {
  for (auto it = kept_.begin(); it != kept_.end(); ++it) {
    if (!TakeTokens(it->first, now)) continue;
    const EventNote note = std::move(it->second);
    kept_.erase(it);
    return StartSeries(note, now);
  }
  return std::nullopt;
}

absl::Time EventRecorder::NextKept() const {
  absl::Time next = absl::InfiniteFuture();
  for (const auto& [uid, note] : kept_) {
    next = std::min(next, NextToken({kObjectBurst, kObjectEvery}, buckets_.at(uid).bucket));
  }
  return std::max(next, NextToken({kGlobalBurst, kGlobalEvery}, global_));
}

std::optional<EventToSend> EventRecorder::Repeat(Series* series, absl::Time now) {
  ++series->count;
  series->last = now;
  series_order_.splice(series_order_.end(), series_order_, series->order);
  if (series->count < 2 * series->sent) return std::nullopt;
  if (!TakeTokens(series->event.regarding.identity.uid, now)) return std::nullopt;
  series->sent = series->count;
  return EventToSend{series->event, k8s::EventSeries{series->count, now}};
}

void EventRecorder::Fill(const Refill& refill, absl::Time now, Bucket* bucket) {
  if (bucket->spent == 0 || now < bucket->since) {
    bucket->since = now;
    return;
  }
  const int64_t refilled = (now - bucket->since) / refill.every;
  bucket->spent = std::max<int64_t>(bucket->spent - refilled, 0);
  bucket->since += refilled * refill.every;
}

absl::Time EventRecorder::NextToken(const Refill& refill, const Bucket& bucket) {
  return bucket.spent < refill.burst ? absl::InfinitePast() : bucket.since + refill.every;
}

EventRecorder::Bucket* EventRecorder::BucketOf(const std::string& uid) {
  const auto [it, is_new] = buckets_.try_emplace(uid);
  if (is_new) {
    bucket_order_.push_back(uid);
    it->second.order = std::prev(bucket_order_.end());
  } else {
    bucket_order_.splice(bucket_order_.end(), bucket_order_, it->second.order);
  }
  return &it->second.bucket;
}

bool EventRecorder::TakeTokens(const std::string& uid, absl::Time now) {
  Bucket* const object = BucketOf(uid);
  Forget();
  Fill({kObjectBurst, kObjectEvery}, now, object);
  Fill({kGlobalBurst, kGlobalEvery}, now, &global_);
  if (object->spent >= kObjectBurst || global_.spent >= kGlobalBurst) return false;
  ++object->spent;
  ++global_.spent;
  return true;
}

std::string EventRecorder::UniqueName(const std::string& object, absl::Time now) {
  last_name_ = std::max(last_name_ + 1, absl::ToUnixNanos(now));
  absl::string_view stem = absl::string_view(object).substr(0, kObjectNameMax);
  while (!stem.empty() && (stem.back() == '.' || stem.back() == '-')) stem.remove_suffix(1);
  return absl::StrCat(stem, ".", absl::Hex(last_name_, absl::kZeroPad16));
}

void EventRecorder::Forget() {
  for (; series_.size() > kSeriesMax; series_order_.pop_front()) {
    series_.erase(series_order_.front());
  }
  for (; buckets_.size() > kObjectsMax; bucket_order_.pop_front()) {
    buckets_.erase(bucket_order_.front());
    kept_.erase(bucket_order_.front());
  }
}

}  // namespace gangpack::server
