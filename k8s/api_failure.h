// What the API server says when it refuses: its `Status` object, or the bare answer around it; and
// the one mapping of that to absl::Status.
//
// Mapping: 400, 422 kInvalidArgument; 401 kUnauthenticated; 403 kPermissionDenied; 404 kNotFound;
// 409 kAlreadyExists where the reason says so, else kAborted; 410 kOutOfRange; 429
// kResourceExhausted; 408, 504 kDeadlineExceeded; no answer, and other 5xx, kUnavailable; the rest
// kUnknown.

#ifndef GANGPACK_K8S_API_FAILURE_H_
#define GANGPACK_K8S_API_FAILURE_H_

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "k8s/document.h"

namespace gangpack::k8s {

struct ApiFailure {
  int code = 0;         // The HTTP status. 0: no answer came.
  std::string reason;   // The server's word for it, such as "Expired"; empty where it has none.
  std::string message;  // One line.
  std::optional<absl::Duration> retry_after;
  // The resourceVersion asked for is one that the server has not reached.
  bool resource_version_too_large = false;
};

// From an object of kind Status. What it lacks stays empty.
ApiFailure DecodeStatusObject(const Value& status);

// From an answer with a status other than 2xx. A body that is no Status counts as the message, cut
// to one short line.
struct RefusedAnswer {
  int code = 0;
  absl::string_view body;
  std::optional<absl::Duration> retry_after;
};
ApiFailure DecodeRefusedAnswer(const RefusedAnswer& answer);

// From what the transport reports when no answer came.
ApiFailure NoAnswer(const absl::Status& status);

// The text is "MESSAGE (HTTP CODE REASON)".
absl::Status ToStatus(const ApiFailure& failure);

// The status with the server's Retry-After, which RetryAfterOf() then finds.
absl::Status WithRetryAfter(absl::Status status, absl::Duration retry_after);
std::optional<absl::Duration> RetryAfterOf(const absl::Status& status);

}  // namespace gangpack::k8s

#endif  // GANGPACK_K8S_API_FAILURE_H_
