// kube-scheduler's queue: which pod is tried next, and which ones wait for what.
//
// Terms: a pod is in one place at a time: active (to be tried, by priority, then by the time it was
// queued last), backing off, or parked until something happens that may help it; gated pods are
// parked as well. A pod that is being tried or that has a node is in no place. Rejectors are the
// plugins that refused it.
// Units: time is the simulation's. Backoff is 1 s, doubled to at most 2 s, ends on a whole second
// since `start`, and is cut short when nothing is active, unless it follows an error. Every 30 s
// pods that have been parked for more than 5 minutes are active again. Invariant: every pod is
// known by its UID once. Thread-safety: none. Determinism: ties in time are broken by the order of
// queueing. Cost: O(log pods) per pod moved, and pods passed over in Pop. Source: kube-scheduler.md
// sections 4 and 8, Kubernetes 1.33 and later. Not here: which event may help which pod
// (requeue_hints.h).
#ifndef GANGPACK_SERVER_SIMULATE_SCHEDULING_QUEUE_H_
#define GANGPACK_SERVER_SIMULATE_SCHEDULING_QUEUE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/time/time.h"
#include "server/manifest/cluster_object.h"

namespace gangpack::server {

// Bits of a set of plugins.
using Rejectors = uint32_t;
inline constexpr Rejectors kRejectedByUnschedulable = 1u << 0;
inline constexpr Rejectors kRejectedByTaints = 1u << 1;
inline constexpr Rejectors kRejectedByNodeAffinity = 1u << 2;
inline constexpr Rejectors kRejectedByPorts = 1u << 3;
inline constexpr Rejectors kRejectedByFit = 1u << 4;
inline constexpr Rejectors kRejectedByStep = 1u << 5;  // `refuse` of a Step
inline constexpr Rejectors kRejectedByExtender = 1u << 6;
inline constexpr Rejectors kRejectedForNoNodes = 1u << 7;  // there was no node at all

struct QueuedPod {
  std::shared_ptr<const PodObject> object;  // as it is now
  Rejectors rejectors = 0;                  // of its last try; 0 after an error
};

class SchedulingQueue {
 public:
  explicit SchedulingQueue(absl::Time start) : start_(start) {}

  // A new pod: active, or parked if it is gated.
  void Add(std::shared_ptr<const PodObject> object, absl::Time now);
  // The new picture of a pod that is in the queue or being tried. Without its last gate it is
  // active.
  void Update(std::shared_ptr<const PodObject> object, absl::Time now);
  void Remove(const PodUid& uid);

  // Takes out the next pod that may be tried now. `eligible` leaves pods where they are, untried.
  // `no_backoff`: backoff counts as zero. nullopt if there is none.
  std::optional<QueuedPod> Pop(bool no_backoff, absl::FunctionRef<bool(const QueuedPod&)> eligible);

  // A pod that was popped, or bound in vain, comes back: parked with its rejectors, or backing off
  // after an error. Nothing happens if it was removed meanwhile.
  void Park(const PodUid& uid, Rejectors rejectors, absl::Time now);
  void BackOffAfterError(const PodUid& uid, absl::Time now);

  // Makes every parked pod for which `helps` is true active, or backing off where that is not over.
  void Requeue(absl::Time now, absl::FunctionRef<bool(const QueuedPod&)> helps);

  // Does what time has brought: backoffs that are over, pods parked too long.
  void Flush(absl::Time now);
  // When Flush next has something to do; absl::InfiniteFuture() if never.
  absl::Time NextFlush() const;

  // nullptr if it is not known. Also pods that are being tried or bound.
  const QueuedPod* Find(const PodUid& uid) const;

 private:
  enum class Place { kOut, kActive, kBackoff, kErrorBackoff, kParked, kGated };
  using Order = std::tuple<int64_t, int64_t>;  // -priority, sequence: both unique as a pair
  struct Entry {
    QueuedPod pod;
    Place place = Place::kOut;
    int64_t sequence = 0;
    absl::Time queued;
    int refusals = 0;            // tries that ended in a refusal
    int consecutive_errors = 0;  // tries that ended in an error since the last refusal
  };

  void PutActive(Entry* entry);
  void PutWaiting(Entry* entry, Place place);
  void TakeOut(Entry* entry);
  void Stamp(Entry* entry, absl::Time now);
  Order OrderOf(const Entry& entry) const;
  absl::Time BackoffEnd(const Entry& entry) const;
  absl::Time ParkedTooLong(const Entry& entry) const;

  const absl::Time start_;
  int64_t sequence_ = 0;
  std::map<PodUid, Entry> entries_;
  std::map<Order, PodUid> active_;
  std::map<std::tuple<absl::Time, Order>, PodUid> backoff_;  // by the end of the backoff
  std::map<std::tuple<absl::Time, Order>, PodUid> error_backoff_;
  std::map<std::tuple<absl::Time, Order>, PodUid> parked_;  // by the flush that would free it
};

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_SIMULATE_SCHEDULING_QUEUE_H_
