#include "server/cluster_input.h"

#include <map>
#include <optional>
#include <variant>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "k8s/fault.h"
#include "k8s/object_codec.h"
#include "server/manifest/manifest_object.h"
#include "server/manifest/manifest_reader.h"

namespace gangpack::server {

ClusterInput LoadCluster(absl::Span<const std::string> paths, std::istream& in,
                         ManifestCluster& cluster) {
  const Manifests manifests = ReadManifests(paths, in);
  ClusterInput input{manifests.faults, {}};
  std::map<std::string, int> other_kinds;
  for (const ManifestEntry& entry : manifests.entries) {
    if (const auto* other = std::get_if<k8s::OtherObject>(&entry.decoded.object)) {
      ++other_kinds[other->kind];
      continue;
    }
    for (const FieldFault& fault : cluster.Apply(*entry.object())) {
      input.faults.push_back(Locate(manifests, entry, fault).ToString());
    }
  }
  if (!other_kinds.empty()) {
    input.notes.push_back(
        absl::StrCat("objects of other kinds skipped: ",
                     absl::StrJoin(other_kinds, ", ", [](std::string* text, const auto& kind) {
                       absl::StrAppend(text, kind.second, " ", kind.first);
                     })));
  }
  return input;
}

}  // namespace gangpack::server
