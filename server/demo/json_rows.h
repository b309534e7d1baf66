// A list of flat JSON objects, as the query API gives them, as rows of cells.
#ifndef GANGPACK_SERVER_DEMO_JSON_ROWS_H_
#define GANGPACK_SERVER_DEMO_JSON_ROWS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "server/text_table.h"

namespace gangpack::server {

struct JsonRowsSpec {
  std::string list;                  // the member of the answer: "pods"
  std::vector<std::string> members;  // of an item, a cell each
};

// A member that an item does not have is an empty cell. INVALID_ARGUMENT if `json` is not such a
// list.
absl::StatusOr<std::vector<TextRow>> JsonRows(const std::string& json, const JsonRowsSpec& spec);

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_DEMO_JSON_ROWS_H_
