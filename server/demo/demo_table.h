// What the query API says of pods and gangs, as tables for people, with the reasons below.
//
// Errors: INVALID_ARGUMENT if the JSON is not what /v1/pods and /v1/gangs give.
// Determinism: the text is a function of the JSON.
#ifndef GANGPACK_SERVER_DEMO_DEMO_TABLE_H_
#define GANGPACK_SERVER_DEMO_DEMO_TABLE_H_

#include <string>

#include "absl/status/statusor.h"

namespace gangpack::server {

// One row per pod; many pods of one gang in the same state share one. Below it, why each pod of no
// gang waits: those of a gang wait for its reason.
absl::StatusOr<std::string> PodTable(const std::string& pods_json);

// One row per gang, and below it why gangs wait.
absl::StatusOr<std::string> GangTable(const std::string& gangs_json);

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_DEMO_DEMO_TABLE_H_
