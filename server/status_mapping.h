// What an absl::Status becomes outside: an HTTP status, a gRPC status code, or the Error text of an
// extender answer. One table, so that the same trouble looks the same whichever way it is asked
// for.
//
// Cost: O(1). Total: a code that absl adds later is treated as kUnknown.
// Not here: "it does not fit", which is an answer and no Status (core/reason.h).
#ifndef GANGPACK_SERVER_STATUS_MAPPING_H_
#define GANGPACK_SERVER_STATUS_MAPPING_H_

#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace gangpack::server {

struct StatusMapping {
  absl::StatusCode code;
  int http_status;
  int grpc_code;          // grpc::StatusCode, which numbers the same meanings the same way.
  std::string_view name;  // As gRPC spells it: "NOT_FOUND".
};

const StatusMapping& MappingOf(absl::StatusCode code);

int HttpStatusOf(const absl::Status& status);

// The text kube-scheduler shows for a failed call: the message alone, since it is put into an event
// as it is; the name of the code where there is no message. Empty if the status is ok, which in the
// extender protocol means success.
std::string ExtenderErrorOf(const absl::Status& status);

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_STATUS_MAPPING_H_
