#include "server/demo/demo_table.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/status_macros.h"
#include "server/demo/json_rows.h"
#include "server/demo/wrapped_text.h"
#include "server/text_table.h"

namespace gangpack::server {
namespace {

// As many pods of one gang in one state have a row each.
constexpr size_t kRowsMax = 4;
constexpr size_t kWidth = 118;
constexpr size_t kIndent = 4;

enum PodCell { kPodNamespace, kPod, kGang, kPodState, kNode, kPodMessage };

// "a", or "a to c, 3 pods" of several.
std::string Range(const std::set<std::string>& names, const std::string& what) {
  if (names.size() == 1) return *names.begin();
  return absl::StrCat(*names.begin(), " to ", *names.rbegin(), ", ", names.size(), " ", what);
}

std::vector<std::string> Siblings(const TextRow& row) {
  return {row[kPodNamespace], row[kGang], row[kPodState]};
}

TextRow FoldedRow(const std::vector<TextRow>& rows) {
  std::set<std::string> nodes;
  for (const TextRow& row : rows) nodes.insert(row[kNode]);
  // The pods are in the order of their names, but 10 comes before 2 there.
  return {rows.front()[kPodNamespace],
          absl::StrCat(rows.front()[kPod], " and ", rows.size() - 1, " more"), rows.front()[kGang],
          rows.front()[kPodState], nodes == std::set<std::string>{""} ? "" : Range(nodes, "nodes")};
}

// Where the reason is told, what waits for it, and the reason, in lines below a table.
std::string Reason(const std::string& who, const std::string& message) {
  if (message.empty()) return "";
  return absl::StrCat("\n", who, ":\n", std::string(kIndent, ' '),
                      WrapText(message, kWidth, kIndent), "\n");
}

}  // namespace

absl::StatusOr<std::string> PodTable(const std::string& pods_json) {
  GP_ASSIGN_OR_RETURN(
      const std::vector<TextRow> pods,
      JsonRows(pods_json, {"pods", {"namespace", "name", "gang", "state", "node", "message"}}));
  std::vector<std::vector<TextRow>> groups;
  std::string reasons;
  for (const TextRow& pod : pods) {
    const auto group = std::find_if(groups.begin(), groups.end(), [&pod](const auto& rows) {
      return Siblings(rows.front()) == Siblings(pod);
    });
    if (group == groups.end()) {
      groups.push_back({pod});
    } else {
      group->push_back(pod);
    }
    if (pod[kGang].empty()) {
      reasons += Reason(absl::StrCat("pod ", pod[kPodNamespace], "/", pod[kPod]), pod[kPodMessage]);
    }
  }
  std::vector<TextRow> table;
  for (const std::vector<TextRow>& rows : groups) {
    if (rows.size() > kRowsMax) {
      table.push_back(FoldedRow(rows));
      continue;
    }
    for (const TextRow& row : rows) {
      table.push_back(TextRow(row.begin(), row.begin() + kPodMessage));
    }
  }
  return TextTable({"NAMESPACE", "POD", "GANG", "STATE", "NODE"}, table) + reasons;
}

absl::StatusOr<std::string> GangTable(const std::string& gangs_json) {
  GP_ASSIGN_OR_RETURN(
      std::vector<TextRow> gangs,
      JsonRows(
          gangs_json,
          {"gangs", {"namespace", "name", "state", "domain", "minMember", "placed", "message"}}));
  std::string reasons;
  for (TextRow& gang : gangs) {
    reasons += Reason(absl::StrCat("gang ", gang[0], "/", gang[1]), gang.back());
    gang.pop_back();
  }
  return TextTable({"NAMESPACE", "GANG", "STATE", "DOMAIN", "MIN-MEMBER", "PLACED"}, gangs) +
         reasons;
}

}  // namespace gangpack::server
