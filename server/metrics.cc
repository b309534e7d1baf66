#include "server/metrics.h"

#include <algorithm>
#include <map>
#include <variant>

#include "prometheus/metric_family.h"
#include "prometheus/text_serializer.h"

namespace gangpack::server {
namespace {

constexpr char kPin[] = "ome_scheduler_gang_pin_total";
constexpr char kPinHelp[] =
    "Gangs that took a hold (pinned, adopted), could not (no_fit, reserved), or whose plan was "
    "remade (stale_replan, topology_replan).";
constexpr char kGate[] = "ome_scheduler_gang_gate_total";
constexpr char kGateHelp[] =
    "Members that came to Permit and must wait, and gangs that were complete and admitted.";
constexpr char kActivation[] = "ome_scheduler_gang_activation_total";
constexpr char kActivationHelp[] =
    "Refused pods that kube-scheduler was made to try again, by what had happened.";
constexpr char kAnswers[] = "gangpack_bind_answers_total";
constexpr char kAnswersHelp[] = "Bind calls that were answered, by what they were told.";
constexpr char kAges[] = "gangpack_holds_by_age";
constexpr char kAgesHelp[] = "Holds by how long ago they were taken.";
constexpr char kConnections[] = "gangpack_connections";
constexpr char kConnectionsHelp[] = "Open HTTP connections.";
constexpr char kDuration[] = "gangpack_request_duration_seconds";
constexpr char kDurationHelp[] =
    "From when a call reaches the engine to its decision; for bind to its answer, permit wait "
    "included.";

// 50 us to 10 min.
const prometheus::Histogram::BucketBoundaries& DurationBounds() {
  static const auto* const kBounds = new prometheus::Histogram::BucketBoundaries{
      0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1,
      0.25,    0.5,    1,       2.5,    5,     10,     30,    60,   120,   300,  600};
  return *kBounds;
}

struct Age {
  const char* name;
  absl::Duration below;
};

// What gangpack_holds_by_age tells apart.
const std::array<Age, 5>& Ages() {
  static const auto* const kAll = new std::array<Age, 5>{{{"below 10s", absl::Seconds(10)},
                                                          {"10s to 1m", absl::Minutes(1)},
                                                          {"1m to 10m", absl::Minutes(10)},
                                                          {"10m to 1h", absl::Hours(1)},
                                                          {"from 1h", absl::InfiniteDuration()}}};
  return *kAll;
}

prometheus::Counter& AddCounter(prometheus::Registry& registry, const char* name, const char* help,
                                const std::map<std::string, std::string>& labels = {}) {
  return prometheus::BuildCounter().Name(name).Help(help).Register(registry).Add(labels);
}

prometheus::Gauge& AddGauge(prometheus::Registry& registry, const char* name, const char* help,
                            const std::map<std::string, std::string>& labels = {}) {
  return prometheus::BuildGauge().Name(name).Help(help).Register(registry).Add(labels);
}

prometheus::Histogram& AddDuration(prometheus::Registry& registry, const char* verb) {
  return prometheus::BuildHistogram()
      .Name(kDuration)
      .Help(kDurationHelp)
      .Register(registry)
      .Add({{"verb", verb}}, DurationBounds());
}

prometheus::Counter& AddPin(prometheus::Registry& registry, const char* result) {
  return AddCounter(registry, kPin, kPinHelp, {{"result", result}});
}

std::array<prometheus::Counter*, 5> AddActivations(prometheus::Registry& registry) {
  std::array<prometheus::Counter*, 5> by_trigger{};
  for (const auto& [trigger, name] : {std::pair(WakeTrigger::kPermit, "permit"),
                                      {WakeTrigger::kTemplatesComplete, "templates_complete"},
                                      {WakeTrigger::kReservationReleased, "reservation_released"},
                                      {WakeTrigger::kPodGroupChange, "podgroup_change"},
                                      {WakeTrigger::kDomainFailed, "domain_failed"}}) {
    by_trigger[static_cast<size_t>(trigger)] =
        &AddCounter(registry, kActivation, kActivationHelp, {{"trigger", name}});
  }
  return by_trigger;
}

std::array<prometheus::Gauge*, 5> AddAges(prometheus::Registry& registry) {
  std::array<prometheus::Gauge*, 5> by_age{};
  for (size_t i = 0; i < by_age.size(); ++i) {
    by_age[i] = &AddGauge(registry, kAges, kAgesHelp, {{"age", Ages()[i].name}});
  }
  return by_age;
}

double SecondsOf(absl::Duration duration) {
  return absl::ToDoubleSeconds(std::max(duration, absl::ZeroDuration()));
}

}  // namespace

Metrics::Metrics()
    : pinned_(AddPin(registry_, "pinned")),
      adopted_(AddPin(registry_, "adopted")),
      no_fit_(AddPin(registry_, "no_fit")),
      reserved_(AddPin(registry_, "reserved")),
      stale_replan_(AddPin(registry_, "stale_replan")),
      topology_replan_(AddPin(registry_, "topology_replan")),
      wait_(AddCounter(registry_, kGate, kGateHelp, {{"result", "wait"}})),
      admit_(AddCounter(registry_, kGate, kGateHelp, {{"result", "admit"}})),
      activation_(AddActivations(registry_)),
      unwind_(AddCounter(registry_, "ome_scheduler_gang_unwind_total",
                         "Gangs that failed after a member had its node.")),
      bind_bound_(AddCounter(registry_, kAnswers, kAnswersHelp, {{"result", "bound"}})),
      bind_error_(AddCounter(registry_, kAnswers, kAnswersHelp, {{"result", "error"}})),
      pinned_groups_(AddGauge(registry_, "ome_scheduler_pinned_groups",
                              "PodGroups that hold a topology domain.")),
      holds_(AddGauge(registry_, "gangpack_holds", "Topology domains held for forming gangs.")),
      holds_by_age_(AddAges(registry_)),
      permit_waiters_(AddGauge(registry_, "gangpack_permit_waiters",
                               "Members that have a node and wait for their gang.")),
      filter_connections_(
          AddGauge(registry_, kConnections, kConnectionsHelp, {{"listener", "filter"}})),
      bind_connections_(
          AddGauge(registry_, kConnections, kConnectionsHelp, {{"listener", "bind"}})),
      synchronised_(AddGauge(registry_, "gangpack_synchronised",
                             "1 when every watch has been listed, else 0.")),
      filter_seconds_(AddDuration(registry_, "filter")),
      prioritize_seconds_(AddDuration(registry_, "prioritize")),
      bind_seconds_(AddDuration(registry_, "bind")) {}

void Metrics::Count(const Effect& effect) {
  if (const auto* transition = std::get_if<GangTransition>(&effect)) {
    CountTransition(*transition);
  } else if (const auto* wake = std::get_if<WakePod>(&effect)) {
    activation_[static_cast<size_t>(wake->trigger)]->Increment();
  } else if (const auto* remade = std::get_if<PlanRemade>(&effect)) {
    const bool topology = remade->cause == ReplanCause::kTopology;
    (topology ? topology_replan_ : stale_replan_).Increment();
  } else if (const auto* answer = std::get_if<AnswerCall>(&effect)) {
    (answer->error.empty() ? bind_bound_ : bind_error_).Increment();
  }
}

void Metrics::CountTransition(const GangTransition& transition) {
  switch (transition.kind) {
    case GangTransitionKind::kPinned:
      return pinned_.Increment();
    case GangTransitionKind::kAdopted:
      return adopted_.Increment();
    case GangTransitionKind::kWaiting:
      if (!transition.completes) wait_.Increment();
      return;
    case GangTransitionKind::kComplete:
      return admit_.Increment();
    case GangTransitionKind::kUnwound:
      return unwind_.Increment();
    case GangTransitionKind::kBlocked:
      if (transition.reason == transition.reason_before) return;
      if (transition.reason == ReasonCode::kEveryDomainReserved) reserved_.Increment();
      if (transition.reason == ReasonCode::kNoDomainHasRoom ||
          transition.reason == ReasonCode::kAdoptedDomainTooSmall) {
        no_fit_.Increment();
      }
      return;
    case GangTransitionKind::kForming:
    case GangTransitionKind::kBroken:
    case GangTransitionKind::kMoved:     // its PlanRemade is counted
    case GangTransitionKind::kReleased:  // nobody had a node
      return;
  }
}

void Metrics::OnFilter(const FilterRequest&, const FilterDecision&, absl::Duration took) {
  filter_seconds_.Observe(SecondsOf(took));
}
void Metrics::OnPrioritize(absl::Duration took) { prioritize_seconds_.Observe(SecondsOf(took)); }
void Metrics::OnBind(absl::Duration took) { bind_seconds_.Observe(SecondsOf(took)); }

void Metrics::SetGauges(const MetricsSnapshot& snapshot) {
  std::array<size_t, kAgeBands> by_age{};
  size_t waiters = 0;
  for (const ReservationView& hold : snapshot.holds) {
    waiters += hold.waiters.size();
    size_t age = 0;
    while (snapshot.now - hold.since >= Ages()[age].below) ++age;
    ++by_age[age];
  }
  const auto holds = static_cast<double>(snapshot.holds.size());
  pinned_groups_.Set(holds);
  holds_.Set(holds);
  for (size_t i = 0; i < kAgeBands; ++i) holds_by_age_[i]->Set(static_cast<double>(by_age[i]));
  permit_waiters_.Set(static_cast<double>(waiters));
  filter_connections_.Set(static_cast<double>(snapshot.filter_connections));
  bind_connections_.Set(static_cast<double>(snapshot.bind_connections));
  synchronised_.Set(snapshot.synchronised ? 1 : 0);
  for (const WatchHealth& watch : snapshot.watches) {
    WatchSeries& series = SeriesOf(watch.resource);
    series.synchronised->Set(watch.synchronised ? 1 : 0);
    series.lag_seconds->Set(SecondsOf(snapshot.now - watch.last_contact));
    series.lists->Increment(static_cast<double>(watch.lists_total) - series.lists->Value());
  }
}

Metrics::WatchSeries& Metrics::SeriesOf(const std::string& resource) {
  const auto found = watches_.find(resource);
  if (found != watches_.end()) return found->second;
  const std::map<std::string, std::string> labels = {{"resource", resource}};
  return watches_[resource] = {
             &AddGauge(registry_, "gangpack_watch_synchronised",
                       "1 when this watch has been listed, else 0.", labels),
             &AddGauge(registry_, "gangpack_watch_lag_seconds",
                       "Since the API server last told anything about this kind of objects.",
                       labels),
             &AddCounter(registry_, "gangpack_watch_lists_total", "Full lists that were begun.",
                         labels)};
}

std::string Metrics::Text(const MetricsSnapshot& snapshot) {
  std::vector<prometheus::MetricFamily> families;
  {
    const MutexLock lock(&scrape_mutex_);
    SetGauges(snapshot);
    families = registry_.Collect();
  }
  std::sort(families.begin(), families.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  for (prometheus::MetricFamily& family : families) {
    std::sort(family.metric.begin(), family.metric.end(),
              [](const auto& a, const auto& b) { return a.label < b.label; });
  }
  return prometheus::TextSerializer().Serialize(families);
}

}  // namespace gangpack::server
