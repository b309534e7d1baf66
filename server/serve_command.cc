#include "server/serve_command.h"

#include <memory>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "core/policy.h"
#include "core/status_macros.h"
#include "glog/logging.h"
#include "k8s/clock.h"
#include "server/app.h"
#include "server/cluster_input.h"
#include "server/embedded_cluster.h"
#include "server/flag_set.h"
#include "server/http_server.h"
#include "server/listen_address.h"
#include "server/stop_signal.h"
#include "server/transition_name.h"

namespace gangpack::server {
namespace {

constexpr int kExitCannotServe = 1;
constexpr int kExitBadInput = 2;

constexpr char kHelp[] = R"(Usage: gangpack serve --cluster FILE|DIR|- ... [flags]

Serves kube-scheduler's extender protocol on this machine: filter and prioritize on one port, bind,
whose calls are held open until the gang is complete, on another. The cluster is read from YAML or
JSON such as kubectl prints; after that bind calls alone change it.
The current state is on the first port: GET /v1/pods, /v1/gangs, /v1/domains, /v1/reservations,
/healthz, /readyz.

  --cluster FILE|DIR|-               what the cluster is read from; may be repeated
  --listen ADDRESS:PORT              of filter and prioritize (default 127.0.0.1:0, any free port)
  --listen-bind ADDRESS:PORT         of bind (default 127.0.0.1:0)
  --config FILE                      configuration (YAML, examples/configuration.yaml); flags
                                     override it
  --topology-key KEY                 topology key of gangs that name none (default none)
  --scheduler-name NAME              pods that name another scheduler are left alone
                                     (default ome-scheduler)
  --permit-timeout DURATION          how long a member waits for its gang where the PodGroup does
                                     not say (default 600s)
  --standalone-domain-packing=BOOL   fill domains that are in use first (default true; acts with
                                     --topology-key only)
  --help                             this text

Prints `listening filter URL` and `listening bind URL` when it serves. Stops on SIGTERM and SIGINT:
held binds are answered with an error, so that kube-scheduler tries them again.

Example: which gangs does it see?
  gangpack serve --cluster examples/ome-qwen3 --listen 127.0.0.1:8888 &
  curl -s --retry 5 --retry-connrefused http://127.0.0.1:8888/v1/gangs; kill $!

Exit status: 0 it was stopped, 1 it could not serve, 2 bad input.
)";

struct ServeFlags {
  Policy policy;
  ListenAddress listen{"127.0.0.1", 0};
  ListenAddress listen_bind{"127.0.0.1", 0};
  std::vector<std::string> cluster;
  bool help = false;
};

void AddListenFlag(FlagSet* flags, const std::string& name, ListenAddress* to) {
  flags->Add(name, [name, to](const std::string& value) -> absl::Status {
    absl::StatusOr<ListenAddress> address = ParseListenAddress(value);
    if (!address.ok()) {
      return absl::InvalidArgumentError(absl::StrCat("--", name, ": ", address.status().message()));
    }
    *to = *std::move(address);
    return absl::OkStatus();
  });
}

absl::StatusOr<ServeFlags> ParseServeFlags(absl::Span<const std::string> args) {
  ServeFlags parsed;
  FlagSet flags;
  AddPolicyFlags(&flags, &parsed.policy);
  AddListenFlag(&flags, "listen", &parsed.listen);
  AddListenFlag(&flags, "listen-bind", &parsed.listen_bind);
  flags.Add("cluster", [&parsed](const std::string& value) {
    parsed.cluster.push_back(value);
    return absl::OkStatus();
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
  GP_RETURN_IF_ERROR(parsed.policy.Validate());
  return parsed;
}

std::string Quoted(const std::string& text) {
  return absl::StrCat("\"", absl::CEscape(text), "\"");
}

void LogTransition(const GangTransition& transition) {
  LOG(INFO) << "event=gang_" << TransitionName(transition.kind)
            << " gang=" << transition.gang.ToString()
            << " topology_key=" << Quoted(transition.topology_key)
            << " domain=" << Quoted(transition.domain) << " text=" << Quoted(transition.text);
}

int Serve(const ServeFlags& flags, std::istream& in, std::ostream& out, std::ostream& err) {
  k8s::SystemClock clock;
  auto cluster = std::make_unique<EmbeddedCluster>(flags.policy.scheduler_name, &clock);
  ClusterInput input;
  cluster->Change([&](ManifestCluster& paper) { input = LoadCluster(flags.cluster, in, paper); });
  for (const std::string& fault : input.faults) err << fault << "\n";
  if (!input.faults.empty()) return kExitBadInput;
  for (const std::string& note : input.notes) err << "note: " << note << "\n";
  AppOptions options{.policy = flags.policy, .http = {}, .on_transition = LogTransition};
  options.http.filter.address = flags.listen.address;
  options.http.filter.port = flags.listen.port;
  options.http.bind.address = flags.listen_bind.address;
  options.http.bind.port = flags.listen_bind.port;
  StopSignal stop;  // after the reading, which a signal may cut short, and before any thread
  const absl::StatusOr<std::unique_ptr<App>> app = App::Start(options, std::move(cluster), &clock);
  if (!app.ok()) {
    err << "gangpack serve: cannot serve: " << app.status().message() << "\n";
    return kExitCannotServe;
  }
  out << "listening filter " << (*app)->filter_url() << "\n"
      << "listening bind " << (*app)->bind_url() << "\n"
      << std::flush;
  LOG(INFO) << "event=serving filter=" << (*app)->filter_url() << " bind=" << (*app)->bind_url();
  const std::string signal = stop.Wait();
  LOG(INFO) << "event=stopping signal=" << signal;
  (*app)->Stop();
  LOG(INFO) << "event=stopped";
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
