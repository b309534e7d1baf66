#include "k8s/subprocess.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

extern char** environ;

namespace gangpack::k8s {
namespace {

class Pipe {
 public:
  Pipe() {
    if (pipe2(ends_, O_CLOEXEC) != 0) ends_[0] = ends_[1] = -1;
  }
  ~Pipe() {
    if (ends_[0] >= 0) close(ends_[0]);
    CloseWriteEnd();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  bool ok() const { return ends_[0] >= 0; }
  int read_end() const { return ends_[0]; }
  int write_end() const { return ends_[1]; }
  void CloseWriteEnd() {
    if (ends_[1] >= 0) close(ends_[1]);
    ends_[1] = -1;
  }

 private:
  int ends_[2];
};

std::vector<std::string> EnvironmentOf(const Command& command) {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const char* equals = std::strchr(*variable, '=');
    const std::string name(*variable, equals == nullptr ? std::strlen(*variable)
                                                        : static_cast<size_t>(equals - *variable));
    const bool replaced =
        std::any_of(command.environment.begin(), command.environment.end(),
                    [&name](const auto& addition) { return addition.first == name; });
    if (!replaced) variables.emplace_back(*variable);
  }
  for (const auto& [name, value] : command.environment) {
    variables.push_back(absl::StrCat(name, "=", value));
  }
  return variables;
}

std::vector<char*> Pointers(std::vector<std::string>* texts) {
  std::vector<char*> pointers;
  for (std::string& text : *texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

absl::StatusOr<pid_t> Spawn(const Command& command, const Pipe& output, const Pipe& errors) {
  std::vector<std::string> arguments = command.arguments;
  arguments.insert(arguments.begin(), command.program);
  std::vector<std::string> environment = EnvironmentOf(command);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output.write_end(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, errors.write_end(), STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  // Signals that we ignore or block are our own affair.
  sigset_t defaults;
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  pid_t pid = 0;
  const int error = posix_spawnp(&pid, command.program.c_str(), &actions, &attributes,
                                 Pointers(&arguments).data(), Pointers(&environment).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (error == 0) return pid;
  const std::string message = absl::StrCat(command.program, ": ", std::strerror(error));
  return error == ENOENT ? absl::NotFoundError(message) : absl::UnavailableError(message);
}

// Reads both pipes to their ends.
absl::Status Gather(const Command& command, const Pipe& output, const Pipe& errors,
                    CommandResult* result) {
  const auto end = std::chrono::steady_clock::now() + absl::ToChronoMilliseconds(command.limit);
  pollfd polled[2] = {{output.read_end(), POLLIN, 0}, {errors.read_end(), POLLIN, 0}};
  std::string* const texts[2] = {&result->output, &result->errors};
  while (polled[0].fd >= 0 || polled[1].fd >= 0) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    if (left.count() <= 0) {
      return absl::DeadlineExceededError(
          absl::StrCat(command.program, ": no end after ", absl::FormatDuration(command.limit)));
    }
    const int ready = poll(polled, 2, static_cast<int>(std::min<int64_t>(left.count(), 3'600'000)));
    if (ready < 0 && errno != EINTR) return absl::UnavailableError(std::strerror(errno));
    for (int i = 0; ready > 0 && i < 2; ++i) {
      if (polled[i].fd < 0 || polled[i].revents == 0) continue;
      char bytes[4096];
      const ssize_t count = read(polled[i].fd, bytes, sizeof(bytes));
      if (count > 0) texts[i]->append(bytes, static_cast<size_t>(count));
      if (count == 0 || (count < 0 && errno != EINTR)) polled[i].fd = -1;
      if (texts[i]->size() > command.output_bytes_max) {
        return absl::ResourceExhaustedError(absl::StrCat(
            command.program, ": more than ", command.output_bytes_max, " bytes of output"));
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<CommandResult> RunCommand(const Command& command) {
  Pipe output;
  Pipe errors;
  if (!output.ok() || !errors.ok()) return absl::UnavailableError(std::strerror(errno));
  const absl::StatusOr<pid_t> pid = Spawn(command, output, errors);
  if (!pid.ok()) return pid.status();
  output.CloseWriteEnd();
  errors.CloseWriteEnd();
  CommandResult result;
  const absl::Status status = Gather(command, output, errors, &result);
  if (!status.ok()) kill(*pid, SIGKILL);
  int ended = 0;
  while (waitpid(*pid, &ended, 0) < 0 && errno == EINTR) {
  }
  if (!status.ok()) return status;
  result.exit_status = WIFEXITED(ended) ? WEXITSTATUS(ended) : 128 + WTERMSIG(ended);
  return result;
}

}  // namespace gangpack::k8s
