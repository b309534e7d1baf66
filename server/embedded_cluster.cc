#include "server/embedded_cluster.h"

#include <cstddef>
#include <utility>

namespace gangpack::server {
namespace {

// A cluster of any size is listed in the memory of so many facts.
constexpr size_t kFactsPerPage = 1000;

std::vector<Fact> FactsOf(const std::vector<ClusterEvent>& events) {
  std::vector<Fact> facts;
  facts.reserve(events.size());
  for (const ClusterEvent& event : events) facts.push_back(FactOf(event));
  return facts;
}

}  // namespace

void EmbeddedCluster::Start(FactSink* sink) {
  ListAndWatch([sink](const std::vector<Fact>& page) { sink->Apply(page); },
               [sink](const std::vector<ClusterEvent>& events) { sink->Apply(FactsOf(events)); });
  sink->Apply({Synchronised{}});
}

void EmbeddedCluster::Change(absl::FunctionRef<void(ManifestCluster&)> change) {
  const MutexLock lock(&mutex_);
  change(cluster_);
  TellWatches();
}

void EmbeddedCluster::ListAndWatch(absl::FunctionRef<void(std::vector<Fact>)> list, Watch watch) {
  const MutexLock lock(&mutex_);
  TellWatches();
  std::vector<Fact> page;
  cluster_.ListFacts([&](Fact fact) {
    if (page.size() == kFactsPerPage) list(std::exchange(page, {}));
    page.push_back(std::move(fact));
  });
  if (!page.empty()) list(std::move(page));
  watches_.push_back(std::move(watch));
}

absl::Status EmbeddedCluster::Bind(const BindPod& bind) {
  const MutexLock lock(&mutex_);
  const absl::Status status = cluster_.Bind(bind);
  TellWatches();
  return status;
}

absl::Status EmbeddedCluster::Wake(const WakePod& wake) {
  const MutexLock lock(&mutex_);
  const absl::Status status = cluster_.Wake(wake);
  TellWatches();
  return status;
}

absl::Status EmbeddedCluster::Clear(const ClearNomination& clear) {
  const MutexLock lock(&mutex_);
  const absl::Status status = cluster_.Clear(clear);
  TellWatches();
  return status;
}

void EmbeddedCluster::TellWatches() {
  const std::vector<ClusterEvent> events = cluster_.DrainEvents();
  if (events.empty()) return;
  for (const Watch& watch : watches_) watch(events);
}

}  // namespace gangpack::server
