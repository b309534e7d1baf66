#include "k8s/selector_codec.h"

#include <cstdint>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "k8s/metadata_codec.h"
#include "k8s/names.h"

namespace gangpack::k8s {
namespace {

constexpr absl::string_view kRequired = "requiredDuringSchedulingIgnoredDuringExecution";

enum class SelectorKind { kLabels, kNodeLabels, kNodeFields };

std::optional<SelectorOperator> ParseOperator(absl::string_view text, SelectorKind kind) {
  if (text == "In") return SelectorOperator::kIn;
  if (text == "NotIn") return SelectorOperator::kNotIn;
  if (kind == SelectorKind::kNodeFields) return std::nullopt;
  if (text == "Exists") return SelectorOperator::kExists;
  if (text == "DoesNotExist") return SelectorOperator::kDoesNotExist;
  if (kind == SelectorKind::kLabels) return std::nullopt;
  if (text == "Gt") return SelectorOperator::kGt;
  if (text == "Lt") return SelectorOperator::kLt;
  return std::nullopt;
}

absl::string_view ExpectedOperators(SelectorKind kind) {
  switch (kind) {
    case SelectorKind::kLabels:
      return "expected In, NotIn, Exists or DoesNotExist";
    case SelectorKind::kNodeLabels:
      return "expected In, NotIn, Exists, DoesNotExist, Gt or Lt";
    case SelectorKind::kNodeFields:
      return "expected In or NotIn";
  }
  return "";
}

// Values that are no strings have been reported; they count.
void CheckValueCount(const Field& field, const SelectorRequirement& requirement,
                     SelectorKind kind) {
  const Field values = field.Any("values");
  size_t count = 0;
  for (size_t i = 0; i < values.item_count(); ++i) count += values.ItemAt(i).exists();
  const std::string found = absl::StrCat(count, " values, ");
  switch (requirement.op) {
    case SelectorOperator::kIn:
    case SelectorOperator::kNotIn:
      if (kind == SelectorKind::kNodeFields && count != 1) {
        field.Report("values", absl::StrCat(found, "expected one"));
      } else if (count == 0) {
        field.Report("values", absl::StrCat(found, "expected at least one with In and NotIn"));
      }
      return;
    case SelectorOperator::kExists:
    case SelectorOperator::kDoesNotExist:
      if (count > 0) {
        field.Report("values", absl::StrCat(found, "expected none with Exists and DoesNotExist"));
      }
      return;
    case SelectorOperator::kGt:
    case SelectorOperator::kLt:
      // One that is no number is accepted by the API server; its term matches no node.
      if (count != 1) field.Report("values", absl::StrCat(found, "expected one with Gt and Lt"));
      return;
  }
}

void CheckKey(const Field& field, absl::string_view key, SelectorKind kind) {
  if (kind == SelectorKind::kNodeFields) {
    if (key != "metadata.name") {
      field.Report("key", absl::StrCat(Quote(key), ", expected metadata.name"));
    }
  } else if (const char* expected = CheckQualifiedName(key)) {
    field.Report("key", absl::StrCat(Quote(key), ", ", expected));
  }
}

// The values of a label selector must have the form of a label's. Those of a node selector may come
// from a server that does not check them.
void CheckLabelValues(const Field& field, const SelectorRequirement& requirement) {
  for (const std::string& value : requirement.values) {
    if (const char* expected = CheckLabelValue(value)) {
      field.Report("values", absl::StrCat(Quote(value), ", ", expected));
    }
  }
}

std::vector<SelectorRequirement> DecodeRequirements(const Field& parent, absl::string_view key,
                                                    SelectorKind kind) {
  const Field list = parent.List(key);
  std::vector<SelectorRequirement> requirements;
  for (size_t i = 0; i < list.item_count(); ++i) {
    const Field field = list.ObjectAt(i);
    SelectorRequirement requirement;
    requirement.key = std::string(field.Text("key"));
    requirement.values = field.Texts("values");
    CheckKey(field, requirement.key, kind);
    if (kind == SelectorKind::kLabels) CheckLabelValues(field, requirement);
    const absl::string_view op = field.Text("operator");
    if (const std::optional<SelectorOperator> parsed = ParseOperator(op, kind)) {
      requirement.op = *parsed;
      CheckValueCount(field, requirement, kind);
    } else {
      field.Report("operator", absl::StrCat(Quote(op), ", ", ExpectedOperators(kind)));
    }
    requirements.push_back(std::move(requirement));
  }
  return requirements;
}

void CheckLabelKeys(const Field& term, absl::string_view member,
                    const std::vector<std::string>& keys) {
  for (const std::string& key : keys) {
    if (const char* expected = CheckQualifiedName(key)) {
      term.Report(member, absl::StrCat(Quote(key), ", ", expected));
    }
  }
  if (!keys.empty() && !term.Any("labelSelector").exists()) {
    term.Report(member, "set without a labelSelector, expected both or neither");
  }
}

PodAffinityTerm DecodePodAffinityTerm(const Field& term) {
  PodAffinityTerm decoded;
  decoded.selector = DecodeLabelSelector(term, "labelSelector");
  decoded.namespaces = term.Texts("namespaces");
  for (const std::string& name : decoded.namespaces) {
    if (const char* expected = CheckDnsLabel(name)) {
      term.Report("namespaces", absl::StrCat(Quote(name), ", ", expected));
    }
  }
  decoded.namespace_selector = DecodeLabelSelector(term, "namespaceSelector");
  decoded.topology_key = std::string(term.Text("topologyKey"));
  if (const char* expected = CheckQualifiedName(decoded.topology_key)) {
    term.Report("topologyKey", absl::StrCat(Quote(decoded.topology_key), ", ", expected));
  }
  decoded.match_label_keys = term.Texts("matchLabelKeys");
  CheckLabelKeys(term, "matchLabelKeys", decoded.match_label_keys);
  decoded.mismatch_label_keys = term.Texts("mismatchLabelKeys");
  CheckLabelKeys(term, "mismatchLabelKeys", decoded.mismatch_label_keys);
  return decoded;
}

}  // namespace

std::optional<LabelSelector> DecodeLabelSelector(const Field& parent, absl::string_view key) {
  const Field field = parent.Object(key);
  if (!field.exists()) return std::nullopt;
  LabelSelector selector;
  for (auto& [label, value] : DecodeLabels(field, "matchLabels")) {
    selector.requirements.push_back({label, SelectorOperator::kIn, {value}});
  }
  for (SelectorRequirement& requirement :
       DecodeRequirements(field, "matchExpressions", SelectorKind::kLabels)) {
    selector.requirements.push_back(std::move(requirement));
  }
  return selector;
}

std::optional<std::vector<NodeSelectorTerm>> DecodeRequiredNodeAffinity(
    const Field& node_affinity) {
  const Field required = node_affinity.Object(kRequired);
  if (!required.exists()) return std::nullopt;
  const Field list = required.List("nodeSelectorTerms");
  std::vector<NodeSelectorTerm> terms;
  for (size_t i = 0; i < list.item_count(); ++i) {
    const Field term = list.ObjectAt(i);
    terms.push_back({DecodeRequirements(term, "matchExpressions", SelectorKind::kNodeLabels),
                     DecodeRequirements(term, "matchFields", SelectorKind::kNodeFields)});
  }
  if (terms.empty()) required.Report("nodeSelectorTerms", "no term, expected at least one");
  return terms;
}

std::vector<PodAffinityTerm> DecodeRequiredPodAffinity(const Field& pod_affinity) {
  const Field list = pod_affinity.List(kRequired);
  std::vector<PodAffinityTerm> terms;
  for (size_t i = 0; i < list.item_count(); ++i) {
    const Field term = list.ObjectAt(i);
    terms.push_back(DecodePodAffinityTerm(term));
  }
  return terms;
}

}  // namespace gangpack::k8s
