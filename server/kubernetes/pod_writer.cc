#include "server/kubernetes/pod_writer.h"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "k8s/api_failure.h"
#include "k8s/pod_codec.h"

namespace gangpack::server {
namespace {

k8s::ObjectIdentity IdentityOf(const NamespacedName& pod, const PodUid& uid) {
  return {pod.namespace_name, pod.name, uid.value};
}

// The next try may end otherwise.
bool IsPassing(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kUnavailable:
    case absl::StatusCode::kDeadlineExceeded:
    case absl::StatusCode::kResourceExhausted:
      return true;
    default:
      return false;
  }
}

// The pod may be bound, or may be bound by trying again.
bool LeavesOpen(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kAborted:
    case absl::StatusCode::kAlreadyExists:
    case absl::StatusCode::kUnavailable:
    case absl::StatusCode::kDeadlineExceeded:
    case absl::StatusCode::kDataLoss:
    case absl::StatusCode::kUnknown:
      return true;
    default:
      return false;
  }
}

// The pod to be changed is no more: another UID is a conflict, or a change that is not valid.
bool MeansGone(const absl::Status& status) {
  return absl::IsNotFound(status) || absl::IsAborted(status) || absl::IsInvalidArgument(status);
}

absl::Status Stopping() { return absl::CancelledError("the scheduler extender is stopping"); }

}  // namespace

absl::Status PodWriter::Persist(absl::FunctionRef<absl::Status()> attempt) {
  const absl::Time end = clock_->Now() + options_.patience;
  k8s::Backoff backoff(options_.backoff);
  for (int tries = 1;; ++tries) {
    absl::Status status = attempt();
    if (!IsPassing(status)) return status;
    const absl::Duration asked = std::min(k8s::RetryAfterOf(status).value_or(absl::ZeroDuration()),
                                          options_.retry_after_max);
    const absl::Duration delay = std::max(backoff.Failed(1000), asked);
    if (tries >= options_.tries_max || clock_->Now() + delay > end) return status;
    if (!wait_(delay)) return Stopping();
  }
}

absl::Status PodWriter::Bind(const BindPod& bind) {
  return Persist([&] { return TryToBind(bind); });
}

absl::Status PodWriter::TryToBind(const BindPod& bind) {
  const absl::Status status = client_->Bind({IdentityOf(bind.pod, bind.uid), bind.node});
  return LeavesOpen(status) ? LookAtBinding(bind, status) : status;
}

absl::Status PodWriter::LookAtBinding(const BindPod& bind, const absl::Status& refused) {
  const std::string name = bind.pod.ToString();
  const absl::StatusOr<k8s::ApiRecord> record =
      client_->Get(k8s::ResourceType::kPods, IdentityOf(bind.pod, bind.uid));
  if (absl::IsNotFound(record.status())) {
    return absl::AbortedError(absl::StrCat("pod ", name, " was deleted"));
  }
  if (!record.ok()) return record.status();
  const Pod& pod = std::get<k8s::DecodedPod>(*record->object).pod;
  if (!(pod.uid == bind.uid)) {
    return absl::AbortedError(absl::StrCat("pod ", name, " was deleted and created anew"));
  }
  if (pod.node_name == bind.node) return absl::OkStatus();
  if (!pod.node_name.empty()) {
    return absl::AbortedError(
        absl::StrCat("pod ", name, " is bound to node ", pod.node_name, " already"));
  }
  if (pod.terminating) return absl::AbortedError(absl::StrCat("pod ", name, " is being deleted"));
  if (pod.gates > 0) return absl::AbortedError(absl::StrCat("pod ", name, " has scheduling gates"));
  absl::Status open = absl::UnavailableError(refused.message());
  const auto after = k8s::RetryAfterOf(refused);
  return after.has_value() ? k8s::WithRetryAfter(std::move(open), *after) : open;
}

absl::Status PodWriter::Wake(const WakePod& wake) {
  const absl::Status status = Persist([&] {
    const std::string now =
        absl::FormatTime("%Y-%m-%dT%H:%M:%E6SZ", clock_->Now(), absl::UTCTimeZone());
    return client_->PatchPodAnnotation(IdentityOf(wake.pod, wake.uid),
                                       {std::string(kWakeAnnotation), now});
  });
  return MeansGone(status) ? absl::OkStatus() : status;
}

absl::Status PodWriter::Clear(const ClearNomination& clear) {
  const absl::Status status = Persist([&] {
    return client_->PatchNomination({IdentityOf(clear.pod, clear.uid), /*node=*/""});
  });
  return MeansGone(status) ? absl::OkStatus() : status;
}

}  // namespace gangpack::server
