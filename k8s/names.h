// The forms that Kubernetes prescribes for names, keys and values.
//
// Source of the rules: k8s.io/apimachinery/pkg/util/validation. Each function returns nullptr where
// the text is well-formed, else what was expected, as the end of a message: "expected ...".
// Cost: linear, no allocation.

#ifndef GANGPACK_K8S_NAMES_H_
#define GANGPACK_K8S_NAMES_H_

#include "absl/strings/string_view.h"

namespace gangpack::k8s {

// `my-name`: a namespace.
const char* CheckDnsLabel(absl::string_view text);
// `my-name.example`: a pod, node or PodGroup.
const char* CheckDnsSubdomain(absl::string_view text);
// `example.com/My.name`, the prefix being optional: keys of labels and taints, resources, gates.
const char* CheckQualifiedName(absl::string_view text);
// As CheckQualifiedName, but for upper case, which keys of annotations may have in their prefix.
const char* CheckAnnotationKey(absl::string_view text);
// `My.value` or nothing.
const char* CheckLabelValue(absl::string_view text);

}  // namespace gangpack::k8s

#endif  // GANGPACK_K8S_NAMES_H_
