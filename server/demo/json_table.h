// A list of flat JSON objects, as the query API gives them, as a table for people.
#ifndef GANGPACK_SERVER_DEMO_JSON_TABLE_H_
#define GANGPACK_SERVER_DEMO_JSON_TABLE_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

namespace gangpack::server {

struct JsonTableSpec {
  std::string list;                                          // the member of the answer: "pods"
  std::vector<std::pair<std::string, std::string>> columns;  // member of an item, and its title
};

// A member that an item does not have is an empty cell. INVALID_ARGUMENT if `json` is not such a
// list.
absl::StatusOr<std::string> JsonTable(const std::string& json, const JsonTableSpec& spec);

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_DEMO_JSON_TABLE_H_
