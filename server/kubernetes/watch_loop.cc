#include "server/kubernetes/watch_loop.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "server/kubernetes/object_facts.h"

namespace gangpack::server {
namespace {

constexpr uint32_t kPermilles = 1001;  // 0 to 1000

}  // namespace

WatchLoop::WatchLoop(const Options& options, k8s::ApiClient* client, k8s::Clock* clock,
                     Callbacks callbacks)
    : options_(options),
      client_(client),
      clock_(clock),
      callbacks_(std::move(callbacks)),
      reflector_(options.reflector),
      jitter_(options.jitter_seed + 1) {
  const MutexLock lock(&mutex_);
  health_.resource = std::string(k8s::ResourceName(options.reflector.type));
  health_.last_contact = clock->Now();
}

void WatchLoop::Start() {
  thread_ = std::thread([this] { Run(); });
}

void WatchLoop::RequestStop() {
  pause_.Stop();
  const MutexLock lock(&mutex_);
  if (stream_ != nullptr) stream_->Cancel();
}

void WatchLoop::Stop() {
  RequestStop();
  if (thread_.joinable()) thread_.join();
}

WatchHealth WatchLoop::Health() {
  const MutexLock lock(&mutex_);
  return health_;
}

void WatchLoop::Run() {
  std::optional<k8s::ReflectorRequest> next = Step(k8s::WaitEnded{});
  while (next.has_value() && !pause_.stopped()) {
    next = std::visit([this](const auto& request) { return Do(request); }, *next);
  }
}

std::optional<k8s::ReflectorRequest> WatchLoop::Step(k8s::ReflectorInput input) {
  // What ends because we stop is no trouble of the server's.
  if (pause_.stopped()) return std::nullopt;
  k8s::ReflectorOutput output =
      reflector_.Step(std::move(input), {clock_->Now(), static_cast<int>(jitter_() % kPermilles)});
  NoteHealth();
  for (const std::string& report : output.reports) {
    reported_ = clock_->Now();
    callbacks_.report(report);
  }
  ReportLastingTrouble();
  if (!output.changes.empty()) {
    std::vector<Fact> facts;
    facts.reserve(output.changes.size());
    for (k8s::ObjectChange& change : output.changes) {
      facts.push_back(FactOf(options_.reflector.type, std::move(change)));
    }
    callbacks_.changes(std::move(facts));
  }
  if (output.synchronised) callbacks_.synchronised();
  return std::move(output.next);
}

std::optional<k8s::ReflectorRequest> WatchLoop::Do(const k8s::ListRequest& list) {
  return Step(client_->List(options_.reflector.type, list));
}

std::optional<k8s::ReflectorRequest> WatchLoop::Do(const k8s::WatchRequest& watch) {
  const std::unique_ptr<k8s::ByteStream> stream =
      client_->OpenWatch(options_.reflector.type, watch);
  if (!SetStream(stream.get())) return std::nullopt;
  std::optional<k8s::ReflectorRequest> next;
  client_->Watch(options_.reflector.type, stream.get(), [this, &next](k8s::ReflectorInput input) {
    next = Step(std::move(input));
    return !next.has_value() && !pause_.stopped();
  });
  SetStream(nullptr);
  return next;
}

std::optional<k8s::ReflectorRequest> WatchLoop::Do(const k8s::WaitRequest& wait) {
  // The clock may be set while we wait, so it is asked again every now and then.
  for (absl::Duration left = wait.until - clock_->Now(); left > absl::ZeroDuration();
       left = wait.until - clock_->Now()) {
    if (!pause_.For(std::min(left, absl::Seconds(1)))) return std::nullopt;
  }
  return Step(k8s::WaitEnded{});
}

bool WatchLoop::SetStream(k8s::ByteStream* stream) {
  const MutexLock lock(&mutex_);
  const bool stopped = pause_.stopped();
  stream_ = stopped ? nullptr : stream;
  return !stopped;
}

void WatchLoop::NoteHealth() {
  const MutexLock lock(&mutex_);
  health_.synchronised = reflector_.synchronised();
  health_.trouble = std::string(reflector_.trouble().message());
  health_.lists_total = reflector_.lists_begun();
  health_.last_contact = std::max(health_.last_contact, reflector_.last_contact());
}

void WatchLoop::ReportLastingTrouble() {
  if (reflector_.trouble().ok()) {
    reported_ = absl::InfinitePast();
    return;
  }
  if (clock_->Now() - reported_ < kReportAgain) return;
  reported_ = clock_->Now();
  callbacks_.report(absl::StrCat(k8s::ResourceName(options_.reflector.type), ": still ",
                                 std::string(reflector_.trouble().message())));
}

}  // namespace gangpack::server
