#include "server/app.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/facts.h"
#include "core/status_macros.h"

namespace gangpack::server {
namespace {

std::string UrlOf(const std::string& address, int port) {
  const bool v6 = address.find(':') != std::string::npos;
  return absl::StrCat("http://", v6 ? "[" : "", address, v6 ? "]" : "", ":", port);
}

std::vector<Fact> FactsOf(const std::vector<ClusterEvent>& events) {
  std::vector<Fact> facts;
  facts.reserve(events.size());
  for (const ClusterEvent& event : events) facts.push_back(FactOf(event));
  return facts;
}

// What is done when effects are carried out, besides.
EffectExecutor::Wiring WiringOf(const AppOptions& options, ClusterWriter* cluster, HeldCalls* calls,
                                Metrics* metrics) {
  EffectExecutor::Wiring wiring{
      .cluster = cluster,
      .calls = calls,
      .on_transition = options.on_transition,
      .on_effect = [metrics](const Effect& effect) { metrics->Count(effect); },
      .on_bound = {}};
  if (DecisionLog* const log = options.log) {
    wiring.on_transition = [log, also = options.on_transition](const GangTransition& transition) {
      log->OnTransition(transition);
      if (also != nullptr) also(transition);
    };
    wiring.on_bound = [log](const BindPod& bind, const absl::Status& status) {
      log->OnBound(bind, status);
    };
  }
  return wiring;
}

}  // namespace

App::App(const AppOptions& options, std::unique_ptr<EmbeddedCluster> cluster, k8s::Clock* clock)
    : clock_(clock),
      http_options_(options.http),
      cluster_(std::move(cluster)),
      metered_(&metrics_, options.log),
      executor_(WiringOf(options, cluster_.get(), &calls_, &metrics_)),
      driver_(options.policy, clock, &executor_, &metered_),
      timer_(&driver_, clock) {}

absl::StatusOr<std::unique_ptr<App>> App::Start(const AppOptions& options,
                                                std::unique_ptr<EmbeddedCluster> cluster,
                                                k8s::Clock* clock) {
  std::unique_ptr<App> app(new App(options, std::move(cluster), clock));
  EngineDriver* const driver = &app->driver_;
  app->executor_.Start(driver);
  app->cluster_->ListAndWatch(
      [driver, log = options.log](const std::vector<Fact>& facts) {
        driver->Apply(facts);
        driver->Apply({Synchronised{}});
        if (log != nullptr) log->Event("synchronised", {{"objects", absl::StrCat(facts.size())}});
      },
      [driver](const std::vector<ClusterEvent>& events) { driver->Apply(FactsOf(events)); });
  HttpServerOptions http = options.http;
  http.pages["/metrics"] = [raw = app.get()](const HttpRequest&) { return raw->MetricsPage(); };
  GP_ASSIGN_OR_RETURN(app->http_, HttpServer::Start(http, driver, &app->calls_));
  app->serving_ = app->http_.get();
  return app;
}

std::string App::filter_url() const { return UrlOf(http_options_.filter.address, filter_port()); }

std::string App::bind_url() const { return UrlOf(http_options_.bind.address, bind_port()); }

void App::MeteredCalls::OnFilter(const FilterRequest& request, const FilterDecision& decision,
                                 absl::Duration took) {
  metrics_->OnFilter(request, decision, took);
  if (log_ != nullptr) log_->OnFilter(request, decision, took);
}

HttpAnswer App::MetricsPage() {
  MetricsSnapshot snapshot;
  snapshot.synchronised = driver_.synchronised();
  snapshot.holds = driver_.Reservations();
  snapshot.now = clock_->Now();
  if (const HttpServer* const http = serving_) {
    snapshot.filter_connections = http->filter_listener().connections();
    snapshot.bind_connections = http->bind_listener().connections();
  }
  return {.body = metrics_.Text(snapshot), .content_type = Metrics::kContentType};
}

void App::Stop() {
  if (http_ != nullptr) http_->Stop();
  timer_.Stop();
  executor_.Stop();
}

}  // namespace gangpack::server
