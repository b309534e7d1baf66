// Puts the manifests that a command line names into a cluster.
//
// Errors: what cannot be read, what the API server would refuse, and an object that is there twice
// are faults in the format of `gangpack simulate`; where there is one, the cluster is not to be
// used. Not here: reading (manifest/manifest_reader.h), what a manifest leaves out
// (manifest_cluster.h).
#ifndef GANGPACK_SERVER_CLUSTER_INPUT_H_
#define GANGPACK_SERVER_CLUSTER_INPUT_H_

#include <istream>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "server/manifest/manifest_cluster.h"

namespace gangpack::server {

struct ClusterInput {
  std::vector<std::string> faults;  // FILE:LINE: FIELD.PATH: what is wrong, what was expected
  std::vector<std::string> notes;   // what was read but is not used, one line each
};

// Applies the objects of `paths` (FILE, DIR or -, which stands for `in`) in order.
ClusterInput LoadCluster(absl::Span<const std::string> paths, std::istream& in,
                         ManifestCluster& cluster);

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_CLUSTER_INPUT_H_
