// The composition root: the engine, its driver, the executor of its effects, the timer, the held
// calls, the metrics (on the page /metrics) and both listeners, wired together around one cluster.
//
// Ownership: owns all of them and the cluster; the clock must outlive it.
// Thread-safety: all methods from any thread, but for Start and the destructor.
// Errors: kUnavailable if a listener cannot listen.
// Not here: the command line (serve_command.h), signals (stop_signal.h).
#ifndef GANGPACK_SERVER_APP_H_
#define GANGPACK_SERVER_APP_H_

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/effects.h"
#include "core/facts.h"
#include "core/policy.h"
#include "k8s/clock.h"
#include "server/cluster.h"
#include "server/deadline_timer.h"
#include "server/decision_log.h"
#include "server/effect_executor.h"
#include "server/engine_driver.h"
#include "server/held_calls.h"
#include "server/http_server.h"
#include "server/metrics.h"

namespace gangpack::server {

struct AppOptions {
  Policy policy;  // has passed Validate()
  HttpServerOptions http;
  // Told of every transition, on one thread, in order. May be empty; must not call the App.
  std::function<void(const GangTransition&)> on_transition;
  DecisionLog* log = nullptr;  // may be; must outlive the App
  size_t effect_lanes = 1;     // of the EffectExecutor
};

class App {
 public:
  // Serves when it returns; decisions are made from when the cluster has shown what there is.
  // `clock` keeps the real time.
  static absl::StatusOr<std::unique_ptr<App>> Start(const AppOptions& options,
                                                    std::unique_ptr<Cluster> cluster,
                                                    k8s::Clock* clock);
  ~App() { Stop(); }
  App(const App&) = delete;
  App& operator=(const App&) = delete;

  // "http://127.0.0.1:40001"
  std::string filter_url() const;
  std::string bind_url() const;
  int filter_port() const { return http_->filter_port(); }
  int bind_port() const { return http_->bind_port(); }

  EngineDriver& driver() { return driver_; }

  // Returns when all that has been decided so far has been done.
  void AwaitIdle() { executor_.AwaitIdle(); }

  // Held binds are answered with an Error, bindings under way are finished if that takes no longer
  // than kStopGrace, and every thread ends.
  void Stop();
  static constexpr absl::Duration kStopGrace = absl::Seconds(5);

 private:
  App(const AppOptions& options, std::unique_ptr<Cluster> cluster, k8s::Clock* clock);
  HttpAnswer MetricsPage();
  HttpAnswer ReadyPage();

  // Tells both of them of each call.
  class MeteredCalls final : public CallObserver {
   public:
    MeteredCalls(Metrics* metrics, DecisionLog* log) : metrics_(metrics), log_(log) {}
    void OnFilter(const FilterRequest& request, const FilterDecision& decision,
                  absl::Duration took) override;
    void OnPrioritize(absl::Duration took) override { metrics_->OnPrioritize(took); }
    void OnBind(absl::Duration took) override { metrics_->OnBind(took); }

   private:
    Metrics* const metrics_;
    DecisionLog* const log_;
  };

  // Hands the cluster's facts to the driver.
  class DriverSink final : public FactSink {
   public:
    DriverSink(EngineDriver* driver, DecisionLog* log) : driver_(driver), log_(log) {}
    void Apply(const std::vector<Fact>& facts) override;

   private:
    EngineDriver* const driver_;
    DecisionLog* const log_;
    std::atomic<size_t> facts_{0};
  };

  k8s::Clock* const clock_;
  const HttpServerOptions http_options_;
  std::unique_ptr<Cluster> cluster_;
  Metrics metrics_;
  MeteredCalls metered_;
  HeldCalls calls_;
  EffectExecutor executor_;
  EngineDriver driver_;
  DriverSink sink_;
  DeadlineTimer timer_;
  std::unique_ptr<HttpServer> http_;
  std::atomic<const HttpServer*> serving_{nullptr};  // http_ once it is there; pages come earlier
};

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_APP_H_
