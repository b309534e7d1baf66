// Follows all objects of one kind: lists them page by page, watches from there, and starts over
// where the server demands it. A step function: it opens no socket and reads no clock.
//
// Terms: a moment is the time of a step, and a random number for delays. A request is what the
// caller is to do next; a step whose output has one ends the request before it, an open watch too.
// Rules:
//  1. A list asks for the newest state, in pages. Changes are handed on page by page; what vanished
//     since the list before comes after the last page. Where the continue token has expired the
//     list starts over.
//  2. A watch resumes from the newest resourceVersion seen, bookmarks included. Where that is
//     refused as expired (410), unknown or too new, or where the stream cannot be understood, a
//     list follows, and its differences from what was handed on.
//  3. Events not newer than what was seen are repetitions and change nothing.
//  4. Delays grow with failures in a row (backoff.h), and are never shorter than Retry-After. Only
//     a watch that shows something, or lasts, ends the row: a list alone does not.
//  5. A kind that the server does not serve (404) is empty and synchronised, and asked for again
//     after `absent_retry`, where ReflectorOptions says so; else 404 is an error like 403: told,
//     retried, and not taken for emptiness.
//  6. An object that cannot be decoded is reported once per version and keeps its former state, if
//     it has one; the stream goes on.
// Determinism: the same inputs give the same outputs. Not thread-safe. Cost: that of KnownObjects.
// Not here: which requests these are in HTTP (api_client.h).

#ifndef GANGPACK_K8S_REFLECTOR_H_
#define GANGPACK_K8S_REFLECTOR_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "k8s/api_failure.h"
#include "k8s/backoff.h"
#include "k8s/known_objects.h"
#include "k8s/list_page.h"
#include "k8s/resource_type.h"
#include "k8s/watch_decoder.h"

namespace gangpack::k8s {

struct ReflectorOptions {
  ResourceType type = ResourceType::kPods;
  bool absent_is_empty = false;
  int page_limit = 500;
  // A watch is asked to end after this long, or up to twice as long.
  absl::Duration watch_timeout = absl::Minutes(5);
  absl::Duration absent_retry = absl::Seconds(10);
  // A watch that lasted this long is asked for again, or followed by a list, without delay.
  absl::Duration short_watch = absl::Seconds(1);
  BackoffOptions backoff;
};

struct Moment {
  absl::Time now;
  int jitter_permille = 0;  // From 0 to 1000.
};

// What to do next.
struct ListRequest {
  int limit = 0;
  std::string continue_token;  // Empty for the first page.
};
struct WatchRequest {
  std::string resource_version;
  absl::Duration timeout;
};
struct WaitRequest {
  absl::Time until;
};
using ReflectorRequest = std::variant<ListRequest, WatchRequest, WaitRequest>;

// What came of it; ListPage and WatchEvent too.
struct WaitEnded {};     // Also the first step of all.
struct StreamOpened {};  // The watch was granted; its events follow.
struct RequestFailed {   // The list or watch was refused, got no answer, or none of use.
  ApiFailure failure;
};
struct StreamEnded {
  enum class Cause : uint8_t {
    kComplete,    // In order.
    kBroken,      // Cut off, or silent for too long.
    kUnreadable,  // Something that is no event.
  };
  Cause cause = Cause::kComplete;
  std::string message;  // Empty for kComplete.
};
using ReflectorInput =
    std::variant<WaitEnded, ListPage, StreamOpened, WatchEvent, RequestFailed, StreamEnded>;

struct ReflectorOutput {
  std::vector<ObjectChange> changes;     // To be applied in this order.
  std::vector<std::string> reports;      // For the log, one line each.
  bool synchronised = false;             // True in the one step that completes the first list.
  std::optional<ReflectorRequest> next;  // Absent: go on reading the watch that is open.
};

class Reflector {
 public:
  explicit Reflector(const ReflectorOptions& options);

  ReflectorOutput Step(ReflectorInput input, const Moment& moment);

  bool synchronised() const { return synchronised_; }
  // The server does not serve this kind.
  bool absent() const { return absent_; }
  // OK while the last request worked.
  const absl::Status& trouble() const { return trouble_; }
  // When the server last told anything about this kind; the infinite past before that.
  absl::Time last_contact() const { return last_contact_; }
  size_t objects() const { return known_.size(); }
  // Full lists that were begun.
  int64_t lists_begun() const { return lists_begun_; }

 private:
  enum class Phase : uint8_t { kListing, kWatching };

  void On(const WaitEnded&);
  void On(const StreamOpened&);
  void On(ListPage page);
  void On(WatchEvent event);
  void On(const RequestFailed& failed);
  void On(const StreamEnded& ended);

  void ListAgain(bool at_once);
  void RetryAfterFailure(std::optional<absl::Duration> at_least);
  void BecomeAbsent();
  void BecomeSynchronised();
  void Request();
  void RequestWatch();
  void Trouble(absl::Status status);
  void Contact();
  bool IsRepetition(const std::string& resource_version) const;

  ReflectorOptions options_;
  KnownObjects known_;
  Backoff backoff_;
  Phase phase_ = Phase::kListing;
  std::string continue_token_;    // Of the page to be asked for next.
  std::string resource_version_;  // Of the watch.
  absl::Time watch_since_;
  bool watch_showed_something_ = false;
  bool synchronised_ = false;
  bool absent_ = false;
  absl::Status trouble_;
  absl::Time last_contact_ = absl::InfinitePast();
  int64_t lists_begun_ = 0;

  // Of the step that is going on.
  Moment moment_;
  ReflectorOutput output_;
};

}  // namespace gangpack::k8s

#endif  // GANGPACK_K8S_REFLECTOR_H_
