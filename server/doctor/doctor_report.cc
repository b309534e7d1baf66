#include "server/doctor/doctor_report.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "core/explain.h"
#include "server/json_escape.h"
#include "server/text_table.h"

namespace gangpack::server {
namespace {

const char* NameOf(Severity severity) {
  switch (severity) {
    case Severity::kOk:
      return "ok";
    case Severity::kWarning:
      return "warning";
    case Severity::kError:
      return "error";
  }
  return "";
}

std::string MarkOf(Severity severity) {
  return severity == Severity::kError ? "ERROR" : NameOf(severity);
}

int64_t CountOf(const std::vector<Finding>& findings, Severity severity) {
  return std::count_if(findings.begin(), findings.end(),
                       [severity](const Finding& finding) { return finding.severity == severity; });
}

void AppendMember(std::string_view key, std::string_view value, std::string* text) {
  if (text->back() != '{') *text += ", ";
  AppendJsonString(*text, key);
  *text += ": ";
  AppendJsonString(*text, value);
}

}  // namespace

std::string FindingsTable(const std::vector<Finding>& findings) {
  std::vector<TextRow> rows;
  for (const Finding& finding : findings) {
    rows.push_back({MarkOf(finding.severity), finding.check, finding.found});
  }
  std::string text = TextTable({"RESULT", "CHECK", "FOUND"}, rows);
  for (const Severity severity : {Severity::kError, Severity::kWarning}) {
    for (const Finding& finding : findings) {
      if (finding.severity != severity) continue;
      absl::StrAppend(&text, "\n", MarkOf(severity), " ", finding.check, ": ", finding.found,
                      "\n  why: ", finding.why, "\n  to change: ", finding.change, "\n");
    }
  }
  absl::StrAppend(&text, "\n", Counted(CountOf(findings, Severity::kError), "error"), ", ",
                  Counted(CountOf(findings, Severity::kWarning), "warning"), ", ",
                  CountOf(findings, Severity::kOk), " ok\n");
  return text;
}

std::string FindingsJson(const std::vector<Finding>& findings) {
  std::string text = "{\"findings\": [";
  for (const Finding& finding : findings) {
    if (text.back() != '[') text += ",";
    text += "\n  {";
    AppendMember("severity", NameOf(finding.severity), &text);
    AppendMember("check", finding.check, &text);
    AppendMember("found", finding.found, &text);
    if (finding.severity != Severity::kOk) {
      AppendMember("why", finding.why, &text);
      AppendMember("change", finding.change, &text);
    }
    text += "}";
  }
  absl::StrAppend(&text, "], \"errors\": ", CountOf(findings, Severity::kError),
                  ", \"warnings\": ", CountOf(findings, Severity::kWarning), "}\n");
  return text;
}

bool HasErrors(const std::vector<Finding>& findings) {
  return CountOf(findings, Severity::kError) > 0;
}

}  // namespace gangpack::server
