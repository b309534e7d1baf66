// What is done with the objects of an input that are not read: counted, or, where one that is read
// must have been meant, refused.
//
// Meant is what differs from a kind that is read in case, in an `s` at its end, or in the version
// of an API group without a dot: those groups are Kubernetes' own and ours, so nobody else's kind
// can be of that name there. Elsewhere the same kind may be somebody else's, as PodGroup is: it is
// skipped, and a note says which one is read.
// Not here: reading (manifest_reader.h), what a Step is (simulate/step.h).
#ifndef GANGPACK_SERVER_MANIFEST_OTHER_OBJECTS_H_
#define GANGPACK_SERVER_MANIFEST_OTHER_OBJECTS_H_

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "k8s/field.h"
#include "k8s/object_codec.h"

namespace gangpack::server {

inline constexpr absl::string_view kStepApiVersion = "gangpack/v1alpha1";
inline constexpr absl::string_view kStepKind = "Step";

class OtherObjects {
 public:
  // Counts the object, or adds to `faults` what was expected in its place.
  void Skip(const k8s::OtherObject& object, k8s::FaultList* faults);

  // What was counted, and what is read instead, one line each.
  std::vector<std::string> Notes() const;

 private:
  std::map<std::pair<std::string, std::string>, int> counts_;  // by kind and apiVersion
};

// True for `gangpack` and what begins with `gangpack.`, of any version.
bool IsOurGroup(absl::string_view api_version);

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_MANIFEST_OTHER_OBJECTS_H_
