#include "server/command_line.h"

#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "server/config_command.h"
#include "server/demo/demo_command.h"
#include "server/doctor/doctor_command.h"
#include "server/doctor/scheduler_config_command.h"
#include "server/flag_set.h"
#include "server/serve_command.h"
#include "server/simulate/simulate_command.h"
#include "server/slow_step.h"
#include "server/version.h"

namespace gangpack::server {
namespace {

constexpr int kExitUsage = 2;

constexpr char kHelp[] = R"(Usage: gangpack COMMAND [flags] [arguments]

Places gangs of pods whole, each inside one topology domain, as an extender of kube-scheduler.

  simulate          show what the scheduler would do with a cluster on paper
  serve             serve kube-scheduler's extender protocol
  doctor            check a cluster and its kube-scheduler's configuration, say what to change
  config            print the effective configuration
  scheduler-config  print a kube-scheduler configuration that is right for gangpack
  demo              start a server, play kube-scheduler against it, and show what happens
  version           print the version
  help              this text, or that of a command: gangpack help COMMAND

`gangpack COMMAND --help` explains a command.

Example: gangpack simulate examples/ome-qwen3

Exit status: that of the command; 1 if its output could not be written, 2 for an unknown command.
)";

constexpr char kVersionHelp[] = R"(Usage: gangpack version

Prints the version, as one line.

Example: gangpack version

Exit status: 0 it was printed, 2 bad arguments.
)";

struct Command {
  std::string name;
  int (*run)(absl::Span<const std::string> args, std::istream& in, std::ostream& out,
             std::ostream& err);
};

bool AsksForHelp(const std::string& arg) {
  return arg == "--help" || arg == "-help" || arg == "--h" || arg == "-h";
}

// Says that `arg` is one too many.
int RefuseArgument(absl::string_view command, absl::string_view arg, std::ostream& err) {
  err << "gangpack " << command << ": "
      << (absl::StartsWith(arg, "-") ? "unknown flag" : "unexpected argument") << " \"" << arg
      << "\" (see gangpack " << command << " --help)\n";
  return kExitUsage;
}

int PrintHelp(absl::Span<const std::string> args, std::istream& in, std::ostream& out,
              std::ostream& err) {
  const bool of_itself = args.empty() || args[0] == "help" || AsksForHelp(args[0]);
  if (args.size() > 1) return RefuseArgument("help", args[1], err);
  if (!of_itself) return RunCommandLine({args[0], "--help"}, in, out, err);
  out << kHelp;
  return 0;
}

int PrintVersion(absl::Span<const std::string> args, std::istream&, std::ostream& out,
                 std::ostream& err) {
  if (args.size() == 1 && AsksForHelp(args[0])) {
    out << kVersionHelp;
    return 0;
  }
  if (!args.empty()) return RefuseArgument("version", args[0], err);
  out << "gangpack " << kVersion << "\n";
  return 0;
}

int RunSimulateAloud(absl::Span<const std::string> args, std::istream& in, std::ostream& out,
                     std::ostream& err) {
  return RunSimulate(args, in, out, err, VoiceOf("simulate", err));
}

const std::vector<Command>& Commands() {
  static const auto* const kCommands =
      new std::vector<Command>{{"simulate", &RunSimulateAloud},
                               {"serve", &RunServe},
                               {"doctor", &RunDoctor},
                               {"config", &RunConfig},
                               {"scheduler-config", &RunSchedulerConfig},
                               {"demo", &RunDemo},
                               {"version", &PrintVersion},
                               {"--version", &PrintVersion},
                               {"help", &PrintHelp},
                               {"--help", &PrintHelp},
                               {"-h", &PrintHelp}};
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
