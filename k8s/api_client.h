// What we ask of the API server, by name.
//
// Errors: what the server refuses comes as api_failure.h maps it, with the server's own message; no
// answer is kUnavailable; an answer that cannot be read is kDataLoss. RetryAfterOf() says when the
// server wants to be asked again, if it said so. Nothing is retried here.
// Thread-safety: all of it from any thread at once; the transport must outlive the client.
// Not here: when to list and to watch (reflector.h).

#ifndef GANGPACK_K8S_API_CLIENT_H_
#define GANGPACK_K8S_API_CLIENT_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "k8s/api_body.h"
#include "k8s/api_object.h"
#include "k8s/reflector.h"
#include "k8s/resource_type.h"
#include "k8s/transport.h"

namespace gangpack::k8s {

// A watch that is silent for that long is taken for broken: the API server sends a bookmark about
// once a minute.
inline constexpr absl::Duration kWatchSilenceMax = absl::Seconds(150);

struct ServerVersion {
  int major = 0;
  int minor = 0;
  std::string text;  // "v1.34.1"
};

struct AccessAnswer {
  bool allowed = false;
  std::string reason;
};

class ApiClient {
 public:
  explicit ApiClient(Transport* transport) : transport_(transport) {}

  // By namespace and name; the UID of `identity` does not count. An object with faults is
  // kDataLoss.
  absl::StatusOr<ApiRecord> Get(ResourceType type, const ObjectIdentity& identity);

  // A ListPage or RequestFailed.
  ReflectorInput List(ResourceType type, const ListRequest& request);

  // Nothing is sent yet: the stream is for Watch(), and for cancelling it from elsewhere.
  std::unique_ptr<ByteStream> OpenWatch(ResourceType type, const WatchRequest& request);
  // Hands on StreamOpened, each WatchEvent, and at last StreamEnded or RequestFailed, and returns.
  // When `take` returns false nothing more is handed on.
  void Watch(ResourceType type, ByteStream* stream,
             const std::function<bool(ReflectorInput)>& take);

  // kAborted where the pod is bound, being deleted, or another one.
  absl::Status Bind(const Binding& binding);
  absl::Status PatchPodAnnotation(const ObjectIdentity& pod, const AnnotationChange& change);
  // An empty node clears the nomination.
  absl::Status PatchNomination(const Binding& nomination);

  absl::Status CreateEvent(const ApiEvent& event);
  // The event that CreateEvent made, by its name and object.
  absl::Status RepeatEvent(const ApiEvent& event, const EventSeries& series);

  // Whether we may do that.
  absl::StatusOr<AccessAnswer> MayI(const AccessQuestion& question);
  absl::StatusOr<ServerVersion> Version();

 private:
  absl::StatusOr<std::string> Send(const HttpRequest& request);

  Transport* const transport_;
};

}  // namespace gangpack::k8s

#endif  // GANGPACK_K8S_API_CLIENT_H_
