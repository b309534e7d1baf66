#include "server/serve_command.h"

#include <unistd.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/policy.h"
#include "core/status_macros.h"
#include "k8s/client_config.h"
#include "k8s/clock.h"
#include "k8s/cluster_access.h"
#include "k8s/credentials.h"
#include "k8s/kubeconfig.h"
#include "server/app.h"
#include "server/cluster.h"
#include "server/cluster_input.h"
#include "server/configuration_fields.h"
#include "server/decision_log.h"
#include "server/embedded_cluster.h"
#include "server/flag_set.h"
#include "server/kubernetes/kubernetes_cluster.h"
#include "server/stop_signal.h"
#include "server/version.h"

namespace gangpack::server {
namespace {

constexpr int kExitCannotServe = 1;
constexpr int kExitBadInput = 2;

constexpr char kHelp[] =
    R"(Usage: gangpack serve --kubeconfig FILE | --in-cluster | --cluster FILE|DIR|- ... [flags]

Serves kube-scheduler's extender protocol on this machine: filter and prioritize on one port, bind,
whose calls are held open until the gang is complete, on another. The cluster is one behind an API
server, which is watched and in which pods are bound; or, to try things out, it is read from YAML or
JSON such as kubectl prints, and after that bind calls alone change it.
The current state is on the first port: GET /v1/pods, /v1/gangs, /v1/domains, /v1/reservations,
/healthz, /readyz, and /metrics for Prometheus. The log, one line per decision, is on standard error.

One of these says which cluster:
  --kubeconfig FILE                  the API server that the file names, as kubectl reads it
  --in-cluster                       that of the pod which this runs in, as its service account
  --cluster FILE|DIR|-               none: manifests; may be repeated

  --context NAME                     with --kubeconfig: another context than its current one
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

Prints `listening filter URL` and `listening bind URL` when it serves. Everything is refused until
the cluster has been seen once; until then /readyz says what is missing. An API server that does not
answer, or refuses, is tried for ever. Stops on SIGTERM and SIGINT: held binds are answered with an
error, so that kube-scheduler tries them again.

With an API server it needs to list and watch nodes, pods, namespaces and podgroups
(scheduling.x-k8s.io; their CustomResourceDefinition may be missing), to create pods/binding, to
patch pods and pods/status, and to create and patch events (events.k8s.io).

Example: which gangs does it see?
  gangpack serve --cluster examples/ome-qwen3 --listen 127.0.0.1:8888 &
  curl -s --retry 5 --retry-connrefused http://127.0.0.1:8888/v1/gangs; kill $!

Exit status: 0 it was stopped, 1 it could not serve, 2 bad input.
)";

struct Streams {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
};

struct ServeFlags {
  Configuration configuration;
  std::vector<std::string> cluster;
  std::optional<std::string> kubeconfig;
  std::string context;
  bool in_cluster = false;
  int verbosity = 0;
  bool help = false;
};

// Exactly one cluster is named, and nothing that goes with another one.
absl::Status CheckCluster(const ServeFlags& flags, const std::vector<std::string>& operands) {
  const int named = (flags.kubeconfig.has_value() ? 1 : 0) + (flags.in_cluster ? 1 : 0) +
                    (flags.cluster.empty() ? 0 : 1);
  if (named == 0) {
    return absl::InvalidArgumentError(
        "no cluster is named, expected one of --kubeconfig, --in-cluster and --cluster");
  }
  if (named > 1) {
    return absl::InvalidArgumentError(
        "more than one cluster is named, expected one of --kubeconfig, --in-cluster and --cluster");
  }
  if (flags.kubeconfig.has_value() && flags.kubeconfig->empty()) {
    return BadFlagValue("kubeconfig", "", "a file");
  }
  if (!flags.context.empty() && !flags.kubeconfig.has_value()) {
    return absl::InvalidArgumentError("--context: goes with --kubeconfig only");
  }
  if (!operands.empty() && flags.cluster.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("unexpected argument \"", operands.front(), "\", expected none"));
  }
  return absl::OkStatus();
}

absl::StatusOr<ServeFlags> ParseServeFlags(absl::Span<const std::string> args) {
  ServeFlags parsed;
  FlagSet flags;
  AddConfigurationFlags(&flags, &parsed.configuration);
  flags.Add("cluster", [&parsed](const std::string& value) {
    parsed.cluster.push_back(value);
    return absl::OkStatus();
  });
  flags.Add("kubeconfig", [&parsed](const std::string& value) {
    parsed.kubeconfig = value;
    return absl::OkStatus();
  });
  flags.AddText("context", &parsed.context);
  flags.AddSwitch("in-cluster", &parsed.in_cluster);
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
  GP_RETURN_IF_ERROR(CheckCluster(parsed, more));
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

// The API server that the flags name. One line says what is wrong with what they name.
absl::StatusOr<k8s::ClusterAccess> OpenAccess(const ServeFlags& flags, k8s::Clock* clock) {
  k8s::ConfigSources sources;
  if (flags.in_cluster) {
    const k8s::ConfigSources environment = k8s::EnvironmentSources();
    sources.service_host = environment.service_host;
    sources.service_port = environment.service_port;
    if (sources.service_host.empty()) {
      return absl::FailedPreconditionError(
          "--in-cluster: KUBERNETES_SERVICE_HOST is not set, expected to run in a pod");
    }
  } else {
    sources.file = *flags.kubeconfig;
    sources.context = flags.context;
  }
  GP_ASSIGN_OR_RETURN(const k8s::ClientConfig config,
                      k8s::LoadClientConfig(sources, k8s::ReadTextFile));
  return k8s::OpenClusterAccess(config, clock);
}

// Events say who made them: the host's name, which in a pod is the pod's.
std::string ReportingInstance() {
  char host[128] = {};
  if (gethostname(host, sizeof(host) - 1) != 0) return "gangpack";
  return absl::StrCat("gangpack-", host).substr(0, 128);
}

std::unique_ptr<Cluster> WatchedCluster(k8s::Transport* transport, k8s::Clock* clock) {
  KubernetesCluster::Options options;
  options.jitter_seed = static_cast<uint32_t>(absl::ToUnixNanos(clock->Now()) ^ getpid());
  options.reporting_instance = ReportingInstance();
  return std::make_unique<KubernetesCluster>(options, transport, clock);
}

int ServeCluster(const ServeFlags& flags, std::unique_ptr<Cluster> cluster, k8s::Clock* clock,
                 const Streams& streams) {
  const Policy& policy = flags.configuration.policy;
  DecisionLog log(&WriteToGlog, flags.verbosity, clock);
  AppOptions options{
      .policy = policy, .http = flags.configuration.http, .on_transition = {}, .log = &log};
  // The first lane is for what needs no API server.
  if (flags.cluster.empty()) options.effect_lanes = 1 + flags.configuration.kubernetes.writes_max;
  LogStart(policy, &log);
  StopSignal stop;  // after the reading, which a signal may cut short, and before any thread
  const absl::StatusOr<std::unique_ptr<App>> app = App::Start(options, std::move(cluster), clock);
  if (!app.ok()) {
    streams.err << "gangpack serve: cannot serve: " << app.status().message() << "\n";
    return kExitCannotServe;
  }
  streams.out << "listening filter " << (*app)->filter_url() << "\n"
              << "listening bind " << (*app)->bind_url() << "\n"
              << std::flush;
  if (!streams.out) return kExitCannotServe;  // without its addresses nobody finds it
  log.Event("serving", {{"filter", (*app)->filter_url()}, {"bind", (*app)->bind_url()}});
  const std::string signal = stop.Wait();
  log.Event("stopping", {{"signal", signal}});
  (*app)->Stop();
  log.Event("stopped", {});
  return 0;
}

int Serve(const ServeFlags& flags, const Streams& streams) {
  k8s::SystemClock clock;
  if (!flags.cluster.empty()) {
    auto cluster =
        std::make_unique<EmbeddedCluster>(flags.configuration.policy.scheduler_name, &clock);
    ClusterInput input;
    cluster->Change(
        [&](ManifestCluster& paper) { input = LoadCluster(flags.cluster, streams.in, paper); });
    for (const std::string& fault : input.faults) streams.err << fault << "\n";
    if (!input.faults.empty()) return kExitBadInput;
    for (const std::string& note : input.notes) streams.err << "note: " << note << "\n";
    return ServeCluster(flags, std::move(cluster), &clock, streams);
  }
  const absl::StatusOr<k8s::ClusterAccess> access = OpenAccess(flags, &clock);
  if (!access.ok()) {
    streams.err << "gangpack serve: " << access.status().message() << "\n";
    return kExitBadInput;
  }
  return ServeCluster(flags, WatchedCluster(access->transport.get(), &clock), &clock, streams);
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
  return Serve(*flags, {in, out, err});
}

}  // namespace gangpack::server
