// What /metrics tells Prometheus: counters from the engine's effects, histograms from its calls,
// gauges from its views when they are scraped.
//
// What is counted, all `_total` in gangs unless said otherwise (a transition, never a call):
//   ome_scheduler_gang_pin_total{result}
//     pinned           a gang without placed members took a hold
//     adopted          one took the hold of the domain where its members run, or of the
//                      nominations found at start
//     no_fit           one became blocked because no domain, or not the one where it runs, has
//                      room; not again while the same reason lasts
//     reserved         the same because every domain that would do is held for another gang
//     stale_replan     a plan was remade, in its domain or another, since pods or nodes changed
//     topology_replan  the same since the gang's topology key or a planned node's label changed
//   ome_scheduler_gang_gate_total{result}
//     wait             members that came to Permit and must wait for others
//     admit            gangs that were complete: all that waited are bound
//   ome_scheduler_gang_activation_total{trigger}  pods that kube-scheduler was made to try again,
//                      by WakeTrigger
//   ome_scheduler_gang_unwind_total  gangs that failed after a member had its node
//   gangpack_bind_answers_total{result}  bind calls that were answered: bound, or error
// Gauges: ome_scheduler_pinned_groups and gangpack_holds (holds now), gangpack_holds_by_age{age}
// (they add up to the holds), gangpack_permit_waiters, gangpack_connections{listener},
// gangpack_synchronised (1 when every watch has been listed). Where an API server is watched, per
// kind of objects: gangpack_watch_synchronised{resource} (1 when that watch has been listed),
// gangpack_watch_lag_seconds{resource} (since the server last told anything about it; it does so
// about once a minute at least), gangpack_watch_lists_total{resource} (full lists that were begun).
// Histogram: gangpack_request_duration_seconds{verb}, from when a call reaches the engine's driver
// to its decision; for bind to its answer, or the hang-up, so the permit wait is in it. Reading and
// writing the JSON is not.
//
// Invariant: every series that is named here exists from the start.
// Thread-safety: all methods from any thread. Errors: none. Determinism: families and series are
// sorted. Cost: a count or an observation is one atomic or one short lock; a scrape O(holds +
// waiters).
// Not here: when transitions happen (core/gang_life.h), the page's path (app.h).
#ifndef GANGPACK_SERVER_METRICS_H_
#define GANGPACK_SERVER_METRICS_H_

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/time/time.h"
#include "core/effects.h"
#include "core/views.h"
#include "prometheus/counter.h"
#include "prometheus/gauge.h"
#include "prometheus/histogram.h"
#include "prometheus/registry.h"
#include "server/cluster.h"
#include "server/engine_driver.h"
#include "server/mutex.h"

namespace gangpack::server {

// What is so at the moment of a scrape.
struct MetricsSnapshot {
  absl::Time now;
  bool synchronised = false;
  std::vector<ReservationView> holds;
  std::vector<WatchHealth> watches;
  size_t filter_connections = 0;
  size_t bind_connections = 0;
};

class Metrics final : public CallObserver {
 public:
  // The Content-Type of Text().
  static constexpr char kContentType[] = "text/plain; version=0.0.4; charset=utf-8";

  Metrics();
  Metrics(const Metrics&) = delete;
  Metrics& operator=(const Metrics&) = delete;

  void Count(const Effect& effect);

  void OnFilter(const FilterRequest& request, const FilterDecision& decision,
                absl::Duration took) override;
  void OnPrioritize(absl::Duration took) override;
  void OnBind(absl::Duration took) override;

  // Prometheus' text format 0.0.4.
  std::string Text(const MetricsSnapshot& snapshot);

 private:
  static constexpr size_t kAgeBands = 5;

  struct WatchSeries {
    prometheus::Gauge* synchronised;
    prometheus::Gauge* lag_seconds;
    prometheus::Counter* lists;
  };

  void CountTransition(const GangTransition& transition);
  WatchSeries& SeriesOf(const std::string& resource) ABSL_EXCLUSIVE_LOCKS_REQUIRED(scrape_mutex_);
  void SetGauges(const MetricsSnapshot& snapshot) ABSL_EXCLUSIVE_LOCKS_REQUIRED(scrape_mutex_);

  prometheus::Registry registry_;
  // In the order in which they stand above; by the enum's value where there is one.
  prometheus::Counter& pinned_;
  prometheus::Counter& adopted_;
  prometheus::Counter& no_fit_;
  prometheus::Counter& reserved_;
  prometheus::Counter& stale_replan_;
  prometheus::Counter& topology_replan_;
  prometheus::Counter& wait_;
  prometheus::Counter& admit_;
  const std::array<prometheus::Counter*, 5> activation_;
  prometheus::Counter& unwind_;
  prometheus::Counter& bind_bound_;
  prometheus::Counter& bind_error_;
  prometheus::Gauge& pinned_groups_;
  prometheus::Gauge& holds_;
  const std::array<prometheus::Gauge*, kAgeBands> holds_by_age_;
  prometheus::Gauge& permit_waiters_;
  prometheus::Gauge& filter_connections_;
  prometheus::Gauge& bind_connections_;
  prometheus::Gauge& synchronised_;
  prometheus::Histogram& filter_seconds_;
  prometheus::Histogram& prioritize_seconds_;
  prometheus::Histogram& bind_seconds_;
  // By resource; empty until a scrape has watches.
  std::map<std::string, WatchSeries> watches_ ABSL_GUARDED_BY(scrape_mutex_);
  Mutex scrape_mutex_;  // one scrape at a time, so that its gauges belong together
};

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_METRICS_H_
