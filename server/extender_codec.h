// The JSON that kube-scheduler and an extender exchange (k8s.io/kube-scheduler/extender/v1, the
// same in Kubernetes 1.30 to 1.37), both ways: the server decodes arguments and encodes results,
// whoever plays kube-scheduler does the opposite. The arguments of filter and prioritize are read
// in extender_args.h.
//
// Terms: a struct here has the name of the Go type it carries. Keys are the Go names (`NodeNames`),
// read without regard to case as Go does, written as they are; unknown keys are ignored; null and
// absent are the same.
// Ownership: decoded structs are views of the body, which must outlive them; only strings with
// escapes are copied, into their `strings`. So they move and are never copied.
// Errors: kInvalidArgument, "FIELD.PATH: expected X, found Y". Decoding changes nothing.
// Determinism: lists keep the order of the body; encoding is a function of its argument, byte for
// byte.
// Cost: O(bytes).
// Not here: what to answer (extender_handler.h).
#ifndef GANGPACK_SERVER_EXTENDER_CODEC_H_
#define GANGPACK_SERVER_EXTENDER_CODEC_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "server/extender_args.h"
#include "server/json_slice.h"

namespace gangpack::server {

struct ExtenderBindingArgs {
  std::string_view pod_name;
  std::string_view pod_namespace;
  std::string_view pod_uid;
  std::string_view node;
  JsonStrings strings;
};

struct NodeRefusal {
  std::string_view node;
  std::string_view reason;
};

// kube-scheduler reads `node_names` where it sent names, else `nodes`; with neither, every node is
// rejected. A non-empty `error` fails the call, whatever the lists say. Preemption may still be
// tried on `failed_nodes`, but not on `failed_and_unresolvable_nodes`. A rejected node needs no
// entry: one is enough to show a reason.
struct ExtenderFilterResult {
  std::optional<std::vector<ExtenderNode>> nodes;
  std::optional<std::vector<std::string_view>> node_names;
  std::vector<NodeRefusal> failed_nodes;
  std::vector<NodeRefusal> failed_and_unresolvable_nodes;
  std::string_view error;
  JsonStrings strings;
};

// kube-scheduler adds score x weight x 10 to its own sum, without a range check; 0 to 10 is
// customary.
struct HostPriority {
  std::string_view host;
  int64_t score = 0;
};

struct HostPriorityList {
  std::vector<HostPriority> hosts;
  JsonStrings strings;
};

// Empty: the pod is bound. Else the bind failed, with exactly this text.
struct ExtenderBindingResult {
  std::string error;
};

// All four must be there and not empty.
absl::StatusOr<ExtenderBindingArgs> DecodeExtenderBindingArgs(std::string_view body);

std::string EncodeExtenderArgs(const ExtenderArgs& args);
std::string EncodeExtenderBindingArgs(const ExtenderBindingArgs& args);

// Appends a reason or an error as a JSON string. They become kube-scheduler's events by way of a
// format string, so a '%' is written as " percent".
void AppendEventText(std::string& out, std::string_view text);
// Appends an element of a HostPriorityList, whose bracket `out` has already.
void AppendHostPriority(std::string& out, std::string_view host, int64_t score);

std::string EncodeExtenderFilterResult(const ExtenderFilterResult& result);
std::string EncodeHostPriorityList(const std::vector<HostPriority>& hosts);
std::string EncodeExtenderBindingResult(const ExtenderBindingResult& result);

// As strict and as lenient as kube-scheduler: an empty body is an error, a score must be an integer
// literal.
absl::StatusOr<ExtenderFilterResult> DecodeExtenderFilterResult(std::string_view body);
absl::StatusOr<HostPriorityList> DecodeHostPriorityList(std::string_view body);
absl::StatusOr<ExtenderBindingResult> DecodeExtenderBindingResult(std::string_view body);

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_EXTENDER_CODEC_H_
