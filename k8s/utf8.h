// Finds text that is not UTF-8, before a parser that does not look trips over it.
//
// Refused as Unicode has it: overlong forms, surrogates, code points beyond U+10FFFF, cut
// sequences. Cost: linear; about one pass over memory where the text is ASCII.

#ifndef GANGPACK_K8S_UTF8_H_
#define GANGPACK_K8S_UTF8_H_

#include <cstddef>
#include <optional>

#include "absl/strings/string_view.h"

namespace gangpack::k8s {

// The offset of the first byte that does not belong to a well-formed character.
std::optional<size_t> FindInvalidUtf8(absl::string_view text);

// The line of that offset; the first line is 1.
int LineOfOffset(absl::string_view text, size_t offset);

}  // namespace gangpack::k8s

#endif  // GANGPACK_K8S_UTF8_H_
