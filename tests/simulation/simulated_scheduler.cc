#include "tests/simulation/simulated_scheduler.h"

#include <algorithm>
#include <utility>

namespace gangpack {
namespace {

// The engine refused for a reason that only it can see change.
bool OnlyAWakeHelps(const FilterDecision& decision, const Pod& pod) {
  if (GangOf(pod).name.empty()) return false;
  return std::all_of(decision.refusals.begin(), decision.refusals.end(), [](const auto& refusal) {
    switch (refusal.reason.code) {
      case ReasonCode::kNodeNotInDomain:
      case ReasonCode::kNoNodeForMember:
      case ReasonCode::kNodeReserved:
      case ReasonCode::kNodeUnknown:
        return false;
      default:
        return true;
    }
  });
}

}  // namespace

bool SimulatedScheduler::IsMine(const std::string& uid) const {
  const auto pod = cluster_->truth().pods.find(uid);
  return pod != cluster_->truth().pods.end() && IsLive(pod->second) &&
         pod->second.node_name.empty() && pod->second.gates == 0 &&
         pod->second.scheduler_name == "ome-scheduler";
}

void SimulatedScheduler::Enqueue(const std::string& uid) {
  parked_.erase(uid);
  backing_off_.erase(uid);
  active_.try_emplace(uid, ++sequence_);
}

void SimulatedScheduler::Forget(const std::string& uid) {
  active_.erase(uid);
  backing_off_.erase(uid);
  parked_.erase(uid);
}

void SimulatedScheduler::OnPodChanged(const std::string& uid) {
  if (!IsMine(uid)) {
    Forget(uid);
    return;
  }
  const bool in_flight =
      assumed_.contains(uid) || backing_off_.contains(uid) || active_.contains(uid);
  if (!in_flight) Enqueue(uid);
}

void SimulatedScheduler::OnHint() {
  std::vector<std::string> helped;
  for (const auto& [uid, only_wake] : parked_) {
    if (!only_wake) helped.push_back(uid);
  }
  for (const std::string& uid : helped) Enqueue(uid);
}

void SimulatedScheduler::OnWake(const std::string& uid) {
  if (parked_.contains(uid)) Enqueue(uid);
}

void SimulatedScheduler::Flush() {
  const std::map<std::string, bool> parked = parked_;
  for (const auto& [uid, only_wake] : parked) Enqueue(uid);
}

void SimulatedScheduler::OnAnswer(CallId call, const std::string& error, absl::Time now) {
  const auto it = calls_.find(call);
  const std::string uid = it->second.request.uid.value;
  calls_.erase(it);
  assumed_.erase(uid);
  if (error.empty()) return;
  if (IsMine(uid)) backing_off_[uid] = now + absl::Milliseconds(prng_->Between(1000, 3000));
  OnHint();
}

void SimulatedScheduler::GiveUp(CallId call, absl::Time now) { OnAnswer(call, "timeout", now); }

void SimulatedScheduler::Restart() {
  active_.clear();
  backing_off_.clear();
  parked_.clear();
  assumed_.clear();
  calls_.clear();
  for (const auto& [uid, pod] : cluster_->truth().pods) {
    if (IsMine(uid)) Enqueue(uid);
  }
}

std::vector<std::string> SimulatedScheduler::FeasibleNodes(const Pod& pod) const {
  const ObjectSet& truth = cluster_->truth();
  std::map<std::string, std::vector<const Pod*>> others;
  for (const auto& [uid, other] : truth.pods) {
    if (IsFinished(other) || uid == pod.uid.value) continue;
    const auto assumed = assumed_.find(uid);
    if (!other.node_name.empty()) {
      others[other.node_name].push_back(&other);
    } else if (assumed != assumed_.end()) {
      others[assumed->second].push_back(&other);
    } else if (!other.nominated_node_name.empty() && other.scheduler_name != pod.scheduler_name) {
      others[other.nominated_node_name].push_back(&other);
    }
  }
  std::vector<std::string> feasible;
  for (const auto& [name, node] : truth.nodes) {
    if (NodeTakes(node, others[name], pod)) feasible.push_back(name);
  }
  return feasible;
}

SimulatedScheduler::Attempt SimulatedScheduler::ScheduleOne(Engine* engine, absl::Time now) {
  std::vector<std::string> ready;
  for (const auto& [uid, end] : backing_off_) {
    if (end <= now) ready.push_back(uid);
  }
  for (const std::string& uid : ready) Enqueue(uid);
  Attempt attempt;
  const ObjectSet& truth = cluster_->truth();
  for (const auto& [uid, order] : active_) {
    if (attempt.uid.empty()) {
      attempt.uid = uid;
      continue;
    }
    const int32_t priority = truth.pods.at(uid).priority;
    const int32_t best = truth.pods.at(attempt.uid).priority;
    if (priority > best || (priority == best && order < active_.at(attempt.uid))) attempt.uid = uid;
  }
  if (attempt.uid.empty()) return attempt;
  active_.erase(attempt.uid);
  const Pod& pod = truth.pods.at(attempt.uid);
  attempt.offered = FeasibleNodes(pod);
  if (attempt.offered.empty()) {
    parked_[attempt.uid] = false;
    return attempt;
  }
  prng_->Shuffle(&attempt.offered);
  const std::vector<absl::string_view> names(attempt.offered.begin(), attempt.offered.end());
  attempt.decision = engine->Filter({pod.uid, pod.name, names}, now);
  if (attempt.decision.accepted.empty()) {
    parked_[attempt.uid] = OnlyAWakeHelps(attempt.decision, pod);
    return attempt;
  }
  const int last = static_cast<int>(attempt.decision.accepted.size()) - 1;
  const int chosen = attempt.decision.accepted[static_cast<size_t>(prng_->Between(0, last))];
  const std::string node = attempt.offered[static_cast<size_t>(chosen)];
  assumed_[attempt.uid] = node;
  attempt.call = ++last_call_;
  calls_[attempt.call] = {{attempt.call, pod.uid, pod.name, node}, false};
  return attempt;
}

FilterDecision SimulatedScheduler::Probe(const std::string& uid, Engine* engine, absl::Time now) {
  const Pod& pod = cluster_->truth().pods.at(uid);
  const std::vector<std::string> offered = FeasibleNodes(pod);
  if (offered.empty()) return FilterDecision();
  const std::vector<absl::string_view> names(offered.begin(), offered.end());
  return engine->Filter({pod.uid, pod.name, names}, now);
}

std::vector<CallId> SimulatedScheduler::Unsent() const {
  std::vector<CallId> unsent;
  for (const auto& [call, record] : calls_) {
    if (!record.sent) unsent.push_back(call);
  }
  return unsent;
}

bool SimulatedScheduler::HasReady(absl::Time now) const {
  return !active_.empty() || NextBackoff() <= now;
}

absl::Time SimulatedScheduler::NextBackoff() const {
  absl::Time next = absl::InfiniteFuture();
  for (const auto& [uid, end] : backing_off_) next = std::min(next, end);
  return next;
}

}  // namespace gangpack
