#include "server/demo/json_rows.h"

#include <cstddef>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "core/status_macros.h"
#include "server/json_slice.h"

namespace gangpack::server {
namespace {

std::string CellOf(JsonSlice value) {
  JsonStrings strings;
  if (value.kind() == JsonKind::kString) return std::string(value.String(strings));
  return std::string(value.text());
}

absl::StatusOr<TextRow> RowOf(JsonSlice item, const JsonRowsSpec& spec) {
  if (item.kind() != JsonKind::kObject) return absl::InvalidArgumentError("expected an object");
  TextRow row(spec.members.size());
  GP_RETURN_IF_ERROR(item.ForEachMember([&](JsonSlice key, JsonSlice value) {
    for (size_t i = 0; i < spec.members.size(); ++i) {
      if (CellOf(key) == spec.members[i]) row[i] = CellOf(value);
    }
    return absl::OkStatus();
  }));
  return row;
}

}  // namespace

absl::StatusOr<std::vector<TextRow>> JsonRows(const std::string& json, const JsonRowsSpec& spec) {
  GP_ASSIGN_OR_RETURN(const JsonSlice answer, JsonSlice::Parse(json));
  JsonSlice list;
  if (answer.kind() == JsonKind::kObject) {
    GP_RETURN_IF_ERROR(answer.ForEachMember([&](JsonSlice key, JsonSlice value) {
      if (CellOf(key) == spec.list) list = value;
      return absl::OkStatus();
    }));
  }
  if (list.kind() != JsonKind::kArray) {
    return absl::InvalidArgumentError(absl::StrCat("expected a list \"", spec.list, "\""));
  }
  std::vector<TextRow> rows;
  GP_RETURN_IF_ERROR(list.ForEachElement([&](JsonSlice item) -> absl::Status {
    GP_ASSIGN_OR_RETURN(TextRow row, RowOf(item, spec));
    rows.push_back(std::move(row));
    return absl::OkStatus();
  }));
  return rows;
}

}  // namespace gangpack::server
