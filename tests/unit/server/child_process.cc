#include "tests/unit/server/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <utility>

extern char** environ;

namespace gangpack::server {
namespace {

constexpr int kDeadlineMs = 60'000;

}  // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& args) {
  int in[2];
  int out[2];
  if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0) return;
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, in[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, out[1], STDOUT_FILENO);
  std::vector<char*> argv;
  for (const std::string& arg : args) argv.push_back(const_cast<char*>(arg.c_str()));
  argv.push_back(nullptr);
  if (posix_spawn(&pid_, argv[0], &files, nullptr, argv.data(), environ) != 0) pid_ = -1;
  posix_spawn_file_actions_destroy(&files);
  close(in[0]);
  close(out[1]);
  in_ = in[1];
  out_ = out[0];
}

ChildProcess::~ChildProcess() {
  CloseInput();
  if (out_ >= 0) close(out_);
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
}

void ChildProcess::WriteInput(const std::string& text) {
  for (size_t sent = 0; sent < text.size();) {
    const ssize_t count = write(in_, text.data() + sent, text.size() - sent);
    if (count <= 0) return;
    sent += static_cast<size_t>(count);
  }
}

void ChildProcess::CloseInput() {
  if (in_ >= 0) close(std::exchange(in_, -1));
}

bool ChildProcess::Fill() {
  pollfd readable = {out_, POLLIN, 0};
  if (poll(&readable, 1, kDeadlineMs) <= 0) return false;
  char bytes[4096];
  const ssize_t count = read(out_, bytes, sizeof(bytes));
  if (count <= 0) return false;
  read_.append(bytes, static_cast<size_t>(count));
  return true;
}

std::string ChildProcess::ReadLine() {
  while (read_.find('\n') == std::string::npos) {
    if (!Fill()) return std::exchange(read_, "");
  }
  const size_t end = read_.find('\n');
  std::string line = read_.substr(0, end);
  read_.erase(0, end + 1);
  return line;
}

std::string ChildProcess::ReadRest() {
  while (Fill()) {
  }
  return std::exchange(read_, "");
}

void ChildProcess::Signal(int signal) {
  if (pid_ > 0) kill(pid_, signal);
}

int ChildProcess::Wait() {
  if (pid_ <= 0) return -1;
  const int process = static_cast<int>(syscall(SYS_pidfd_open, pid_, 0));
  pollfd ended = {process, POLLIN, 0};
  const bool in_time = poll(&ended, 1, kDeadlineMs) == 1;
  close(process);
  if (!in_time) return -1;
  int status = 0;
  waitpid(std::exchange(pid_, -1), &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::string GangpackProgram() { return "server/gangpack"; }

}  // namespace gangpack::server
