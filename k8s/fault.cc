#include "k8s/fault.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace gangpack::k8s {
namespace {

constexpr size_t kMaxQuotedBytes = 80;

bool IsPlainWord(absl::string_view key) {
  return !key.empty() && std::all_of(key.begin(), key.end(), [](unsigned char c) {
    return absl::ascii_isalnum(c) || c == '_' || c == '-';
  });
}

}  // namespace

std::string Fault::ToString() const {
  return OneLine(path.empty() ? absl::StrCat(file, ":", line, ": ", message)
                              : absl::StrCat(file, ":", line, ": ", path, ": ", message));
}

std::string OneLine(absl::string_view text) {
  std::string line;
  for (const char c : text) {
    if (!absl::ascii_iscntrl(static_cast<unsigned char>(c))) {
      line.push_back(c);
    } else if (c == '\n') {
      line.append("\\n");
    } else {
      absl::StrAppendFormat(&line, "\\x%02x", static_cast<unsigned char>(c));
    }
  }
  return line;
}

void AppendMember(absl::string_view key, std::string* path) {
  if (!IsPlainWord(key)) {
    absl::StrAppend(path, "[", key, "]");
  } else {
    absl::StrAppend(path, path->empty() ? "" : ".", key);
  }
}

void AppendIndex(size_t index, std::string* path) { absl::StrAppend(path, "[", index, "]"); }

std::string Quote(absl::string_view text) {
  if (text.size() <= kMaxQuotedBytes) return absl::StrCat("`", text, "`");
  // No character is cut in two: bytes that continue one are taken off first.
  size_t size = kMaxQuotedBytes;
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) --size;
  return absl::StrCat("`", text.substr(0, size), "...`");
}

}  // namespace gangpack::k8s
