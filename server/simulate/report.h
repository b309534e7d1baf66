// Prints what a simulation has come to, as a table for people or as JSON for programs; both say the
// same.
//
// Determinism: the text is a function of the arguments, byte for byte; lists keep their order.
#ifndef GANGPACK_SERVER_SIMULATE_REPORT_H_
#define GANGPACK_SERVER_SIMULATE_REPORT_H_

#include <string>

#include "server/simulate/simulation_result.h"

namespace gangpack::server {

struct ReportOptions {
  bool trace = false;  // print the trace before the rest
};

// Keys and their order are a contract. One pod, gang, domain or trace entry a
// line.
std::string JsonReport(const SimulationResult& result, const ReportOptions& options);

// One table per list, empty cells as "-". Lists without entries are left out.
std::string TableReport(const SimulationResult& result, const ReportOptions& options);

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_SIMULATE_REPORT_H_
