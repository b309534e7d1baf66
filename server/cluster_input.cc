#include "server/cluster_input.h"

#include <map>
#include <optional>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "core/ids.h"
#include "k8s/fault.h"
#include "k8s/field.h"
#include "k8s/object_codec.h"
#include "server/manifest/manifest_object.h"
#include "server/manifest/manifest_reader.h"
#include "server/manifest/other_objects.h"

namespace gangpack::server {
namespace {

constexpr const char* kKinds[] = {"Node", "Pod", "PodGroup", "Namespace"};

struct NameOf {
  NamespacedName operator()(const k8s::DecodedNode& node) const { return {"", node.node.name}; }
  NamespacedName operator()(const k8s::DecodedPod& pod) const { return pod.pod.name; }
  NamespacedName operator()(const k8s::DecodedPodGroup& group) const { return group.group.name; }
  NamespacedName operator()(const k8s::DecodedNamespace& space) const {
    return {"", space.object.name};
  }
};

// Where the object of a kind and name was read.
struct Place {
  size_t document = 0;
  int line = 0;
};
using Places = std::map<std::pair<size_t, NamespacedName>, Place>;

// Reports a second object of that kind and name.
std::optional<k8s::Fault> TakePlace(const Manifests& manifests, const ManifestEntry& entry,
                                    const ManifestObject& object, Places* places) {
  const auto [first, is_new] = places->try_emplace({object.index(), std::visit(NameOf(), object)},
                                                   Place{entry.document, entry.decoded.line});
  if (is_new) return std::nullopt;
  const std::string& file = manifests.documents[first->second.document].file();
  return Locate(
      manifests, entry,
      {"metadata.name", absl::StrCat("the same ", kKinds[object.index()], " is at ", file, ":",
                                     first->second.line, " already, expected it once")});
}

}  // namespace

ClusterInput LoadCluster(absl::Span<const std::string> paths, std::istream& in,
                         ManifestCluster& cluster) {
  Manifests manifests = ReadManifests(paths, in, Keep::kObjects);
  ClusterInput input{manifests.faults, {}};
  OtherObjects others;
  Places places;
  // Each entry ends when it was applied, so that no object is there twice.
  for (; !manifests.entries.empty(); manifests.entries.pop_front()) {
    ManifestEntry& entry = manifests.entries.front();
    if (const auto* other = std::get_if<k8s::OtherObject>(&entry.decoded.object)) {
      k8s::FaultList faults{manifests.documents[entry.document].file(), {}};
      others.Skip(*other, &faults);
      for (const k8s::Fault& fault : faults.faults) input.faults.push_back(fault.ToString());
      continue;
    }
    ManifestObject object = *std::move(entry).object();
    if (const std::optional<k8s::Fault> twice = TakePlace(manifests, entry, object, &places)) {
      input.faults.push_back(twice->ToString());
      continue;
    }
    for (const FieldFault& fault : cluster.Apply(std::move(object))) {
      input.faults.push_back(Locate(manifests, entry, fault).ToString());
    }
  }
  input.notes = others.Notes();
  return input;
}

}  // namespace gangpack::server
