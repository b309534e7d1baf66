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

}  // namespace

App::App(const AppOptions& options, std::unique_ptr<EmbeddedCluster> cluster, k8s::Clock* clock)
    : http_options_(options.http),
      cluster_(std::move(cluster)),
      executor_(
          {.cluster = cluster_.get(), .calls = &calls_, .on_transition = options.on_transition}),
      driver_(options.policy, clock, &executor_),
      timer_(&driver_, clock) {}

absl::StatusOr<std::unique_ptr<App>> App::Start(const AppOptions& options,
                                                std::unique_ptr<EmbeddedCluster> cluster,
                                                k8s::Clock* clock) {
  std::unique_ptr<App> app(new App(options, std::move(cluster), clock));
  EngineDriver* const driver = &app->driver_;
  app->executor_.Start(driver);
  app->cluster_->ListAndWatch(
      [driver](const std::vector<Fact>& facts) {
        driver->Apply(facts);
        driver->Apply({Synchronised{}});
      },
      [driver](const std::vector<ClusterEvent>& events) { driver->Apply(FactsOf(events)); });
  GP_ASSIGN_OR_RETURN(app->http_, HttpServer::Start(options.http, driver, &app->calls_));
  return app;
}

std::string App::filter_url() const { return UrlOf(http_options_.filter.address, filter_port()); }

std::string App::bind_url() const { return UrlOf(http_options_.bind.address, bind_port()); }

void App::Stop() {
  if (http_ != nullptr) http_->Stop();
  timer_.Stop();
  executor_.Stop();
}

}  // namespace gangpack::server
