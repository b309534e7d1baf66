#include "server/doctor/scheduler_config_command.h"

#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/status_macros.h"
#include "k8s/names.h"
#include "k8s/url.h"
#include "server/configuration_fields.h"
#include "server/doctor/scheduler_config.h"
#include "server/doctor/scheduler_config_text.h"
#include "server/flag_set.h"
#include "server/http_listener.h"

namespace gangpack::server {
namespace {

constexpr int kExitBadInput = 2;
// Where gangpack serve is told no port of its own.
constexpr int kFilterPort = 8888;
constexpr int kBindPort = 8889;

constexpr char kHelp[] = R"(Usage: gangpack scheduler-config [flags]

Prints the configuration of a kube-scheduler (1.30 to 1.37) that gangpack works beside, for its
--config. Give gangpack serve the ports of the two URLs, by --listen and --listen-bind.

  --filter-url URL                   of filter and prioritize (default: the configuration's
                                     server.filter.listen, else http://127.0.0.1:8888)
  --bind-url URL                     of bind (default: its server.bind.listen, else
                                     http://127.0.0.1:8889)
  --scheduler-name NAME              the profile's name (default: the configuration's schedulerName,
                                     ome-scheduler)
  --lease NAME/NAMESPACE             the Lease of leader election; NAME alone is in kube-system
                                     (default: the scheduler's name)
  --kubeconfig-path PATH             the kubeconfig of kube-scheduler, where it runs (default
                                     /etc/kubernetes/scheduler.conf; empty: the service account of
                                     its pod)
  --config FILE                      gangpack's own configuration, for the defaults
  --permit-timeout DURATION          overrides its defaultPermitTimeoutSeconds: httpTimeout of bind
                                     is far above it
  --help                             this text

Example: a configuration for a kube-scheduler in the same pod, checked
  gangpack scheduler-config --kubeconfig-path "" > scheduler.yaml
  gangpack doctor --scheduler-config scheduler.yaml

Exit status: 0 it was printed, 2 bad input.
)";

struct PrintFlags {
  Configuration configuration;
  std::string filter_url;
  std::string bind_url;
  std::string kubeconfig_path = "/etc/kubernetes/scheduler.conf";
  std::string lease_name;
  std::string lease_namespace = std::string(kDefaultLeaseNamespace);
  bool help = false;
};

void AddUrl(const std::string& name, std::string* to, FlagSet* flags) {
  flags->Add(name, [name, to](const std::string& value) -> absl::Status {
    const absl::StatusOr<k8s::Url> url = k8s::ParseUrl(value);
    if (!url.ok() || !absl::StrContains(value, "://")) {
      return BadFlagValue(name, value, "a URL such as http://127.0.0.1:8888");
    }
    *to = value;
    return absl::OkStatus();
  });
}

absl::Status SetLease(const std::string& value, PrintFlags* parsed) {
  const size_t slash = value.find('/');
  const std::string name = value.substr(0, slash);
  const std::string space =
      slash == std::string::npos ? parsed->lease_namespace : value.substr(slash + 1);
  if (k8s::CheckDnsSubdomain(name) != nullptr || k8s::CheckDnsLabel(space) != nullptr) {
    return BadFlagValue("lease", value, "NAME or NAME/NAMESPACE such as ome-scheduler/kube-system");
  }
  parsed->lease_name = name;
  parsed->lease_namespace = space;
  return absl::OkStatus();
}

std::string UrlOf(const HttpListenerOptions& listener, int default_port) {
  if (listener.port == 0) return absl::StrCat("http://127.0.0.1:", default_port);
  k8s::Url url;
  url.tls = false;
  url.host = listener.address;
  url.port = listener.port;
  return url.ToString();
}

absl::StatusOr<PrintFlags> ParsePrintFlags(absl::Span<const std::string> args) {
  PrintFlags parsed;
  FlagSet flags;
  AddConfigurationFlags(&flags, &parsed.configuration);
  AddUrl("filter-url", &parsed.filter_url, &flags);
  AddUrl("bind-url", &parsed.bind_url, &flags);
  flags.AddText("kubeconfig-path", &parsed.kubeconfig_path);
  flags.Add("lease", [&parsed](const std::string& value) { return SetLease(value, &parsed); });
  flags.AddSwitch("help", &parsed.help);
  flags.AddSwitch("h", &parsed.help);
  GP_ASSIGN_OR_RETURN(const std::vector<std::string> more, flags.Parse(args));
  if (parsed.help) return parsed;
  if (!more.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("unexpected argument \"", more[0], "\", expected none"));
  }
  GP_RETURN_IF_ERROR(parsed.configuration.policy.Validate());
  return parsed;
}

SchedulerConfigValues ValuesOf(const PrintFlags& flags) {
  const Configuration& configuration = flags.configuration;
  SchedulerConfigValues values;
  values.scheduler_name = configuration.policy.scheduler_name;
  values.filter_url =
      flags.filter_url.empty() ? UrlOf(configuration.http.filter, kFilterPort) : flags.filter_url;
  values.bind_url =
      flags.bind_url.empty() ? UrlOf(configuration.http.bind, kBindPort) : flags.bind_url;
  values.kubeconfig_path = flags.kubeconfig_path;
  values.lease_name = flags.lease_name.empty() ? values.scheduler_name : flags.lease_name;
  values.lease_namespace = flags.lease_namespace;
  values.gang_timeout = configuration.policy.permit_timeout;
  return values;
}

}  // namespace

int RunSchedulerConfig(absl::Span<const std::string> args, std::istream&, std::ostream& out,
                       std::ostream& err) {
  const absl::StatusOr<PrintFlags> flags = ParsePrintFlags(args);
  if (!flags.ok()) {
    err << "gangpack scheduler-config: " << flags.status().message()
        << " (see gangpack scheduler-config --help)\n";
    return kExitBadInput;
  }
  out << (flags->help ? std::string(kHelp) : SchedulerConfigText(ValuesOf(*flags)));
  return 0;
}

}  // namespace gangpack::server
