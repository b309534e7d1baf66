// Reads manifests from files, folders and standard input into objects, in the order given.
//
// A folder stands for its files *.json, *.yaml and *.yml in name order, without its sub-folders, as
// for `kubectl apply -f`. `-` is standard input.
// Ownership: objects of other kinds point into `documents`, which move without moving those.
// Cost: where Keep::kObjects is enough, JSON costs the memory of its objects, not that of its text.
// Errors: what cannot be read, and every fault of every object, is in `faults`; the objects without
// faults are there all the same.
// Not here: what the objects mean for a cluster (manifest_cluster.h).
#ifndef GANGPACK_SERVER_MANIFEST_MANIFEST_READER_H_
#define GANGPACK_SERVER_MANIFEST_MANIFEST_READER_H_

#include <cstddef>
#include <deque>
#include <istream>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "k8s/document.h"
#include "k8s/fault.h"
#include "k8s/object_codec.h"
#include "server/manifest/manifest_object.h"

namespace gangpack::server {

struct ManifestEntry {
  size_t document = 0;  // index into Manifests::documents
  k8s::DecodedObject decoded;

  // nullopt if it is of another kind (k8s::OtherObject).
  std::optional<ManifestObject> object() const&;
  std::optional<ManifestObject> object() &&;
};

struct Manifests {
  std::vector<k8s::Documents> documents;  // one per file
  std::deque<ManifestEntry> entries;
  std::vector<std::string> faults;  // FILE:LINE: FIELD.PATH: what is wrong, what was expected
};

// What is still needed after the reading.
enum class Keep {
  kDocuments,  // All of it.
  kObjects,    // Of objects only what was decoded, and the lines in k8s::FieldLines.
};

// Reads each of `paths`; `in` is what `-` stands for.
Manifests ReadManifests(absl::Span<const std::string> paths, std::istream& in,
                        Keep keep = Keep::kDocuments);

// The fault with its place: the line of the field, or of the nearest parent that has one. Where
// only objects were kept, other fields than those of k8s::FieldLines have the line of their object.
k8s::Fault Locate(const Manifests& manifests, const ManifestEntry& entry, const FieldFault& fault);

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_MANIFEST_MANIFEST_READER_H_
