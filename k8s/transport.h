// The port to the API server: requests and answers of HTTP, without a socket in sight.
//
// Any status is an answer; only where none came is there an error: kCancelled, kDeadlineExceeded
// (silence, or no end in time), kUnauthenticated (no credentials to send), kUnavailable for the
// rest. Its text is one line that says which server and why.
// Thread-safety: all of Transport, and ByteStream::Cancel(), from any thread at once.
// Not here: what the answers mean (api_client.h).

#ifndef GANGPACK_K8S_TRANSPORT_H_
#define GANGPACK_K8S_TRANSPORT_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace gangpack::k8s {

struct HttpRequest {
  std::string method = "GET";
  std::string target;  // The path with its query, percent-encoded.
  std::string content_type;
  std::string body;
};

struct HttpResponse {
  int status = 0;
  std::string body;
  std::optional<absl::Duration> retry_after;
};

// Where the bytes of a stream go. Both are called on the thread of ByteStream::Run.
struct StreamSink {
  std::function<void()> opened;                     // The answer is 200.
  std::function<bool(absl::string_view)> received;  // False ends the stream, as kCancelled.
};

// One GET whose answer has no foreseeable end.
class ByteStream {
 public:
  virtual ~ByteStream() = default;

  // Returns when the stream has ended: 200 without a body where it did so in order, any other
  // status with its body, or an error. Called once.
  virtual absl::StatusOr<HttpResponse> Run(const StreamSink& sink) = 0;

  // Ends Run() promptly, or the one that is yet to come.
  virtual void Cancel() = 0;
};

class Transport {
 public:
  virtual ~Transport() = default;

  virtual absl::StatusOr<HttpResponse> Call(const HttpRequest& request) = 0;

  // The transport must outlive the stream. `silence_max`: so long without a byte is an error.
  virtual std::unique_ptr<ByteStream> OpenStream(std::string target,
                                                 absl::Duration silence_max) = 0;

  // Ends all calls and streams as cancelled, and any that come later.
  virtual void Shutdown() = 0;
};

}  // namespace gangpack::k8s

#endif  // GANGPACK_K8S_TRANSPORT_H_
