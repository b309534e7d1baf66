// A program that is run as a user runs it, with its output read while it runs.
//
// Everything waits with a deadline far above any healthy run; a missed one is a failed test and
// never a hanging one. The process is killed with the object.
#ifndef GANGPACK_TESTS_UNIT_SERVER_CHILD_PROCESS_H_
#define GANGPACK_TESTS_UNIT_SERVER_CHILD_PROCESS_H_

#include <sys/types.h>

#include <string>
#include <vector>

namespace gangpack::server {

class ChildProcess {
 public:
  // args[0] is the program's path.
  explicit ChildProcess(const std::vector<std::string>& args);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  void WriteInput(const std::string& text);
  void CloseInput();
  // The next line of its standard output, without the line feed; empty at its end.
  std::string ReadLine();
  // All the rest of its standard output.
  std::string ReadRest();
  void Signal(int signal);
  // Its exit status; -1 if a signal ended it, or the deadline came.
  int Wait();

 private:
  bool Fill();

  pid_t pid_ = -1;
  int in_ = -1;
  int out_ = -1;
  std::string read_;
};

// The path of //server:gangpack among the files of a test.
std::string GangpackProgram();

}  // namespace gangpack::server

#endif  // GANGPACK_TESTS_UNIT_SERVER_CHILD_PROCESS_H_
