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

// One of these per object can exist: its kind, namespace and name.
using Identity = std::pair<std::string, NamespacedName>;

struct IdentityOf {
  Identity operator()(const k8s::DecodedNode& node) const { return {"Node", {"", node.node.name}}; }
  Identity operator()(const k8s::DecodedPod& pod) const { return {"Pod", pod.pod.name}; }
  Identity operator()(const k8s::DecodedPodGroup& group) const {
    return {"PodGroup", group.group.name};
  }
  Identity operator()(const k8s::DecodedNamespace& space) const {
    return {"Namespace", {"", space.object.name}};
  }
};

}  // namespace

ClusterInput LoadCluster(absl::Span<const std::string> paths, std::istream& in,
                         ManifestCluster& cluster) {
  const Manifests manifests = ReadManifests(paths, in);
  ClusterInput input{manifests.faults, {}};
  OtherObjects others;
  std::map<Identity, std::string> places;  // FILE:LINE of what was read so far
  for (const ManifestEntry& entry : manifests.entries) {
    if (const auto* other = std::get_if<k8s::OtherObject>(&entry.decoded.object)) {
      k8s::FaultList faults{manifests.documents[entry.document].file(), {}};
      others.Skip(*other, &faults);
      for (const k8s::Fault& fault : faults.faults) input.faults.push_back(fault.ToString());
      continue;
    }
    const std::optional<ManifestObject> object = entry.object();
    const std::string& file = manifests.documents[entry.document].file();
    const auto [first, is_new] = places.try_emplace(std::visit(IdentityOf(), *object),
                                                    absl::StrCat(file, ":", entry.decoded.line));
    if (!is_new) {
      const FieldFault twice{"metadata.name",
                             absl::StrCat("the same ", first->first.first, " is at ", first->second,
                                          " already, expected it once")};
      input.faults.push_back(Locate(manifests, entry, twice).ToString());
      continue;
    }
    for (const FieldFault& fault : cluster.Apply(*object)) {
      input.faults.push_back(Locate(manifests, entry, fault).ToString());
    }
  }
  input.notes = others.Notes();
  return input;
}

}  // namespace gangpack::server
