#include "k8s/spread_codec.h"

#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "k8s/names.h"
#include "k8s/selector_codec.h"

namespace gangpack::k8s {
namespace {

constexpr absl::string_view kHard = "DoNotSchedule";
constexpr absl::string_view kSoft = "ScheduleAnyway";

int32_t DecodePositive(const Field& field, absl::string_view key, int32_t otherwise) {
  constexpr int64_t kMax = std::numeric_limits<int32_t>::max();
  return static_cast<int32_t>(field.Int(key, 1, kMax).value_or(otherwise));
}

bool DecodeHonors(const Field& field, absl::string_view key, bool otherwise) {
  const absl::string_view policy = field.Text(key);
  if (policy == "Honor") return true;
  if (policy == "Ignore") return false;
  if (!policy.empty()) {
    field.Report(key, absl::StrCat(Quote(policy), ", expected Honor or Ignore"));
  }
  return otherwise;
}

void CheckMatchLabelKeys(const Field& field, const TopologySpreadConstraint& constraint) {
  for (const std::string& key : constraint.match_label_keys) {
    if (const char* expected = CheckQualifiedName(key)) {
      field.Report("matchLabelKeys", absl::StrCat(Quote(key), ", ", expected));
    }
  }
  if (!constraint.match_label_keys.empty() && !constraint.selector.has_value()) {
    field.Report("matchLabelKeys", "set without a labelSelector, expected both or neither");
  }
}

TopologySpreadConstraint DecodeConstraint(const Field& field) {
  TopologySpreadConstraint constraint;
  if (!field.Any("maxSkew").exists()) field.Report("maxSkew", "absent, expected a whole number");
  constraint.max_skew = DecodePositive(field, "maxSkew", constraint.max_skew);
  constraint.topology_key = std::string(field.Text("topologyKey"));
  if (const char* expected = CheckQualifiedName(constraint.topology_key)) {
    field.Report("topologyKey", absl::StrCat(Quote(constraint.topology_key), ", ", expected));
  }
  constraint.selector = DecodeLabelSelector(field, "labelSelector");
  constraint.match_label_keys = field.Texts("matchLabelKeys");
  CheckMatchLabelKeys(field, constraint);
  constraint.min_domains = DecodePositive(field, "minDomains", constraint.min_domains);
  constraint.honor_node_affinity =
      DecodeHonors(field, "nodeAffinityPolicy", constraint.honor_node_affinity);
  constraint.honor_taints = DecodeHonors(field, "nodeTaintsPolicy", constraint.honor_taints);
  return constraint;
}

}  // namespace

std::vector<TopologySpreadConstraint> DecodeTopologySpread(const Field& spec) {
  const Field list = spec.List("topologySpreadConstraints");
  std::vector<TopologySpreadConstraint> constraints;
  std::set<std::pair<std::string, std::string>> seen;  // topology key, whenUnsatisfiable
  for (size_t i = 0; i < list.item_count(); ++i) {
    const Field field = list.ObjectAt(i);
    TopologySpreadConstraint constraint = DecodeConstraint(field);
    const absl::string_view action = field.Text("whenUnsatisfiable");
    if (action != kHard && action != kSoft) {
      field.Report("whenUnsatisfiable",
                   absl::StrCat(Quote(action), ", expected ", kHard, " or ", kSoft));
    }
    if (action == kSoft && field.Any("minDomains").exists()) {
      field.Report("minDomains", absl::StrCat("set with ", kSoft, ", expected only with ", kHard));
    }
    if (!seen.emplace(constraint.topology_key, std::string(action)).second) {
      field.Report("topologyKey", absl::StrCat(Quote(constraint.topology_key),
                                               " again, expected one constraint for each "
                                               "topologyKey and whenUnsatisfiable"));
    }
    if (action == kHard) constraints.push_back(std::move(constraint));
  }
  return constraints;
}

}  // namespace gangpack::k8s
