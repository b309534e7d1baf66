#include "tests/oracle/oracle_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <utility>

#include "k8s/json_reader.h"

namespace gangpack {
namespace {

[[noreturn]] void Die(const char* what) {
  std::fprintf(stderr, "oracle process: %s\n", what);
  std::exit(2);
}

}  // namespace

OracleProcess::OracleProcess(const std::string& program) {
  signal(SIGPIPE, SIG_IGN);
  int to_child[2];
  int from_child[2];
  if (pipe2(to_child, O_CLOEXEC) != 0 || pipe2(from_child, O_CLOEXEC) != 0) Die("no pipe");
  pid_ = fork();
  if (pid_ < 0) Die("no process");
  if (pid_ == 0) {
    dup2(to_child[0], STDIN_FILENO);
    dup2(from_child[1], STDOUT_FILENO);
    execl(program.c_str(), program.c_str(), static_cast<char*>(nullptr));
    _exit(127);
  }
  // Large enough that a case never waits for the answer before it to be read.
  constexpr int kPipeBytes = 1 << 20;
  fcntl(to_child[1], F_SETPIPE_SZ, kPipeBytes);
  fcntl(from_child[0], F_SETPIPE_SZ, kPipeBytes);
  close(to_child[0]);
  close(from_child[1]);
  input_ = fdopen(to_child[1], "w");
  output_ = fdopen(from_child[0], "r");
}

OracleProcess::~OracleProcess() {
  fclose(input_);
  fclose(output_);
  waitpid(pid_, nullptr, 0);
}

void OracleProcess::Send(const std::string& line) {
  std::fwrite(line.data(), 1, line.size(), input_);
  std::fputc('\n', input_);
  if (std::fflush(input_) != 0) Die("it takes no more cases");
}

k8s::Documents OracleProcess::Receive() {
  char* line = nullptr;
  size_t capacity = 0;
  const ssize_t size = getline(&line, &capacity, output_);
  if (size <= 0) Die("it gave no answer; what it said is above");
  std::string text(line, static_cast<size_t>(size));
  std::free(line);
  auto documents = k8s::ReadJson({"the oracle's answer", std::move(text)});
  if (!documents.ok() || documents->roots().size() != 1) Die("its answer is no JSON");
  return *std::move(documents);
}

}  // namespace gangpack
