#include "server/doctor/doctor_command.h"

#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "core/status_macros.h"
#include "k8s/api_client.h"
#include "k8s/client_config.h"
#include "k8s/clock.h"
#include "k8s/cluster_access.h"
#include "k8s/credentials.h"
#include "k8s/kubeconfig.h"
#include "server/configuration_fields.h"
#include "server/doctor/cluster_check.h"
#include "server/doctor/doctor_report.h"
#include "server/doctor/scheduler_config.h"
#include "server/doctor/scheduler_config_check.h"
#include "server/doctor/scheduler_needs.h"
#include "server/flag_set.h"
#include "server/slow_step.h"

namespace gangpack::server {
namespace {

constexpr int kExitErrorsFound = 1;
constexpr int kExitBadInput = 2;

constexpr char kHelp[] =
    R"(Usage: gangpack doctor [--kubeconfig FILE] [--context NAME] [--scheduler-config FILE|-] [flags]

Checks that everything is as gangpack needs it, and prints what to change. In the cluster: the API
server answers, its version, the CustomResourceDefinition of PodGroups, access rights, PodGroups
that cannot work, and the domains of each topology key in use. In the configuration of
kube-scheduler: extenders, timeouts against those of gangs, plugins, sampling of nodes, client
limits, the Lease. Nothing is changed anywhere.

What is checked:
  --kubeconfig FILE                  this cluster, as the user that the file names: rights are
                                     those of that user, so give the one that gangpack runs as
  --context NAME                     another context than the current one, of --kubeconfig or of
                                     the files that kubectl reads
  --scheduler-config FILE|-          the file of kube-scheduler's --config; alone, no cluster is
                                     asked
With none of these it is the cluster that kubectl asks: KUBECONFIG, else ~/.kube/config, else, in a
pod, that of its service account.

  --config FILE                      gangpack's own configuration, which the rest must go with
  --scheduler-name, --topology-key, --permit-timeout, --listen, --listen-bind and
  --standalone-domain-packing        override it, as in gangpack serve
  -o table|json                      how to print (default table)
  --help                             this text

Example: is the configuration that gangpack prints a right one?
  gangpack scheduler-config | gangpack doctor --scheduler-config -

Exit status: 0 no error was found (warnings may be), 1 errors were found, 2 bad input.
)";

struct Streams {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
};

struct DoctorFlags {
  Configuration configuration;
  std::optional<std::string> kubeconfig;
  std::optional<std::string> context;
  std::optional<std::string> scheduler_config;
  OutputFormat output = OutputFormat::kTable;
  bool help = false;

  bool asks_cluster() const {
    return kubeconfig.has_value() || context.has_value() || !scheduler_config.has_value();
  }
};

void AddNonEmpty(const std::string& name, const std::string& expected,
                 std::optional<std::string>* to, FlagSet* flags) {
  flags->Add(name, [name, expected, to](const std::string& value) {
    if (value.empty()) return BadFlagValue(name, value, expected);
    *to = value;
    return absl::OkStatus();
  });
}

absl::StatusOr<DoctorFlags> ParseDoctorFlags(absl::Span<const std::string> args) {
  DoctorFlags parsed;
  FlagSet flags;
  AddConfigurationFlags(&flags, &parsed.configuration);
  AddNonEmpty("kubeconfig", "a file", &parsed.kubeconfig, &flags);
  AddNonEmpty("context", "the name of a context", &parsed.context, &flags);
  AddNonEmpty("scheduler-config", "a file, or -", &parsed.scheduler_config, &flags);
  flags.AddOutputFormat("o", &parsed.output);
  flags.AddSwitch("help", &parsed.help);
  flags.AddSwitch("h", &parsed.help);
  GP_ASSIGN_OR_RETURN(const std::vector<std::string> more, flags.Parse(args));
  if (parsed.help) return parsed;
  if (!more.empty()) {
    return absl::InvalidArgumentError(absl::StrCat("unexpected argument \"", more[0],
                                                   "\", expected --scheduler-config ", more[0],
                                                   " or --kubeconfig ", more[0]));
  }
  GP_RETURN_IF_ERROR(parsed.configuration.policy.Validate());
  return parsed;
}

absl::StatusOr<SchedulerConfig> ReadSchedulerFile(const std::string& path, std::istream& in) {
  if (path == "-") {
    return ReadSchedulerConfig({path, std::string(std::istreambuf_iterator<char>(in), {})});
  }
  GP_ASSIGN_OR_RETURN(std::string text, k8s::ReadTextFile(path));
  return ReadSchedulerConfig({path, std::move(text)});
}

absl::StatusOr<k8s::ClientConfig> FindCluster(const DoctorFlags& flags) {
  k8s::ConfigSources sources = k8s::EnvironmentSources();
  sources.file = flags.kubeconfig.value_or("");
  sources.context = flags.context.value_or("");
  return k8s::LoadClientConfig(sources, k8s::ReadTextFile);
}

absl::StatusOr<ClusterReport> AskCluster(const DoctorFlags& flags, std::ostream& err) {
  GP_ASSIGN_OR_RETURN(const k8s::ClientConfig config, FindCluster(flags));
  k8s::SystemClock clock;
  GP_ASSIGN_OR_RETURN(const k8s::ClusterAccess access, k8s::OpenClusterAccess(config, &clock));
  k8s::ApiClient client(access.transport.get());
  return CheckCluster({&client, config.server.ToString()}, flags.configuration.policy,
                      VoiceOf("doctor", err));
}

absl::StatusOr<std::vector<Finding>> Examine(const DoctorFlags& flags, const Streams& streams) {
  // Read first, so that a file with a fault is not answered by a minute of listing.
  std::optional<SchedulerConfig> scheduler;
  if (flags.scheduler_config.has_value()) {
    GP_ASSIGN_OR_RETURN(scheduler, ReadSchedulerFile(*flags.scheduler_config, streams.in));
  }
  std::vector<Finding> findings;
  SchedulerNeeds needs;
  needs.configuration = flags.configuration;
  if (flags.asks_cluster()) {
    GP_ASSIGN_OR_RETURN(ClusterReport report, AskCluster(flags, streams.err));
    findings = std::move(report.findings);
    needs.nodes = report.nodes;
    needs.group_timeout = report.longest_timeout;
    needs.group = report.longest;
  } else {
    streams.err << "note: no cluster is checked, expected --kubeconfig or --context for that\n";
  }
  if (scheduler.has_value()) {
    std::vector<Finding> more = CheckSchedulerConfig(*scheduler, needs);
    std::move(more.begin(), more.end(), std::back_inserter(findings));
  } else {
    streams.err << "note: kube-scheduler's configuration is not checked, expected "
                   "--scheduler-config for that\n";
  }
  return findings;
}

}  // namespace

int RunDoctor(absl::Span<const std::string> args, std::istream& in, std::ostream& out,
              std::ostream& err) {
  const absl::StatusOr<DoctorFlags> flags = ParseDoctorFlags(args);
  if (!flags.ok()) {
    err << "gangpack doctor: " << flags.status().message() << " (see gangpack doctor --help)\n";
    return kExitBadInput;
  }
  if (flags->help) {
    out << kHelp;
    return 0;
  }
  const absl::StatusOr<std::vector<Finding>> findings = Examine(*flags, {in, out, err});
  if (!findings.ok()) {
    err << "gangpack doctor: " << findings.status().message() << "\n";
    return kExitBadInput;
  }
  out << (flags->output == OutputFormat::kJson ? FindingsJson(*findings)
                                               : FindingsTable(*findings));
  return HasErrors(*findings) ? kExitErrorsFound : 0;
}

}  // namespace gangpack::server
