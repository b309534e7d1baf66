#include "core/predicates.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/selector.h"

namespace gangpack {
namespace {

constexpr absl::string_view kUnschedulableTaintKey = "node.kubernetes.io/unschedulable";
constexpr absl::string_view kAnyAddress = "0.0.0.0";
constexpr absl::string_view kDefaultProtocol = "TCP";

// An integer written the one canonical way: no plus sign, no leading zero, no "-0". Other spellings
// of a number make a comparing toleration tolerate nothing.
std::optional<int64_t> ParseCanonicalInteger(absl::string_view text) {
  absl::string_view digits = text;
  if (!digits.empty() && digits[0] == '-') digits.remove_prefix(1);
  if (digits.empty() || !std::all_of(digits.begin(), digits.end(), absl::ascii_isdigit)) {
    return std::nullopt;
  }
  if (digits[0] == '0' && text != "0") return std::nullopt;
  int64_t value = 0;
  if (!absl::SimpleAtoi(text, &value)) return std::nullopt;
  return value;
}

bool ToleratesByComparison(const Toleration& toleration, const Taint& taint) {
  const std::optional<int64_t> bound = ParseCanonicalInteger(toleration.value);
  const std::optional<int64_t> actual = ParseCanonicalInteger(taint.value);
  if (!bound.has_value() || !actual.has_value()) return false;
  return toleration.op == TolerationOperator::kLt ? *actual < *bound : *actual > *bound;
}

bool ToleratesAny(const std::vector<Toleration>& tolerations, const Taint& taint) {
  return std::any_of(tolerations.begin(), tolerations.end(),
                     [&taint](const Toleration& t) { return Tolerates(t, taint); });
}

absl::string_view EffectName(TaintEffect effect) {
  switch (effect) {
    case TaintEffect::kNoSchedule:
      return "NoSchedule";
    case TaintEffect::kPreferNoSchedule:
      return "PreferNoSchedule";
    case TaintEffect::kNoExecute:
      return "NoExecute";
  }
  return "";
}

std::string TaintText(const Taint& taint) {
  if (taint.value.empty()) return absl::StrCat(taint.key, ":", EffectName(taint.effect));
  return absl::StrCat(taint.key, "=", taint.value, ":", EffectName(taint.effect));
}

absl::string_view AddressOf(const HostPort& port) {
  return port.host_ip.empty() ? kAnyAddress : absl::string_view(port.host_ip);
}

absl::string_view ProtocolOf(const HostPort& port) {
  return port.protocol.empty() ? kDefaultProtocol : absl::string_view(port.protocol);
}

}  // namespace

std::optional<NodeRejection> CheckUnschedulable(const PodSpec& pod, const Node& node) {
  if (!node.unschedulable) return std::nullopt;
  const Taint cordon{std::string(kUnschedulableTaintKey), "", TaintEffect::kNoSchedule};
  if (ToleratesAny(pod.tolerations, cordon)) return std::nullopt;
  return NodeRejection{NodeRule::kUnschedulable, "", 0, 0};
}

std::optional<NodeRejection> CheckTaints(const PodSpec& pod, const Node& node) {
  for (const Taint& taint : node.taints) {
    if (taint.effect == TaintEffect::kPreferNoSchedule) continue;
    if (!ToleratesAny(pod.tolerations, taint)) {
      return NodeRejection{NodeRule::kTaint, TaintText(taint), 0, 0};
    }
  }
  return std::nullopt;
}

std::optional<NodeRejection> CheckNodeAffinity(const PodSpec& pod, const Node& node) {
  const NodeRejection rejection{NodeRule::kNodeAffinity, "", 0, 0};
  for (const auto& [key, value] : pod.node_selector) {
    const auto label = node.labels.find(key);
    if (label == node.labels.end() || label->second != value) return rejection;
  }
  if (pod.required_node_affinity.has_value() &&
      !MatchesAnyTerm(*pod.required_node_affinity, node.labels, node.name)) {
    return rejection;
  }
  return std::nullopt;
}

std::optional<NodeRejection> CheckResources(const ResourceVector& request,
                                            const ResourceVector& free,
                                            const ResourceTable& table) {
  for (size_t i = 0; i < request.size(); ++i) {
    const ResourceId id = static_cast<ResourceId>(i);
    const int64_t available = AmountOf(free, id);
    if (request[i] > 0 && request[i] > available) {
      return NodeRejection{NodeRule::kResource, table.Name(id), request[i], available};
    }
  }
  return std::nullopt;
}

std::optional<NodeRejection> CheckHostPorts(const std::vector<HostPort>& wanted,
                                            const std::vector<HostPort>& used) {
  for (const HostPort& port : wanted) {
    const bool taken = std::any_of(used.begin(), used.end(), [&port](const HostPort& other) {
      return HostPortsConflict(port, other);
    });
    if (taken) {
      return NodeRejection{NodeRule::kHostPort, absl::StrCat(ProtocolOf(port), "/", port.port), 0,
                           0};
    }
  }
  return std::nullopt;
}

bool HostPortsConflict(const HostPort& a, const HostPort& b) {
  if (a.port <= 0 || a.port != b.port || ProtocolOf(a) != ProtocolOf(b)) return false;
  return AddressOf(a) == AddressOf(b) || AddressOf(a) == kAnyAddress || AddressOf(b) == kAnyAddress;
}

std::optional<NodeRejection> CheckNodeObject(const PodSpec& pod, const Node& node) {
  if (auto rejection = CheckUnschedulable(pod, node)) return rejection;
  if (auto rejection = CheckTaints(pod, node)) return rejection;
  return CheckNodeAffinity(pod, node);
}

bool Tolerates(const Toleration& toleration, const Taint& taint) {
  if (toleration.effect.has_value() && *toleration.effect != taint.effect) return false;
  if (!toleration.key.empty() && toleration.key != taint.key) return false;
  switch (toleration.op) {
    case TolerationOperator::kEqual:
      return toleration.value == taint.value;
    case TolerationOperator::kExists:
      return true;
    case TolerationOperator::kLt:
    case TolerationOperator::kGt:
      return ToleratesByComparison(toleration, taint);
  }
  return false;
}

}  // namespace gangpack
