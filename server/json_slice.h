// A JSON value as a view of the bytes it was written with, so that a part of a request (a Pod, a
// Node) can be handed on or echoed byte for byte, and a long list is read without building a tree.
//
// The text is checked once, by JsonSlice::Parse; every slice below it is then known to be
// well-formed and walking it cannot fail.
// Ownership: slices and the strings they give are views; the text, and the JsonStrings passed to
// String(), must outlive them.
// Thread-safety: values; const use from many threads is safe.
// Determinism: members and elements come in the order of the text, repeated keys included.
// Cost: Parse O(bytes) without recursion, whatever the nesting; each ForEach O(bytes of that
// value).
// Not here: a text that is read once (json_reader.h), the meaning of Kubernetes objects (k8s/),
// that of extender requests (extender_codec.h).
#ifndef GANGPACK_SERVER_JSON_SLICE_H_
#define GANGPACK_SERVER_JSON_SLICE_H_

#include <string>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/json_escape.h"
#include "server/json_reader.h"

namespace gangpack::server {

class JsonSlice {
 public:
  // The value null.
  JsonSlice() : text_("null") {}

  // Errors: kInvalidArgument if `text` is not exactly one JSON value in valid UTF-8, with the byte
  // where it went wrong.
  static absl::StatusOr<JsonSlice> Parse(std::string_view text);

  JsonKind kind() const;
  bool is_null() const { return kind() == JsonKind::kNull; }

  // The bytes of the value, without the white space around it.
  std::string_view text() const { return text_; }

  // Requires kString. A view of the text itself unless that has escapes, which are resolved into
  // `strings`.
  std::string_view String(JsonStrings& strings) const;

  // Requires kObject. Stops at the first error and returns it. The key is a slice of kind kString.
  absl::Status ForEachMember(
      absl::FunctionRef<absl::Status(JsonSlice key, JsonSlice value)> visit) const;

  // Requires kArray. Stops at the first error and returns it.
  absl::Status ForEachElement(absl::FunctionRef<absl::Status(JsonSlice element)> visit) const;

 private:
  explicit JsonSlice(std::string_view text) : text_(text) {}

  std::string_view text_;
};

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_JSON_SLICE_H_
