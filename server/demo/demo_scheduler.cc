#include "server/demo/demo_scheduler.h"

#include <algorithm>
#include <chrono>

namespace gangpack::server {
namespace {

// How often `done` is asked while nothing arrives: what it looks at may change by itself.
constexpr absl::Duration kAskEvery = absl::Milliseconds(10);

}  // namespace

DemoScheduler::DemoScheduler(const std::string& scheduler_name, EmbeddedCluster* cluster,
                             k8s::Clock* clock, std::function<void(const AttemptOutcome&)> observer)
    : cluster_(cluster), clock_(clock), extender_([this](CallId call, const std::string& error) {
        const MutexLock lock(&mutex_);
        inbox_.answers.emplace_back(call, error);
        arrived_.Signal();
      }) {
  cluster_->Change([&](ManifestCluster& paper) {
    const auto observe = [this, observer = std::move(observer)](const AttemptOutcome& outcome) {
      if (outcome.kind == AttemptOutcome::Kind::kAssumed) ++open_binds_;
      observer(outcome);
    };
    model_.emplace(scheduler_name, KubeSchedulerModel::Wiring{&paper, &extender_, clock_, observe});
  });
  cluster_->ListAndWatch([](const std::vector<Fact>&) {},
                         [this](const std::vector<ClusterEvent>& events) {
                           const MutexLock lock(&mutex_);
                           inbox_.events.insert(inbox_.events.end(), events.begin(), events.end());
                           arrived_.Signal();
                         });
}

bool DemoScheduler::Run(absl::FunctionRef<bool()> done, absl::Duration quiet, absl::Time end) {
  absl::Time last_news = clock_->Now();
  for (;;) {
    const Inbox inbox = TakeInbox();
    if (!inbox.empty()) last_news = clock_->Now();
    TakeIn(inbox);
    if (TryOne()) {
      last_news = clock_->Now();
      continue;
    }
    if (done() && !HasNews()) return true;
    const absl::Time now = clock_->Now();
    if (now >= std::min(last_news + quiet, end)) return false;
    AwaitNews(now + kAskEvery);
  }
}

void DemoScheduler::TakeIn(const Inbox& inbox) {
  cluster_->Change([&](ManifestCluster&) {
    for (const ClusterEvent& event : inbox.events) model_->Observe(event);
    for (const auto& [call, error] : inbox.answers) {
      --open_binds_;
      model_->AnswerBind(call, error);
    }
    model_->Flush();
  });
}

bool DemoScheduler::TryOne() {
  bool tried = false;
  cluster_->Change([&](ManifestCluster&) { tried = model_->TryOne(/*no_backoff=*/false); });
  return tried;
}

void DemoScheduler::AwaitNews(absl::Time until) {
  const MutexLock lock(&mutex_);
  arrived_.WaitFor(
      &mutex_, absl::ToChronoMilliseconds(std::max(until - clock_->Now(), absl::ZeroDuration())),
      [this] {
        mutex_.AssertHeld();
        return !inbox_.empty();
      });
}

bool DemoScheduler::HasNews() {
  const MutexLock lock(&mutex_);
  return !inbox_.empty();
}

DemoScheduler::Inbox DemoScheduler::TakeInbox() {
  const MutexLock lock(&mutex_);
  return std::exchange(inbox_, {});
}

}  // namespace gangpack::server
