#include "server/config_command.h"

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "core/status_macros.h"
#include "server/configuration_fields.h"
#include "server/configuration_text.h"
#include "server/flag_set.h"

namespace gangpack::server {
namespace {

constexpr int kExitBadInput = 2;

constexpr char kHelp[] = R"(Usage: gangpack config [--config FILE] [flags]

Prints the effective configuration: the file, with the flags over it, and the defaults for the rest.
What it prints is itself a configuration file, with a comment per field: what it is, its unit and its
default. A file that is wrong is answered with FILE:LINE: FIELD.PATH: what was expected.

  --config FILE                      the file to start from (default none: every default)
  --listen ADDRESS:PORT              server.filter.listen
  --listen-bind ADDRESS:PORT         server.bind.listen
  --topology-key KEY                 topologyKey
  --scheduler-name NAME              schedulerName
  --permit-timeout DURATION          defaultPermitTimeoutSeconds, in whole seconds
  --standalone-domain-packing=BOOL   standaloneDomainPacking
  --help                             this text

Example: start from the defaults, and see that the result is taken
  gangpack config --topology-key nvidia.com/gpu.clique > gangpack.yaml
  gangpack config --config gangpack.yaml

Exit status: 0 it was printed, 2 bad input.
)";

// What to print: the help, or the configuration.
absl::StatusOr<std::string> Answer(absl::Span<const std::string> args) {
  Configuration configuration;
  bool help = false;
  FlagSet flags;
  AddConfigurationFlags(&flags, &configuration);
  flags.AddSwitch("help", &help);
  flags.AddSwitch("h", &help);
  GP_ASSIGN_OR_RETURN(const std::vector<std::string> more, flags.Parse(args));
  if (help) return std::string(kHelp);
  if (!more.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("unexpected argument \"", more[0], "\", expected --config ", more[0]));
  }
  return ConfigurationText(configuration);
}

}  // namespace

int RunConfig(absl::Span<const std::string> args, std::istream&, std::ostream& out,
              std::ostream& err) {
  const absl::StatusOr<std::string> answer = Answer(args);
  if (!answer.ok()) {
    err << "gangpack config: " << answer.status().message() << " (see gangpack config --help)\n";
    return kExitBadInput;
  }
  out << *answer;
  return 0;
}

}  // namespace gangpack::server
