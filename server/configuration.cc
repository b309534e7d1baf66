#include "server/configuration.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "k8s/fault.h"
#include "k8s/field.h"
#include "k8s/yaml_reader.h"

namespace gangpack::server {
namespace {

constexpr absl::string_view kApiVersion = "gangpack/v1alpha1";
constexpr absl::string_view kKind = "Configuration";

// The fields that may stand in the file, in the order in which faults list them.
constexpr absl::string_view kSchedulerName = "schedulerName";
constexpr absl::string_view kTopologyKey = "topologyKey";
constexpr absl::string_view kTopologyKeyAnnotation = "podGroupTopologyKeyAnnotation";
constexpr absl::string_view kPlacementGroupLabel = "unsupportedPlacementGroupLabel";
constexpr absl::string_view kPermitTimeout = "defaultPermitTimeoutSeconds";
constexpr absl::string_view kDomainPacking = "standaloneDomainPacking";
constexpr absl::string_view kPackingStatesMax = "packingStatesMax";
constexpr absl::string_view kFields[] = {
    kSchedulerName, kTopologyKey,   kTopologyKeyAnnotation, kPlacementGroupLabel,
    kPermitTimeout, kDomainPacking, kPackingStatesMax};

void CheckFields(const k8s::Field& root) {
  for (const auto& [key, expected] : {std::pair("apiVersion", kApiVersion), {"kind", kKind}}) {
    const absl::string_view value = root.Text(key);
    if (value != expected) {
      root.Report(key, absl::StrCat(value.empty() ? "is missing" : k8s::Quote(value), ", expected ",
                                    expected));
    }
  }
  for (size_t i = 0; i < root.member_count(); ++i) {
    const absl::string_view key = root.MemberKey(i);
    if (key == "apiVersion" || key == "kind") continue;
    if (std::find(std::begin(kFields), std::end(kFields), key) != std::end(kFields)) continue;
    root.Report(key, absl::StrCat("no field of a configuration, expected one of ",
                                  absl::StrJoin(kFields, ", ")));
  }
}

void ReadText(const k8s::Field& root, absl::string_view key, bool may_be_empty, std::string* to) {
  const std::optional<absl::string_view> text = root.OptionalText(key);
  if (!text.has_value()) return;
  if (text->empty() && !may_be_empty) root.Report(key, "is empty, expected a name");
  *to = std::string(*text);
}

Policy ReadPolicy(const k8s::Field& root) {
  Policy policy;
  ReadText(root, kSchedulerName, false, &policy.scheduler_name);
  ReadText(root, kTopologyKey, true, &policy.default_topology_key);
  ReadText(root, kTopologyKeyAnnotation, false, &policy.topology_key_annotation);
  ReadText(root, kPlacementGroupLabel, false, &policy.placement_group_label);
  constexpr int64_t kSecondsMax = int64_t{100} * 365 * 24 * 3600;
  if (auto seconds = root.Int(kPermitTimeout, 1, kSecondsMax)) {
    policy.permit_timeout = absl::Seconds(*seconds);
  }
  if (root.Any(kDomainPacking).exists()) {
    policy.standalone_domain_packing = root.Bool(kDomainPacking);
  }
  if (auto states = root.Int(kPackingStatesMax, 1, std::numeric_limits<int64_t>::max())) {
    policy.packing_states_max = *states;
  }
  return policy;
}

}  // namespace

absl::StatusOr<Policy> ParseConfiguration(const std::string& path, std::string text) {
  absl::StatusOr<k8s::Documents> documents = k8s::ReadYamlOrJson({path, std::move(text)});
  if (!documents.ok()) return documents.status();
  if (documents->roots().size() != 1) {
    return absl::InvalidArgumentError(absl::StrCat(path, ":1: has ", documents->roots().size(),
                                                   " documents, expected one configuration"));
  }
  k8s::FaultList faults{path, {}};
  const k8s::Field root(documents->roots()[0], &faults);
  Policy policy;
  if (root.IsObject()) {
    CheckFields(root);
    policy = ReadPolicy(root);
  }
  if (faults.faults.empty()) return policy;
  std::vector<std::string> lines;
  for (const k8s::Fault& fault : faults.faults) lines.push_back(fault.ToString());
  return absl::InvalidArgumentError(absl::StrJoin(lines, "\n"));
}

absl::StatusOr<Policy> ReadConfiguration(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  if (!file || text.bad()) {
    return absl::NotFoundError(absl::StrCat(path, ": cannot be read, expected a YAML file"));
  }
  return ParseConfiguration(path, text.str());
}

}  // namespace gangpack::server
