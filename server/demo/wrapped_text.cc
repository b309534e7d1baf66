#include "server/demo/wrapped_text.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace gangpack::server {

std::string WrapText(absl::string_view text, size_t width, size_t indent) {
  std::string wrapped;
  size_t column = indent;
  for (const absl::string_view word : absl::StrSplit(text, ' ')) {
    if (column > indent && column + 1 + word.size() > width) {
      absl::StrAppend(&wrapped, "\n", std::string(indent, ' '));
      column = indent;
    } else if (column > indent) {
      wrapped += ' ';
      ++column;
    }
    absl::StrAppend(&wrapped, word);
    column += word.size();
  }
  return wrapped;
}

}  // namespace gangpack::server
