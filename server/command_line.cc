#include "server/command_line.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "server/demo/demo_command.h"
#include "server/flag_set.h"
#include "server/serve_command.h"
#include "server/simulate/simulate_command.h"

namespace gangpack::server {
namespace {

constexpr char kVersion[] = "gangpack 0.1.0\n";
constexpr int kExitUsage = 2;

constexpr char kHelp[] = R"(Usage: gangpack COMMAND [flags] [arguments]

Places gangs of pods whole, each inside one topology domain, as an extender of kube-scheduler.

  simulate   show what the scheduler would do with a cluster on paper
  serve      serve kube-scheduler's extender protocol
  demo       start a server, play kube-scheduler against it, and show what happens
  version    print the version
  help       this text, or that of a command: gangpack help COMMAND

`gangpack COMMAND --help` explains a command.

Example: gangpack simulate examples/ome-qwen3
)";

struct Command {
  std::string name;
  int (*run)(absl::Span<const std::string> args, std::istream& in, std::ostream& out,
             std::ostream& err);
};

int PrintHelp(absl::Span<const std::string> args, std::istream& in, std::ostream& out,
              std::ostream& err) {
  if (!args.empty() && args[0] != "help" && args[0] != "version") {
    return RunCommandLine({args[0], "--help"}, in, out, err);
  }
  out << kHelp;
  return 0;
}

int PrintVersion(absl::Span<const std::string>, std::istream&, std::ostream& out, std::ostream&) {
  out << kVersion;
  return 0;
}

const std::vector<Command>& Commands() {
  static const auto* const kCommands =
      new std::vector<Command>{{"simulate", &RunSimulate},   {"serve", &RunServe},
                               {"demo", &RunDemo},           {"version", &PrintVersion},
                               {"--version", &PrintVersion}, {"help", &PrintHelp},
                               {"--help", &PrintHelp},       {"-h", &PrintHelp}};
  return *kCommands;
}

}  // namespace

int RunCommandLine(absl::Span<const std::string> args, std::istream& in, std::ostream& out,
                   std::ostream& err) {
  if (args.empty()) {
    err << kHelp;
    return kExitUsage;
  }
  std::vector<std::string> names;
  for (const Command& command : Commands()) {
    if (command.name == args[0]) return command.run(args.subspan(1), in, out, err);
    names.push_back(command.name);
  }
  const std::string nearest = Nearest(args[0], names);
  err << "gangpack: unknown command \"" << args[0] << "\", expected one of those in gangpack help"
      << (nearest.empty() ? "" : absl::StrCat(" (did you mean ", nearest, "?)")) << "\n";
  return kExitUsage;
}

}  // namespace gangpack::server
