// The oracle as a child process: cases go in, its answers come out in the same order.
//
// The caller may have a few cases under way (kUnderWayMax) so that both work at once; more could
// fill both pipes and stop both. A child that fails ends this program, since there is nothing to
// compare with then. Not thread-safe.
#ifndef GANGPACK_TESTS_ORACLE_ORACLE_PROCESS_H_
#define GANGPACK_TESTS_ORACLE_ORACLE_PROCESS_H_

#include <sys/types.h>

#include <cstdio>
#include <string>

#include "k8s/document.h"

namespace gangpack {

class OracleProcess {
 public:
  static constexpr int kUnderWayMax = 2;

  explicit OracleProcess(const std::string& program);
  OracleProcess(const OracleProcess&) = delete;
  OracleProcess& operator=(const OracleProcess&) = delete;
  ~OracleProcess();

  // `line` is a case without the end of line.
  void Send(const std::string& line);
  // The answer to the oldest case without one.
  k8s::Documents Receive();

 private:
  pid_t pid_ = -1;
  std::FILE* input_ = nullptr;
  std::FILE* output_ = nullptr;
};

}  // namespace gangpack

#endif  // GANGPACK_TESTS_ORACLE_ORACLE_PROCESS_H_
