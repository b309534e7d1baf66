#include "k8s/container_codec.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "k8s/resource_codec.h"

namespace gangpack::k8s {
namespace {

constexpr int64_t kMaxPort = 65535;

// The host port that an entry of `ports` takes, if any.
std::optional<HostPort> DecodeHostPort(const Field& port, bool host_network) {
  HostPort decoded;
  decoded.protocol = std::string(port.OptionalText("protocol").value_or("TCP"));
  if (decoded.protocol != "TCP" && decoded.protocol != "UDP" && decoded.protocol != "SCTP") {
    port.Report("protocol", absl::StrCat(Quote(decoded.protocol), ", expected TCP, UDP or SCTP"));
  }
  const absl::string_view host_ip = port.Text("hostIP");
  decoded.host_ip = host_ip.empty() ? "0.0.0.0" : std::string(host_ip);
  const int64_t container_port = port.Int("containerPort", 0, kMaxPort).value_or(0);
  int64_t host_port = port.Int("hostPort", 0, kMaxPort).value_or(0);
  if (host_port == 0 && host_network) host_port = container_port;
  if (host_port == 0) return std::nullopt;
  decoded.port = static_cast<int32_t>(host_port);
  return decoded;
}

// `taken` holds the ports of the containers before this one, and takes in those of this one.
void DecodeHostPorts(const Field& container, bool host_network, std::vector<HostPort>* taken) {
  const Field ports = container.List("ports");
  for (size_t i = 0; i < ports.item_count(); ++i) {
    const Field port = ports.ObjectAt(i);
    const std::optional<HostPort> decoded = DecodeHostPort(port, host_network);
    if (!decoded.has_value()) continue;
    if (std::find(taken->begin(), taken->end(), *decoded) == taken->end()) {
      taken->push_back(*decoded);
    } else {
      port.Report("hostPort",
                  absl::StrCat(decoded->protocol, " port ", decoded->port, " of ", decoded->host_ip,
                               " is taken twice, expected it once in a pod"));
    }
  }
}

// Fills in what the status tells about the container of that name.
void DecodeContainerStatus(const Field& statuses, absl::string_view name,
                           ContainerResources* resources) {
  for (size_t i = 0; i < statuses.item_count(); ++i) {
    const Field status = statuses.ItemAt(i);
    if (!status.exists() || name.empty()) continue;
    const Value* status_name = status.value().Find("name");
    if (status_name == nullptr || status_name->text() != name) continue;
    const Field current = status.Object("resources");
    if (current.exists()) {
      resources->status_requests = DecodeContainerAmounts(current, "requests");
    }
    resources->status_allocated = DecodeOptionalContainerAmounts(status, "allocatedResources");
    return;
  }
}

// Whether an init container is a sidecar.
bool DecodeRestartable(const Field& container) {
  const absl::string_view policy = container.Text("restartPolicy");
  if (!policy.empty() && policy != "Always" && policy != "OnFailure" && policy != "Never") {
    container.Report("restartPolicy",
                     absl::StrCat(Quote(policy), ", expected Always, OnFailure or Never"));
  }
  return policy == "Always";
}

// Reports a name that a container before it has.
void ExpectNewName(const Field& container, const std::string& name,
                   const std::vector<DecodedContainer>& before) {
  if (name.empty()) return;
  for (const DecodedContainer& other : before) {
    if (other.name != name) continue;
    container.Report("name", absl::StrCat(Quote(name), " is the name of two containers, expected ",
                                          "another name for each in a pod"));
    return;
  }
}

}  // namespace

DecodedContainers DecodeContainers(const Field& spec, const Field& status) {
  const bool host_network = spec.Bool("hostNetwork");
  DecodedContainers decoded;
  std::vector<HostPort> sidecar_ports;
  for (const bool init : {true, false}) {
    const Field list = spec.List(init ? "initContainers" : "containers");
    const Field statuses = status.List(init ? "initContainerStatuses" : "containerStatuses");
    for (size_t i = 0; i < list.item_count(); ++i) {
      const Field container = list.ObjectAt(i);
      std::string name(container.Text("name"));
      ExpectNewName(container, name, decoded.containers);
      DecodedContainer& result = decoded.containers.emplace_back();
      result.name = std::move(name);
      result.init = init;
      RequestsAndLimits resources = DecodeRequestsAndLimits(container, "resources");
      result.resources.requests = std::move(resources.requests);
      // Keeps the requests that are there.
      result.resources.requests.insert(resources.limits.begin(), resources.limits.end());
      result.resources.restartable = DecodeRestartable(container) && init;
      DecodeContainerStatus(statuses, result.name, &result.resources);
      std::vector<HostPort> own_ports;
      if (!init) {
        DecodeHostPorts(container, host_network, &decoded.host_ports);
      } else {
        // Init containers run after each other: only each one's own ports must differ.
        DecodeHostPorts(container, host_network, &own_ports);
        if (result.resources.restartable) {
          sidecar_ports.insert(sidecar_ports.end(), own_ports.begin(), own_ports.end());
        }
      }
    }
  }
  for (const HostPort& port : sidecar_ports) {
    if (std::find(decoded.host_ports.begin(), decoded.host_ports.end(), port) ==
        decoded.host_ports.end()) {
      decoded.host_ports.push_back(port);
    }
  }
  return decoded;
}

}  // namespace gangpack::k8s
