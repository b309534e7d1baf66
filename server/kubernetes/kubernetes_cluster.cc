#include "server/kubernetes/kubernetes_cluster.h"

#include <optional>
#include <utility>
#include <variant>

#include "absl/status/statusor.h"
#include "core/facts.h"
#include "glog/logging.h"
#include "k8s/api_object.h"
#include "k8s/json_reader.h"
#include "k8s/resource_type.h"
#include "server/decision_log.h"
#include "server/kubernetes/gang_event.h"

namespace gangpack::server {
namespace {

void LogTrouble(const std::string& report) {
  LOG(WARNING) << "event=watch_trouble error=" << LogValue(report);
}

std::optional<Pod> DecodePodJson(std::string_view json) {
  const absl::StatusOr<k8s::Documents> documents = k8s::ReadJson({"pod", std::string(json)});
  if (!documents.ok() || documents->roots().size() != 1) return std::nullopt;
  k8s::ApiRecord record = k8s::ReadApiRecord(k8s::ResourceType::kPods, documents->roots().front());
  if (!record.object.has_value()) return std::nullopt;
  return std::move(std::get<k8s::DecodedPod>(*record.object).pod);
}

}  // namespace

k8s::ReflectorOptions KubernetesCluster::DefaultWatches() {
  k8s::ReflectorOptions options;
  options.backoff = {absl::Milliseconds(200), absl::Seconds(5), absl::Seconds(10)};
  return options;
}

KubernetesCluster::KubernetesCluster(const Options& options, k8s::Transport* transport,
                                     k8s::Clock* clock)
    : transport_(transport),
      client_(transport),
      writer_(options.writes, &client_, clock,
              [this](absl::Duration duration) { return pause_.For(duration); }),
      events_(options.reporting_instance, &client_, clock),
      log_(&LogTrouble, clock) {
  for (const k8s::ResourceType type : k8s::kResourceTypes) {
    WatchLoop::Options loop = {options.watches,
                               options.jitter_seed + static_cast<uint32_t>(loops_.size())};
    loop.reflector.type = type;
    loop.reflector.absent_is_empty = k8s::MayBeAbsent(type);
    loops_.push_back(std::make_unique<WatchLoop>(
        loop, &client_, clock,
        WatchLoop::Callbacks{
            .changes = [this](std::vector<Fact> facts) { feed_.Push(std::move(facts)); },
            .synchronised = [this] { OnSynchronised(); },
            .report = [this](const std::string& report) { log_.Report(report); }}));
  }
}

void KubernetesCluster::Start(FactSink* sink) {
  feed_.Start(sink);
  for (const std::unique_ptr<WatchLoop>& loop : loops_) loop->Start();
}

void KubernetesCluster::Stop() {
  pause_.Stop();
  // First, so that they do not take the transport's end for trouble.
  for (const std::unique_ptr<WatchLoop>& loop : loops_) loop->RequestStop();
  transport_->Shutdown();
  // Before the loops, which may wait for it to take their facts.
  feed_.Stop();
  for (const std::unique_ptr<WatchLoop>& loop : loops_) loop->Stop();
  events_.Stop();
}

std::vector<WatchHealth> KubernetesCluster::Watches() {
  std::vector<WatchHealth> watches;
  for (const std::unique_ptr<WatchLoop>& loop : loops_) watches.push_back(loop->Health());
  return watches;
}

bool KubernetesCluster::Offer(std::string_view pod_json, absl::FunctionRef<bool()> is_unknown) {
  const std::optional<Pod> pod = DecodePodJson(pod_json);
  return pod.has_value() && feed_.Offer(*pod, is_unknown);
}

void KubernetesCluster::Record(const GangTransition& transition) {
  const std::optional<EventNote> note = EventOf(transition);
  if (note.has_value()) events_.Record(*note);
}

void KubernetesCluster::OnSynchronised() {
  if (++synchronised_ == loops_.size()) feed_.Push({Synchronised{}});
}

}  // namespace gangpack::server
