// Which events the API server is sent for what is worth telling: a step function, so that nothing
// is sent too often.
//
// Rules:
//  1. What was told of the same object within kSeriesWindow, with the same reason and note, is one
//     event, whose count goes up.
//  2. A count is sent when it has doubled, so that a note that is repeated for ever costs ever
//  less.
//  3. Per object at most kObjectBurst at once and one per kObjectEvery later; for all objects
//     together kGlobalBurst and one per kGlobalEvery. What is above is dropped, but counted where
//     rule 1 holds; of new notes the last one of each object is kept until it may be sent, so that
//     an object's last event is what holds of it now.
//  4. At most kSeriesMax series and kObjectsMax objects are remembered: those told of last.
// Determinism: the same calls give the same events. Nothing comes without a call: at rest, once
// what was kept is sent, nothing is. Not thread-safe. Cost: logarithmic. Not here: sending
// (event_sender.h), what is told of a gang (gang_event.h).
#ifndef GANGPACK_SERVER_KUBERNETES_EVENT_RECORDER_H_
#define GANGPACK_SERVER_KUBERNETES_EVENT_RECORDER_H_

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "absl/time/time.h"
#include "k8s/api_body.h"

namespace gangpack::server {

// Something to be told of an object.
struct EventNote {
  k8s::ObjectReference regarding;
  bool warning = false;
  std::string reason;
  std::string action;
  std::string note;
};

// What is to be sent: a new event, or the count of one that was sent.
struct EventToSend {
  k8s::ApiEvent event;
  std::optional<k8s::EventSeries> series;
};

class EventRecorder {
 public:
  static constexpr absl::Duration kSeriesWindow = absl::Minutes(10);
  static constexpr int kObjectBurst = 10;
  static constexpr absl::Duration kObjectEvery = absl::Seconds(30);
  static constexpr int kGlobalBurst = 200;
  static constexpr absl::Duration kGlobalEvery = absl::Milliseconds(100);
  static constexpr size_t kSeriesMax = 4'096;
  static constexpr size_t kObjectsMax = 4'096;

  // Who says so: at most 128 bytes.
  explicit EventRecorder(std::string reporting_instance)
      : reporting_instance_(std::move(reporting_instance)) {}

  // Nothing, or what is to be sent now.
  std::optional<EventToSend> Record(const EventNote& note, absl::Time now);

  // What was kept and may be sent now; nothing if that is nothing.
  std::optional<EventToSend> TakeKept(absl::Time now);
  // When TakeKept may have something; absl::InfiniteFuture() if nothing is kept. Linear in the
  // number of objects of which a note is kept.
  absl::Time NextKept() const;

  size_t series() const { return series_.size(); }
  size_t objects() const { return buckets_.size(); }

 private:
  // Refilled by one token per `every`, up to `burst`.
  struct Bucket {
    int64_t spent = 0;  // of the burst
    absl::Time since = absl::InfinitePast();
  };
  struct Refill {
    int burst;
    absl::Duration every;
  };
  using SeriesKey = std::tuple<std::string, std::string, std::string>;  // UID, reason, note
  struct Series {
    k8s::ApiEvent event;
    int64_t count = 1;
    int64_t sent = 1;
    absl::Time last;
    std::list<SeriesKey>::iterator order;
  };
  struct ObjectBucket {
    Bucket bucket;
    std::list<std::string>::iterator order;
  };

  EventToSend StartSeries(const EventNote& note, absl::Time now);
  // When the bucket has a token; the past if it has one.
  static absl::Time NextToken(const Refill& refill, const Bucket& bucket);
  static void Fill(const Refill& refill, absl::Time now, Bucket* bucket);
  // Takes a token from the object's bucket and from that of all; false if one has none.
  bool TakeTokens(const std::string& uid, absl::Time now);
  Bucket* BucketOf(const std::string& uid);
  std::optional<EventToSend> Repeat(Series* series, absl::Time now);
  std::string UniqueName(const std::string& object, absl::Time now);
  void Forget();

  const std::string reporting_instance_;
  std::map<SeriesKey, Series> series_;
  std::list<SeriesKey> series_order_;  // told of last at the end
  std::map<std::string, ObjectBucket> buckets_;
  std::list<std::string> bucket_order_;
  std::map<std::string, EventNote> kept_;  // by UID, of objects in buckets_
  Bucket global_;
  int64_t last_name_ = 0;
};

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_KUBERNETES_EVENT_RECORDER_H_
