// How fast `gangpack serve --cluster FILE` reads a large cluster, and the memory that costs.
//
// Run: bazel run //tests/bench:load_bench -- [--nodes N] [--pods N] [--program FILE]
// Makes its input in $TMPDIR (2 GB), once as the API server sends it and once as kubectl prints it,
// and starts the program on each; nothing here asserts a time.
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "tests/bench/cluster_text.h"

namespace gangpack::bench {
namespace {

constexpr double kMebibyte = 1 << 20;

struct Options {
  ClusterShape shape;
  std::string program = "server/gangpack";
};

struct Figures {
  absl::Duration ready;
  double user_seconds = 0;
  double system_seconds = 0;
  double peak_mib = 0;
  double resident_mib = 0;
};

std::string TextOf(const std::string& path) {
  std::ifstream file(path);
  return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

// The number of kB behind a name in /proc/PID/status, in MiB.
double MebibytesOf(const std::string& status, absl::string_view name) {
  for (const absl::string_view line : absl::StrSplit(status, '\n')) {
    if (!absl::StartsWith(line, name)) continue;
    const std::vector<absl::string_view> words = absl::StrSplit(line, ' ', absl::SkipEmpty());
    double kilobytes = 0;
    if (words.size() >= 2 && absl::SimpleAtod(words[words.size() - 2], &kilobytes)) {
      return kilobytes * 1024 / kMebibyte;
    }
  }
  return 0;
}

// User and system time are the 14th and 15th word of /proc/PID/stat.
void ReadProcess(pid_t pid, Figures* figures) {
  const std::string folder = absl::StrCat("/proc/", pid);
  const std::string status = TextOf(folder + "/status");
  figures->peak_mib = MebibytesOf(status, "VmHWM:");
  figures->resident_mib = MebibytesOf(status, "VmRSS:");
  const std::vector<std::string> words = absl::StrSplit(TextOf(folder + "/stat"), ' ');
  double user = 0;
  double system = 0;
  if (words.size() > 14 && absl::SimpleAtod(words[13], &user) &&
      absl::SimpleAtod(words[14], &system)) {
    const double per_second = static_cast<double>(sysconf(_SC_CLK_TCK));
    figures->user_seconds = user / per_second;
    figures->system_seconds = system / per_second;
  }
}

[[noreturn]] void Die(const std::string& what) {
  std::fprintf(stderr, "load_bench: %s\n", what.c_str());
  std::exit(1);
}

// The program says on which port it listens once the cluster is in the engine.
Figures Load(const std::string& program, const std::string& file) {
  int output[2];
  if (pipe(output) != 0) Die("no pipe");
  const absl::Time begin = absl::Now();
  const pid_t pid = fork();
  if (pid < 0) Die("cannot fork");
  if (pid == 0) {
    dup2(output[1], STDOUT_FILENO);
    if (std::freopen("/dev/null", "w", stderr) == nullptr) _exit(126);
    execl(program.c_str(), program.c_str(), "serve", "--cluster", file.c_str(), nullptr);
    _exit(127);
  }
  close(output[1]);
  char first = 0;
  if (read(output[0], &first, 1) != 1) Die(absl::StrCat(program, " did not come to serve"));
  Figures figures;
  figures.ready = absl::Now() - begin;
  ReadProcess(pid, &figures);
  kill(pid, SIGTERM);
  waitpid(pid, nullptr, 0);
  close(output[0]);
  return figures;
}

Options ParseOptions(int argc, char** argv) {
  Options options;
  for (int i = 1; i + 1 < argc; i += 2) {
    const absl::string_view flag = argv[i];
    const bool known = (flag == "--nodes" && absl::SimpleAtoi(argv[i + 1], &options.shape.nodes)) ||
                       (flag == "--pods" && absl::SimpleAtoi(argv[i + 1], &options.shape.pods)) ||
                       (flag == "--program" && !(options.program = argv[i + 1]).empty());
    if (!known) Die(absl::StrCat("bad flag ", argv[i]));
  }
  if (options.shape.nodes < 1 || options.shape.pods < 0) Die("expected nodes");
  return options;
}

void Run(Options options) {
  const char* const folder = std::getenv("TMPDIR");
  std::string path = absl::StrCat(folder == nullptr ? "/tmp" : folder, "/load_bench.XXXXXX");
  const int descriptor = mkstemp(path.data());
  if (descriptor < 0) Die(absl::StrCat("cannot write ", path));
  close(descriptor);
  std::printf("%d nodes, %d pods\n%-28s %7s %8s %8s %8s %8s %9s %12s\n", options.shape.nodes,
              options.shape.pods, "text", "MB", "ready s", "user s", "system s", "MB/s", "peak MiB",
              "resident MiB");
  for (const bool indented : {false, true}) {
    options.shape.indented = indented;
    long long bytes = 0;
    if (!WriteClusterText(options.shape, path, &bytes)) Die(absl::StrCat("cannot write ", path));
    const Figures figures = Load(options.program, path);
    const double ready = absl::ToDoubleSeconds(figures.ready);
    const double megabytes = static_cast<double>(bytes) / 1e6;
    std::printf("%-28s %7.0f %8.2f %8.2f %8.2f %8.0f %9.0f %12.0f\n",
                indented ? "as kubectl prints it" : "as the API server sends it", megabytes, ready,
                figures.user_seconds, figures.system_seconds, megabytes / ready, figures.peak_mib,
                figures.resident_mib);
    std::fflush(stdout);
  }
  unlink(path.c_str());
}

}  // namespace
}  // namespace gangpack::bench

int main(int argc, char** argv) {
  gangpack::bench::Run(gangpack::bench::ParseOptions(argc, argv));
  return 0;
}
