// What one check of `gangpack doctor` found.
#ifndef GANGPACK_SERVER_DOCTOR_FINDING_H_
#define GANGPACK_SERVER_DOCTOR_FINDING_H_

#include <cstdint>
#include <string>
#include <utility>

namespace gangpack::server {

enum class Severity : uint8_t {
  kOk,
  kWarning,  // it works, but worse than it could, or not in every case
  kError,    // gangs are not placed, or not whole
};

struct Finding {
  Severity severity = Severity::kOk;
  std::string check;   // what was looked at, one word: "bind-timeout"
  std::string found;   // one line
  std::string why;     // what comes of it, one line; empty for kOk
  std::string change;  // what to write or do instead, lines; empty for kOk
};

inline Finding Good(std::string check, std::string found) {
  return {Severity::kOk, std::move(check), std::move(found), "", ""};
}

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_DOCTOR_FINDING_H_
