#include "server/serve_command.h"

#include <memory>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "core/policy.h"
#include "core/status_macros.h"
#include "k8s/clock.h"
#include "server/app.h"
#include "server/cluster_input.h"
#include "server/configuration_fields.h"
#include "server/decision_log.h"
#include "server/embedded_cluster.h"
#include "server/flag_set.h"
#include "server/stop_signal.h"
#include "server/version.h"

namespace gangpack::server {
namespace {

constexpr int kExitCannotServe = 1;
constexpr int kExitBadInput = 2;

constexpr char kHelp[] = R"(Usage: gangpack serve --cluster FILE|DIR|- ... [flags]

Serves kube-scheduler's extender protocol on this machine: filter and prioritize on one port, bind,
whose calls are held open until the gang is complete, on another. The cluster is read from YAML or
JSON such as kubectl prints; after that bind calls alone change it.
The current state is on the first port: GET /v1/pods, /v1/gangs, /v1/domains, /v1/reservations,
/healthz, /readyz, and /metrics for Prometheus. The log, one line per decision, is on standard error.

  --cluster FILE|DIR|-               what the cluster is read from; may be repeated
  --listen ADDRESS:PORT              of filter and prioritize (default 127.0.0.1:0, any free port)
  --listen-bind ADDRESS:PORT         of bind (default 127.0.0.1:0)
  --config FILE                      configuration (YAML, as gangpack config prints it); flags
                                     override it
  --topology-key KEY                 topology key of gangs that name none (default none)
  --scheduler-name NAME              pods that name another scheduler are left alone
                                     (default ome-scheduler)
  --permit-timeout DURATION          how long a member waits for its gang where the PodGroup does
                                     not say (default 600s)
  --standalone-domain-packing=BOOL   fill domains that are in use first (default true; acts with
                                     --topology-key only)
  -v NUMBER                          log more: 1 each bind, 2 each filter too (default 0:
                                     decisions alone)
  --help                             this text

Prints `listening filter URL` and `listening bind URL` when it serves. Stops on SIGTERM and SIGINT:
held binds are answered with an error, so that kube-scheduler tries them again.

Example: which gangs does it see?
  gangpack serve --cluster examples/ome-qwen3 --listen 127.0.0.1:8888 &
  curl -s --retry 5 --retry-connrefused http://127.0.0.1:8888/v1/gangs; kill $!

Exit status: 0 it was stopped, 1 it could not serve, 2 bad input.
)";

struct ServeFlags {
  Configuration configuration;
  std::vector<std::string> cluster;
  int verbosity = 0;
  bool help = false;
};

absl::StatusOr<ServeFlags> ParseServeFlags(absl::Span<const std::string> args) {
  ServeFlags parsed;
  FlagSet flags;
  AddConfigurationFlags(&flags, &parsed.configuration);
  flags.Add("cluster", [&parsed](const std::string& value) {
    parsed.cluster.push_back(value);
    return absl::OkStatus();
  });
  flags.Add("v", [&parsed](const std::string& value) {
    if (absl::SimpleAtoi(value, &parsed.verbosity) && parsed.verbosity >= 0) {
      return absl::OkStatus();
    }
    return BadFlagValue("v", value, "a number such as 1");
  });
  flags.AddSwitch("help", &parsed.help);
  flags.AddSwitch("h", &parsed.help);
  GP_ASSIGN_OR_RETURN(const std::vector<std::string> more, flags.Parse(args));
  if (parsed.help) return parsed;
  if (parsed.cluster.empty()) {
    return absl::InvalidArgumentError(
        "--cluster: is missing, expected a file, a folder or - with the cluster's manifests");
  }
  parsed.cluster.insert(parsed.cluster.end(), more.begin(), more.end());
  GP_RETURN_IF_ERROR(parsed.configuration.policy.Validate());
  return parsed;
}

// The configuration, as far as it decides what is placed where.
void LogStart(const Policy& policy, DecisionLog* log) {
  log->Event("start",
             {{"version", kVersion},
              {"scheduler_name", policy.scheduler_name},
              {"topology_key", policy.default_topology_key},
              {"permit_timeout", absl::FormatDuration(policy.permit_timeout)},
              {"standalone_domain_packing", policy.standalone_domain_packing ? "true" : "false"}});
}

int Serve(const ServeFlags& flags, std::istream& in, std::ostream& out, std::ostream& err) {
  const Policy& policy = flags.configuration.policy;
  k8s::SystemClock clock;
  auto cluster = std::make_unique<EmbeddedCluster>(policy.scheduler_name, &clock);
  ClusterInput input;
  cluster->Change([&](ManifestCluster& paper) { input = LoadCluster(flags.cluster, in, paper); });
  for (const std::string& fault : input.faults) err << fault << "\n";
  if (!input.faults.empty()) return kExitBadInput;
  for (const std::string& note : input.notes) err << "note: " << note << "\n";
  DecisionLog log(&WriteToGlog, flags.verbosity, &clock);
  const AppOptions options{
      .policy = policy, .http = flags.configuration.http, .on_transition = {}, .log = &log};
  LogStart(policy, &log);
  StopSignal stop;  // after the reading, which a signal may cut short, and before any thread
  const absl::StatusOr<std::unique_ptr<App>> app = App::Start(options, std::move(cluster), &clock);
  if (!app.ok()) {
    err << "gangpack serve: cannot serve: " << app.status().message() << "\n";
    return kExitCannotServe;
  }
  out << "listening filter " << (*app)->filter_url() << "\n"
      << "listening bind " << (*app)->bind_url() << "\n"
      << std::flush;
  if (!out) return kExitCannotServe;  // without its addresses nobody finds it
  log.Event("serving", {{"filter", (*app)->filter_url()}, {"bind", (*app)->bind_url()}});
  const std::string signal = stop.Wait();
  log.Event("stopping", {{"signal", signal}});
  (*app)->Stop();
  log.Event("stopped", {});
  return 0;
}

}  // namespace

int RunServe(absl::Span<const std::string> args, std::istream& in, std::ostream& out,
             std::ostream& err) {
  const absl::StatusOr<ServeFlags> flags = ParseServeFlags(args);
  if (!flags.ok()) {
    err << "gangpack serve: " << flags.status().message() << " (see gangpack serve --help)\n";
    return kExitBadInput;
  }
  if (flags->help) {
    out << kHelp;
    return 0;
  }
  return Serve(*flags, in, out, err);
}

}  // namespace gangpack::server
