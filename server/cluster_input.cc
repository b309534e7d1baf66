#include "server/cluster_input.h"

#include <variant>

#include "k8s/fault.h"
#include "k8s/field.h"
#include "k8s/object_codec.h"
#include "server/manifest/manifest_object.h"
#include "server/manifest/manifest_reader.h"
#include "server/manifest/other_objects.h"

namespace gangpack::server {

ClusterInput LoadCluster(absl::Span<const std::string> paths, std::istream& in,
                         ManifestCluster& cluster) {
  const Manifests manifests = ReadManifests(paths, in);
  ClusterInput input{manifests.faults, {}};
  OtherObjects others;
  for (const ManifestEntry& entry : manifests.entries) {
    if (const auto* other = std::get_if<k8s::OtherObject>(&entry.decoded.object)) {
      k8s::FaultList faults{manifests.documents[entry.document].file(), {}};
      others.Skip(*other, &faults);
      for (const k8s::Fault& fault : faults.faults) input.faults.push_back(fault.ToString());
      continue;
    }
    for (const FieldFault& fault : cluster.Apply(*entry.object())) {
      input.faults.push_back(Locate(manifests, entry, fault).ToString());
    }
  }
  input.notes = others.Notes();
  return input;
}

}  // namespace gangpack::server
