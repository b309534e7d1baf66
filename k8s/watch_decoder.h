// Turns the bytes of a watch, in whatever pieces they arrive, into its events.
//
// Terms: a frame is one line of the stream, `{"type": ..., "object": ...}`.
// Errors are final: kResourceExhausted for a frame above the limit, kInvalidArgument for one that
// is no event. An object that cannot be used is no error: its record says what is wrong with it.
// Memory: one frame. Cost: linear. Not thread-safe.
// Not here: what an event changes (reflector.h).

#ifndef GANGPACK_K8S_WATCH_DECODER_H_
#define GANGPACK_K8S_WATCH_DECODER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "k8s/api_failure.h"
#include "k8s/api_object.h"
#include "k8s/resource_type.h"

namespace gangpack::k8s {

// An object of etcd has at most 1.5 MiB by default; escapes of JSON can make more of it.
inline constexpr size_t kMaxWatchFrameBytes = size_t{16} << 20;

struct WatchEvent {
  enum class Kind : uint8_t { kAdded, kModified, kDeleted, kBookmark, kError };
  Kind kind = Kind::kBookmark;
  ApiRecord record;    // Of a bookmark, the resource_version alone; empty for kError.
  ApiFailure failure;  // Of kError.
};

class WatchDecoder {
 public:
  explicit WatchDecoder(ResourceType type, size_t frame_bytes_max = kMaxWatchFrameBytes)
      : type_(type), frame_bytes_max_(frame_bytes_max) {}

  void Append(absl::string_view bytes);

  // The next event, or nothing while its frame is incomplete. Call it until it returns nothing
  // before more is appended.
  absl::StatusOr<std::optional<WatchEvent>> Next();

  // Once the stream has ended: DataLoss where it ended inside a frame.
  absl::Status Finish() const;

 private:
  absl::StatusOr<WatchEvent> DecodeFrame(std::string frame) const;

  ResourceType type_;
  size_t frame_bytes_max_;
  std::string pending_;
  size_t begin_ = 0;    // Of the first frame that was not handed out.
  size_t scanned_ = 0;  // No line ends between begin_ and here.
  absl::Status status_;
};

}  // namespace gangpack::k8s

#endif  // GANGPACK_K8S_WATCH_DECODER_H_
