// The bodies of the requests that we send, as JSON text.
//
// Pure: equal arguments give equal bytes.

#ifndef GANGPACK_K8S_API_BODY_H_
#define GANGPACK_K8S_API_BODY_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/time/time.h"
#include "k8s/api_object.h"

namespace gangpack::k8s {

// An object that an event is about.
struct ObjectReference {
  std::string api_version;
  std::string kind;
  ObjectIdentity identity;
};

// events.k8s.io/v1
struct ApiEvent {
  std::string name;  // Unique in the namespace of the object.
  ObjectReference regarding;
  bool warning = false;
  std::string reason;  // One word in CamelCase, at most 128 bytes.
  std::string action;  // Likewise.
  std::string note;    // Cut to kMaxEventNoteBytes.
  absl::Time time;
  std::string reporting_instance;
};
inline constexpr size_t kMaxEventNoteBytes = 1024;

struct EventSeries {
  int64_t count = 2;  // How often the event happened, the first time included; at least 2.
  absl::Time last_observed;
};

// One question to SelfSubjectAccessReview; empty fields mean any.
struct AccessQuestion {
  std::string verb;
  std::string group;
  std::string resource;
  std::string subresource;
  std::string namespace_name;
};

// POST pods/NAME/binding. Refused with 409 where the pod has another UID.
struct Binding {
  ObjectIdentity pod;
  std::string node;
};
std::string BindingBody(const Binding& binding);

// Merge patches; refused with 409 where the object has another UID.
struct AnnotationChange {
  std::string key;
  std::optional<std::string> value;  // Absent: the annotation is removed.
};
std::string AnnotationPatch(const ObjectIdentity& object, const AnnotationChange& change);
// Of pods/NAME/status. An empty node clears the nomination.
std::string NominationPatch(const Binding& nomination);

std::string EventBody(const ApiEvent& event);
std::string EventSeriesPatch(const EventSeries& series);
std::string AccessReviewBody(const AccessQuestion& question);

}  // namespace gangpack::k8s

#endif  // GANGPACK_K8S_API_BODY_H_
