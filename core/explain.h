// Reason codes to words. The words users of the OME scheduler already know come first, the numbers
// after them.
//
// Errors: none. Determinism: the text depends on the Reason only. No text ever contains a '%'
// (kube-scheduler passes messages as format strings); one that comes from an object's name is
// replaced by '_'.
#ifndef GANGPACK_CORE_EXPLAIN_H_
#define GANGPACK_CORE_EXPLAIN_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "core/reason.h"

namespace gangpack {

// What kube-scheduler is told: stable while the gang's membership is (each changed text costs a
// retry in its only loop).
std::string Text(const Reason& reason);

// Text() and, after ": ", the numbers a person can act on: pages, gRPC, simulate, events on the
// PodGroup. The numbers alone where the code is kNone.
std::string DetailedText(const Reason& reason);

// "1 member", "2 members".
std::string Counted(int64_t count, absl::string_view noun);

// `node-7 short of nvidia.com/gpu: needs 8, free 4`, `node-3 cordoned`, ...
std::string Describe(const NodeShortage& shortage);
// What a person needs to act on it, without the node.
std::string DescribePodRule(const PodRuleRejection& rejection);

}  // namespace gangpack

#endif  // GANGPACK_CORE_EXPLAIN_H_
