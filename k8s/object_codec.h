// Decodes the Kubernetes objects of a file: Node, Pod, PodGroup, Namespace.
//
// A `kind: List`, or a NodeList, PodList, PodGroupList or NamespaceList, stands for its items.
// Objects of other kinds come out as OtherObject: whoever knows them reads them, or counts them as
// skipped. All faults of all objects are collected; an object with faults is not handed out. What a
// cluster may really hold is no fault: a PodGroup without minMember, an unknown field, the name of
// a node that does not exist.
//
// Determinism: objects and faults are in the order of the text. Cost: linear in its size.
// Not here: what a missing UID, namespace, creation time or scheduler name stands for; whoever
// keeps the objects decides that.

#ifndef GANGPACK_K8S_OBJECT_CODEC_H_
#define GANGPACK_K8S_OBJECT_CODEC_H_

#include <deque>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "k8s/document.h"
#include "k8s/fault.h"
#include "k8s/field.h"
#include "k8s/json_reader.h"
#include "k8s/node_codec.h"
#include "k8s/pod_codec.h"
#include "k8s/pod_group_codec.h"

namespace gangpack::k8s {

// The apiVersion of PodGroups.
inline constexpr absl::string_view kPodGroupApiVersion = "scheduling.x-k8s.io/v1alpha1";

// An object whose kind is not decoded here. `value` lives as long as the documents.
struct OtherObject {
  std::string api_version;
  std::string kind;
  Value value;
};

// The lines of fields that can be found wrong once all objects are known; where an object has no
// such field, that of its nearest parent.
struct FieldLines {
  int name = 0;       // metadata.name
  int uid = 0;        // metadata.uid
  int node_name = 0;  // spec.nodeName
};

struct DecodedObject {
  int line = 0;  // Where the object begins.
  FieldLines lines;
  std::variant<DecodedNode, DecodedPod, DecodedPodGroup, DecodedNamespace, OtherObject> object;
};

struct DecodedObjects {
  std::deque<DecodedObject> objects;
  std::vector<Fault> faults;
};

DecodedObjects DecodeObjects(const Documents& documents, ObjectSource source);

// The same from JSON as it comes, in the memory of what is decoded and of one object: `documents`
// has nulls where objects were in lists.
struct DecodedStream {
  Documents documents;
  DecodedObjects decoded;
};
absl::StatusOr<DecodedStream> DecodeJsonStream(TextStream source, ObjectSource object_source);

}  // namespace gangpack::k8s

#endif  // GANGPACK_K8S_OBJECT_CODEC_H_
