#include "server/status_mapping.h"

#include <string>

#include "absl/status/status.h"

namespace gangpack::server {
namespace {

// 499 is the customary status for a caller that went away. kUnknown, the fallback, comes first.
constexpr StatusMapping kMappings[] = {
    {absl::StatusCode::kUnknown, 500, 2, "UNKNOWN"},
    {absl::StatusCode::kOk, 200, 0, "OK"},
    {absl::StatusCode::kCancelled, 499, 1, "CANCELLED"},
    {absl::StatusCode::kInvalidArgument, 400, 3, "INVALID_ARGUMENT"},
    {absl::StatusCode::kDeadlineExceeded, 504, 4, "DEADLINE_EXCEEDED"},
    {absl::StatusCode::kNotFound, 404, 5, "NOT_FOUND"},
    {absl::StatusCode::kAlreadyExists, 409, 6, "ALREADY_EXISTS"},
    {absl::StatusCode::kPermissionDenied, 403, 7, "PERMISSION_DENIED"},
    {absl::StatusCode::kResourceExhausted, 429, 8, "RESOURCE_EXHAUSTED"},
    {absl::StatusCode::kFailedPrecondition, 400, 9, "FAILED_PRECONDITION"},
    {absl::StatusCode::kAborted, 409, 10, "ABORTED"},
    {absl::StatusCode::kOutOfRange, 400, 11, "OUT_OF_RANGE"},
    {absl::StatusCode::kUnimplemented, 501, 12, "UNIMPLEMENTED"},
    {absl::StatusCode::kInternal, 500, 13, "INTERNAL"},
    {absl::StatusCode::kUnavailable, 503, 14, "UNAVAILABLE"},
    {absl::StatusCode::kDataLoss, 500, 15, "DATA_LOSS"},
    {absl::StatusCode::kUnauthenticated, 401, 16, "UNAUTHENTICATED"},
};

}  // namespace

const StatusMapping& MappingOf(absl::StatusCode code) {
  for (const StatusMapping& mapping : kMappings) {
    if (mapping.code == code) return mapping;
  }
  return kMappings[0];
}

int HttpStatusOf(const absl::Status& status) { return MappingOf(status.code()).http_status; }

std::string ExtenderErrorOf(const absl::Status& status) {
  if (status.ok()) return "";
  if (status.message().empty()) return std::string(MappingOf(status.code()).name);
  return std::string(status.message());
}

}  // namespace gangpack::server
