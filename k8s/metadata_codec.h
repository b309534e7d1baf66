// Decodes `metadata`, which all Kubernetes objects share.
//
// What the object does not carry stays empty: nothing is invented here.

#ifndef GANGPACK_K8S_METADATA_CODEC_H_
#define GANGPACK_K8S_METADATA_CODEC_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/selector.h"
#include "k8s/field.h"

namespace gangpack::k8s {

// The form of an object's name.
enum class NameForm { kDnsLabel, kDnsSubdomain };

struct ObjectMeta {
  std::string name;
  std::string namespace_name;  // Empty where the object names none.
  std::string uid;
  std::string resource_version;
  std::optional<absl::Time> creation;
  bool terminating = false;  // Has a deletionTimestamp.
  Labels labels;
  Labels annotations;
  bool daemon_set = false;  // Its controller is a DaemonSet.
};

// `object` is the whole object.
ObjectMeta DecodeMetadata(const Field& object, NameForm name_form);

// A map of labels, such as metadata.labels or spec.nodeSelector. Malformed entries are reported and
// left out.
Labels DecodeLabels(const Field& parent, absl::string_view key);

}  // namespace gangpack::k8s

#endif  // GANGPACK_K8S_METADATA_CODEC_H_
