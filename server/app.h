// The composition root: the engine, its driver, the executor of its effects, the timer, the held
// calls and both listeners, wired together around one cluster.
//
// Ownership: owns all of them and the cluster; the clock must outlive it.
// Thread-safety: all methods from any thread, but for Start and the destructor.
// Errors: kUnavailable if a listener cannot listen.
// Not here: the command line (serve_command.h), signals (stop_signal.h).
#ifndef GANGPACK_SERVER_APP_H_
#define GANGPACK_SERVER_APP_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "core/effects.h"
#include "core/policy.h"
#include "k8s/clock.h"
#include "server/deadline_timer.h"
#include "server/effect_executor.h"
#include "server/embedded_cluster.h"
#include "server/engine_driver.h"
#include "server/held_calls.h"
#include "server/http_server.h"

namespace gangpack::server {

struct AppOptions {
  Policy policy;  // has passed Validate()
  HttpServerOptions http;
  // Told of every transition, on one thread, in order. May be empty; must not call the App.
  std::function<void(const GangTransition&)> on_transition;
};

class App {
 public:
  // Serves when it returns, with the cluster taken in as it is. `clock` keeps the real time.
  static absl::StatusOr<std::unique_ptr<App>> Start(const AppOptions& options,
                                                    std::unique_ptr<EmbeddedCluster> cluster,
                                                    k8s::Clock* clock);
  ~App() { Stop(); }
  App(const App&) = delete;
  App& operator=(const App&) = delete;

  // "http://127.0.0.1:40001"
  std::string filter_url() const;
  std::string bind_url() const;
  int filter_port() const { return http_->filter_port(); }
  int bind_port() const { return http_->bind_port(); }

  EmbeddedCluster& cluster() { return *cluster_; }
  EngineDriver& driver() { return driver_; }

  // Returns when all that has been decided so far has been done.
  void AwaitIdle() { executor_.AwaitIdle(); }

  // Held binds are answered with an Error, bindings under way are finished, and every thread ends.
  void Stop();

 private:
  App(const AppOptions& options, std::unique_ptr<EmbeddedCluster> cluster, k8s::Clock* clock);

  const HttpServerOptions http_options_;
  std::unique_ptr<EmbeddedCluster> cluster_;
  HeldCalls calls_;
  EffectExecutor executor_;
  EngineDriver driver_;
  DeadlineTimer timer_;
  std::unique_ptr<HttpServer> http_;
};

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_APP_H_
