#include "k8s/api_failure.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/cord.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "k8s/field.h"
#include "k8s/json_reader.h"

namespace gangpack::k8s {
namespace {

constexpr absl::string_view kRetryAfterPayload = "gangpack.io/retry-after";

constexpr size_t kMaxMessageBytes = 2000;
constexpr int64_t kMaxRetryAfterSeconds = 3600;

// At most so long; control characters would break the one line of a message.
std::string ShortLine(absl::string_view text) {
  std::string line(absl::StripAsciiWhitespace(text).substr(0, kMaxMessageBytes));
  for (char& c : line) {
    if (absl::ascii_iscntrl(static_cast<unsigned char>(c))) c = ' ';
  }
  return line;
}

absl::StatusCode CodeOf(const ApiFailure& failure) {
  switch (failure.code) {
    case 0:
      return absl::StatusCode::kUnavailable;
    case 400:
    case 422:
      return absl::StatusCode::kInvalidArgument;
    case 401:
      return absl::StatusCode::kUnauthenticated;
    case 403:
      return absl::StatusCode::kPermissionDenied;
    case 404:
      return absl::StatusCode::kNotFound;
    case 408:
    case 504:
      return absl::StatusCode::kDeadlineExceeded;
    case 409:
      return failure.reason == "AlreadyExists" ? absl::StatusCode::kAlreadyExists
                                               : absl::StatusCode::kAborted;
    case 410:
      return absl::StatusCode::kOutOfRange;
    case 429:
      return absl::StatusCode::kResourceExhausted;
    default:
      return failure.code >= 500 ? absl::StatusCode::kUnavailable : absl::StatusCode::kUnknown;
  }
}

}  // namespace

ApiFailure DecodeStatusObject(const Value& status) {
  FaultList ignored;
  const Field root(status, &ignored);
  ApiFailure failure;
  failure.code = static_cast<int>(root.Int("code", 0, 999).value_or(0));
  failure.reason = std::string(root.Text("reason"));
  failure.message = ShortLine(root.Text("message"));
  const Field details = root.Object("details");
  if (const auto seconds = details.Int("retryAfterSeconds", 1, kMaxRetryAfterSeconds)) {
    failure.retry_after = absl::Seconds(*seconds);
  }
  const Field causes = details.List("causes");
  for (size_t i = 0; i < causes.item_count(); ++i) {
    const Field cause = causes.ObjectAt(i);
    if (cause.Text("reason") == "ResourceVersionTooLarge") {
      failure.resource_version_too_large = true;
    }
  }
  // An error of a watch may carry its reason alone.
  if (failure.code == 0) failure.code = failure.reason == "Expired" ? 410 : 500;
  return failure;
}

ApiFailure DecodeRefusedAnswer(const RefusedAnswer& answer) {
  ApiFailure failure;
  const absl::string_view body = absl::StripAsciiWhitespace(answer.body);
  bool is_status = false;
  if (absl::StartsWith(body, "{")) {
    const absl::StatusOr<Documents> documents = ReadJson({"answer", std::string(body)});
    if (documents.ok() && !documents->roots().empty()) {
      const Value& root = documents->roots().front();
      const Value* kind = root.Find("kind");
      is_status = kind != nullptr && kind->text() == "Status";
      if (is_status) failure = DecodeStatusObject(root);
    }
  }
  if (!is_status) failure.message = ShortLine(body.substr(0, 200));
  failure.code = answer.code;
  if (answer.retry_after.has_value()) {
    failure.retry_after = std::min(*answer.retry_after, absl::Seconds(kMaxRetryAfterSeconds));
  }
  return failure;
}

ApiFailure NoAnswer(const absl::Status& status) {
  ApiFailure failure;
  failure.message = ShortLine(std::string(status.message()));
  return failure;
}

absl::Status ToStatus(const ApiFailure& failure) {
  if (failure.code == 0) return absl::Status(CodeOf(failure), failure.message);
  return absl::Status(
      CodeOf(failure),
      absl::StrCat(failure.message.empty() ? "the API server refused" : failure.message, " (HTTP ",
                   failure.code, failure.reason.empty() ? "" : " ", failure.reason, ")"));
}

absl::Status WithRetryAfter(absl::Status status, absl::Duration retry_after) {
  status.SetPayload(kRetryAfterPayload, absl::Cord(absl::FormatDuration(retry_after)));
  return status;
}

std::optional<absl::Duration> RetryAfterOf(const absl::Status& status) {
  const auto payload = status.GetPayload(kRetryAfterPayload);
  absl::Duration retry_after;
  if (!payload.has_value() || !absl::ParseDuration(std::string(*payload), &retry_after)) {
    return std::nullopt;
  }
  return retry_after;
}

}  // namespace gangpack::k8s
