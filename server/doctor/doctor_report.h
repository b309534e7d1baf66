// Findings as a table for people and as JSON for programs. Pure.
#ifndef GANGPACK_SERVER_DOCTOR_DOCTOR_REPORT_H_
#define GANGPACK_SERVER_DOCTOR_DOCTOR_REPORT_H_

#include <string>
#include <vector>

#include "server/doctor/finding.h"

namespace gangpack::server {

// One line per finding, what to change below, and the numbers as the last line.
std::string FindingsTable(const std::vector<Finding>& findings);

// {"findings": [{"severity": "ok|warning|error", "check": ..., "found": ..., "why": ...,
// "change": ...}], "errors": N, "warnings": N}; why and change are there where something is wrong.
std::string FindingsJson(const std::vector<Finding>& findings);

bool HasErrors(const std::vector<Finding>& findings);

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_DOCTOR_DOCTOR_REPORT_H_
