#include "k8s/reflector.h"

#include <algorithm>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace gangpack::k8s {

Reflector::Reflector(const ReflectorOptions& options)
    : options_(options), backoff_(options.backoff) {}

ReflectorOutput Reflector::Step(ReflectorInput input, const Moment& moment) {
  moment_ = moment;
  output_ = {};
  std::visit([this](auto& value) { On(std::move(value)); }, input);
  return std::move(output_);
}

void Reflector::On(const WaitEnded&) { Request(); }

void Reflector::On(const StreamOpened&) { Contact(); }

void Reflector::On(ListPage page) {
  Contact();
  Observation observation = {&output_.changes, &output_.reports};
  for (ApiRecord& record : page.records) known_.Observe(std::move(record), &observation);
  continue_token_ = std::move(page.continue_token);
  if (!continue_token_.empty()) {
    Request();
    return;
  }
  known_.EndSweep(&output_.changes);
  resource_version_ = std::move(page.resource_version);
  BecomeSynchronised();
  phase_ = Phase::kWatching;
  RequestWatch();
}

void Reflector::On(WatchEvent event) {
  if (event.kind == WatchEvent::Kind::kError) {
    On(RequestFailed{std::move(event.failure)});
    return;
  }
  Contact();
  ApiRecord& record = event.record;
  if (IsRepetition(record.resource_version)) return;
  watch_showed_something_ = true;
  backoff_.Reset();
  if (!record.resource_version.empty()) resource_version_ = record.resource_version;
  if (event.kind == WatchEvent::Kind::kDeleted) {
    known_.Remove(record.identity, &output_.changes);
  } else if (event.kind != WatchEvent::Kind::kBookmark) {
    Observation observation = {&output_.changes, &output_.reports};
    known_.Observe(std::move(record), &observation);
  }
}

void Reflector::On(const RequestFailed& failed) {
  const ApiFailure& failure = failed.failure;
  if (phase_ == Phase::kWatching) {
    const absl::Duration lasted = moment_.now - watch_since_;
    backoff_.Worked(lasted);
    const bool lists_again = failure.code == 400 || failure.code == 404 || failure.code == 410 ||
                             failure.resource_version_too_large;
    if (lists_again) {
      ListAgain(/*at_once=*/watch_showed_something_ || lasted >= options_.short_watch);
      return;
    }
  } else if (failure.code == 404 && options_.absent_is_empty) {
    BecomeAbsent();
    return;
  } else if (!continue_token_.empty() && (failure.code == 400 || failure.code == 410)) {
    ListAgain(/*at_once=*/false);
    return;
  }
  Trouble(ToStatus(failure));
  RetryAfterFailure(failure.retry_after);
}

void Reflector::On(const StreamEnded& ended) {
  const absl::Duration lasted = moment_.now - watch_since_;
  backoff_.Worked(lasted);
  switch (ended.cause) {
    case StreamEnded::Cause::kComplete:
      if (watch_showed_something_ || lasted >= options_.short_watch) {
        RequestWatch();
      } else {
        RetryAfterFailure(std::nullopt);
      }
      return;
    case StreamEnded::Cause::kBroken:
      Trouble(absl::UnavailableError(ended.message));
      RetryAfterFailure(std::nullopt);
      return;
    case StreamEnded::Cause::kUnreadable:
      Trouble(absl::DataLossError(ended.message));
      ListAgain(/*at_once=*/false);
      return;
  }
}

void Reflector::ListAgain(bool at_once) {
  phase_ = Phase::kListing;
  continue_token_.clear();
  if (at_once) {
    Request();
  } else {
    RetryAfterFailure(std::nullopt);
  }
}

void Reflector::RetryAfterFailure(std::optional<absl::Duration> at_least) {
  const absl::Duration delay =
      std::max(backoff_.Failed(moment_.jitter_permille), at_least.value_or(absl::ZeroDuration()));
  output_.next = WaitRequest{moment_.now + delay};
}

void Reflector::BecomeAbsent() {
  Contact();
  continue_token_.clear();
  absent_ = true;
  known_.Clear(&output_.changes);
  backoff_.Reset();
  if (!synchronised_) output_.synchronised = true;
  synchronised_ = true;
  output_.next = WaitRequest{moment_.now + options_.absent_retry +
                             options_.absent_retry * moment_.jitter_permille / 1000};
}

void Reflector::BecomeSynchronised() {
  absent_ = false;
  if (!synchronised_) output_.synchronised = true;
  synchronised_ = true;
}

void Reflector::Request() {
  if (phase_ == Phase::kWatching) {
    RequestWatch();
    return;
  }
  if (continue_token_.empty()) {
    known_.BeginSweep();
    ++lists_begun_;
  }
  output_.next = ListRequest{options_.page_limit, continue_token_};
}

void Reflector::RequestWatch() {
  watch_since_ = moment_.now;
  watch_showed_something_ = false;
  output_.next =
      WatchRequest{resource_version_, options_.watch_timeout +
                                          options_.watch_timeout * moment_.jitter_permille / 1000};
}

void Reflector::Trouble(absl::Status status) {
  // A server that is away says the same at every try.
  if (status != trouble_) {
    output_.reports.push_back(absl::StrCat(phase_ == Phase::kListing ? "list of " : "watch of ",
                                           ResourceName(options_.type), ": ",
                                           std::string(status.message())));
  }
  trouble_ = std::move(status);
}

void Reflector::Contact() {
  last_contact_ = moment_.now;
  trouble_ = absl::OkStatus();
}

bool Reflector::IsRepetition(const std::string& resource_version) const {
  uint64_t version = 0;
  uint64_t seen = 0;
  return absl::SimpleAtoi(resource_version, &version) &&
         absl::SimpleAtoi(resource_version_, &seen) && version <= seen;
}

}  // namespace gangpack::k8s
