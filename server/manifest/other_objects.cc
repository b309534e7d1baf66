#include "server/manifest/other_objects.h"

#include <array>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "k8s/fault.h"

namespace gangpack::server {
namespace {

constexpr char kConfigurationKind[] = "Configuration";

struct KnownKind {
  absl::string_view kind;
  absl::string_view api_version;
};

constexpr std::array<KnownKind, 10> kKnown = {{{"Node", "v1"},
                                               {"Pod", "v1"},
                                               {"Namespace", "v1"},
                                               {"List", "v1"},
                                               {"NodeList", "v1"},
                                               {"PodList", "v1"},
                                               {"NamespaceList", "v1"},
                                               {"PodGroup", k8s::kPodGroupApiVersion},
                                               {"PodGroupList", k8s::kPodGroupApiVersion},
                                               {kStepKind, kStepApiVersion}}};

// Without what is commonly mistaken in a kind.
std::string Plain(absl::string_view kind) {
  const std::string lower = absl::AsciiStrToLower(kind);
  return std::string(absl::StripSuffix(lower, "s"));
}

// nullptr if none can have been meant.
const KnownKind* FindKnown(absl::string_view kind) {
  for (const KnownKind& known : kKnown) {
    if (Plain(kind) == Plain(known.kind)) return &known;
  }
  return nullptr;
}

// Empty for `v1`.
absl::string_view GroupOf(absl::string_view api_version) {
  const size_t slash = api_version.find('/');
  return slash == absl::string_view::npos ? "" : api_version.substr(0, slash);
}

// Somebody else's kinds may be in it.
bool IsForeign(absl::string_view api_version) {
  return absl::StrContains(GroupOf(api_version), '.') && !IsOurGroup(api_version);
}

// `known` must have been meant: says what of the object has to change.
void ReportMeant(const k8s::OtherObject& object, const KnownKind& known, const k8s::Field& root) {
  if (object.kind != known.kind) {
    root.Report("kind", absl::StrCat(k8s::Quote(object.kind), ", expected ", known.kind));
  }
  if (object.api_version != known.api_version) {
    root.Report("apiVersion", absl::StrCat(k8s::Quote(object.api_version), ", expected ",
                                           known.api_version, " for a ", known.kind));
  }
}

}  // namespace

bool IsOurGroup(absl::string_view api_version) {
  const absl::string_view group =
      absl::StrContains(api_version, '/') ? GroupOf(api_version) : api_version;
  return group == "gangpack" || absl::StartsWith(group, "gangpack.");
}

void OtherObjects::Skip(const k8s::OtherObject& object, k8s::FaultList* faults) {
  const k8s::Field root(object.value, faults);
  const KnownKind* const known = FindKnown(object.kind);
  const bool exact =
      known != nullptr && object.kind == known->kind && object.api_version == known->api_version;
  const bool meant = known != nullptr &&
                     (!IsForeign(object.api_version) || object.api_version == known->api_version);
  const bool ours = IsOurGroup(object.api_version);
  if (meant && !exact) {
    ReportMeant(object, *known, root);
  } else if (ours && !exact && object.kind != kConfigurationKind) {
    root.Report("kind", absl::StrCat(k8s::Quote(object.kind), ", expected ", kStepKind));
  } else {
    ++counts_[{object.kind, object.api_version}];
  }
}

std::vector<std::string> OtherObjects::Notes() const {
  int total = 0;
  std::vector<std::string> parts;
  std::map<absl::string_view, absl::string_view> read_instead;
  std::vector<std::string> hints;
  for (const auto& [type, count] : counts_) {
    const auto& [kind, api_version] = type;
    total += count;
    parts.push_back(absl::StrCat(count, " ", kind, " of ", api_version));
    const KnownKind* const known = FindKnown(kind);
    if (known != nullptr && api_version != known->api_version && kind == known->kind) {
      read_instead[known->kind] = known->api_version;
    } else if (kind == kStepKind && IsOurGroup(api_version)) {
      hints.push_back("a Step is done by gangpack simulate and demo only");
    } else if (kind == kConfigurationKind && IsOurGroup(api_version)) {
      hints.push_back("a Configuration is read where --config names its file");
    }
  }
  if (parts.empty()) return {};
  std::vector<std::string> notes = {
      absl::StrCat(total, total == 1 ? " object" : " objects",
                   " of other kinds skipped: ", absl::StrJoin(parts, ", "))};
  for (const auto& [kind, api_version] : read_instead) {
    notes.push_back(absl::StrCat("a ", kind, " is read if it is of ", api_version));
  }
  notes.insert(notes.end(), hints.begin(), hints.end());
  return notes;
}

}  // namespace gangpack::server
