// Looks findings up in tests.
#ifndef GANGPACK_TESTS_UNIT_SERVER_DOCTOR_FINDING_LIST_H_
#define GANGPACK_TESTS_UNIT_SERVER_DOCTOR_FINDING_LIST_H_

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "server/doctor/finding.h"

namespace gangpack::server {

inline std::vector<Finding> Of(const std::vector<Finding>& findings, const std::string& check) {
  std::vector<Finding> some;
  for (const Finding& finding : findings) {
    if (finding.check == check) some.push_back(finding);
  }
  return some;
}

// What is not ok, as "error CHECK: FOUND" and "warning CHECK: FOUND", in order.
inline std::vector<std::string> Wrong(const std::vector<Finding>& findings) {
  std::vector<std::string> lines;
  for (const Finding& finding : findings) {
    if (finding.severity == Severity::kOk) continue;
    const char* severity = finding.severity == Severity::kError ? "error " : "warning ";
    lines.push_back(absl::StrCat(severity, finding.check, ": ", finding.found));
  }
  return lines;
}

}  // namespace gangpack::server

#endif  // GANGPACK_TESTS_UNIT_SERVER_DOCTOR_FINDING_LIST_H_
