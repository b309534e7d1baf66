#include "server/app.h"

#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/facts.h"
#include "core/status_macros.h"
#include "server/http_message.h"

namespace gangpack::server {
namespace {

std::string UrlOf(const std::string& address, int port) {
  const bool v6 = address.find(':') != std::string::npos;
  return absl::StrCat("http://", v6 ? "[" : "", address, v6 ? "]" : "", ":", port);
}

// What is done when effects are carried out, besides.
EffectExecutor::Wiring WiringOf(const AppOptions& options, Cluster* cluster, HeldCalls* calls,
                                Metrics* metrics) {
  EffectExecutor::Wiring wiring{
      .cluster = cluster,
      .calls = calls,
      .on_transition =
          [cluster, log = options.log,
           also = options.on_transition](const GangTransition& transition) {
            cluster->Record(transition);
            if (log != nullptr) log->OnTransition(transition);
            if (also != nullptr) also(transition);
          },
      .on_effect = [metrics](const Effect& effect) { metrics->Count(effect); },
      .on_bound = {},
      .lanes = options.effect_lanes};
  if (DecisionLog* const log = options.log) {
    wiring.on_bound = [log](const BindPod& bind, const absl::Status& status) {
      log->OnBound(bind, status);
    };
  }
  return wiring;
}

// Why no decision is made yet: the watches that have not been listed.
std::string NotReadyText(const std::vector<WatchHealth>& watches) {
  std::string text = "not every watch has been listed yet";
  for (const WatchHealth& watch : watches) {
    if (watch.synchronised) continue;
    absl::StrAppend(&text, "; ", watch.resource, ": ",
                    watch.trouble.empty() ? "is being listed" : watch.trouble);
  }
  return text;
}

}  // namespace

App::App(const AppOptions& options, std::unique_ptr<Cluster> cluster, k8s::Clock* clock)
    : clock_(clock),
      http_options_(options.http),
      cluster_(std::move(cluster)),
      metered_(&metrics_, options.log),
      executor_(WiringOf(options, cluster_.get(), &calls_, &metrics_)),
      driver_(options.policy, clock, &executor_, &metered_),
      sink_(&driver_, options.log),
      timer_(&driver_, clock) {}

absl::StatusOr<std::unique_ptr<App>> App::Start(const AppOptions& options,
                                                std::unique_ptr<Cluster> cluster,
                                                k8s::Clock* clock) {
  std::unique_ptr<App> app(new App(options, std::move(cluster), clock));
  App* const raw = app.get();
  app->executor_.Start(&app->driver_);
  app->cluster_->Start(&app->sink_);
  HttpServerOptions http = options.http;
  http.pages["/metrics"] = [raw](const HttpRequest&) { return raw->MetricsPage(); };
  http.pages["/readyz"] = [raw](const HttpRequest&) { return raw->ReadyPage(); };
  http.unknown_pod = [raw](std::string_view pod_json, absl::FunctionRef<bool()> is_unknown) {
    return raw->cluster_->Offer(pod_json, is_unknown);
  };
  GP_ASSIGN_OR_RETURN(app->http_, HttpServer::Start(http, &app->driver_, &app->calls_));
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

void App::DriverSink::Apply(const std::vector<Fact>& facts) {
  driver_->Apply(facts);
  const size_t before = facts_.fetch_add(facts.size());
  if (log_ == nullptr || facts.empty()) return;
  if (std::holds_alternative<Synchronised>(facts.back())) {
    log_->Event("synchronised", {{"objects", absl::StrCat(before + facts.size() - 1)}});
  }
}

HttpAnswer App::ReadyPage() {
  if (driver_.synchronised()) return {.body = "{\"status\":\"ok\"}\n"};
  return JsonErrorAnswer(503, NotReadyText(cluster_->Watches()));
}

HttpAnswer App::MetricsPage() {
  MetricsSnapshot snapshot;
  snapshot.synchronised = driver_.synchronised();
  snapshot.holds = driver_.Reservations();
  snapshot.now = clock_->Now();
  snapshot.watches = cluster_->Watches();
  if (const HttpServer* const http = serving_) {
    snapshot.filter_connections = http->filter_listener().connections();
    snapshot.bind_connections = http->bind_listener().connections();
  }
  return {.body = metrics_.Text(snapshot), .content_type = Metrics::kContentType};
}

void App::Stop() {
  if (http_ != nullptr) http_->Stop();
  timer_.Stop();
  executor_.AwaitIdleFor(kStopGrace);
  cluster_->Stop();
  executor_.Stop();
}

}  // namespace gangpack::server
