// Long text in lines that a terminal shows whole.
#ifndef GANGPACK_SERVER_DEMO_WRAPPED_TEXT_H_
#define GANGPACK_SERVER_DEMO_WRAPPED_TEXT_H_

#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"

namespace gangpack::server {

// Breaks `text` at blanks so that no line has more than `width` bytes, unless one word has, and
// puts `indent` blanks before every line but the first. The first line of `text` begins in column
// `indent` already.
std::string WrapText(absl::string_view text, size_t width, size_t indent);

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_DEMO_WRAPPED_TEXT_H_
