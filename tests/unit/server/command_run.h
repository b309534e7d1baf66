// Runs a command of the program in this process and keeps what it says.
#ifndef GANGPACK_TESTS_UNIT_SERVER_COMMAND_RUN_H_
#define GANGPACK_TESTS_UNIT_SERVER_COMMAND_RUN_H_

#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "absl/types/span.h"

namespace gangpack::server {

struct CommandRun {
  int status = 0;
  std::string out;
  std::string err;
};

inline CommandRun RunCommandWith(int (*command)(absl::Span<const std::string>, std::istream&,
                                                std::ostream&, std::ostream&),
                                 const std::vector<std::string>& args,
                                 const std::string& input = "") {
  std::istringstream in(input);
  std::ostringstream out;
  std::ostringstream err;
  const int status = command(args, in, out, err);
  return {status, out.str(), err.str()};
}

}  // namespace gangpack::server

#endif  // GANGPACK_TESTS_UNIT_SERVER_COMMAND_RUN_H_
