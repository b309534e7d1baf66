#include "server/json_slice.h"

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/status_macros.h"
#include "server/json_escape.h"
#include "server/json_reader.h"

namespace gangpack::server {
namespace {

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

size_t SkipSpace(std::string_view text, size_t at) {
  while (at < text.size() && IsSpace(text[at])) ++at;
  return at;
}

// The position behind the string that begins at `at`.
size_t EndOfString(std::string_view text, size_t at) {
  for (++at; text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return at + 1;
}

// The position behind the value that begins at `at`. All these walk text that Parse has checked.
size_t EndOfValue(std::string_view text, size_t at) {
  size_t depth = 0;
  while (at < text.size()) {
    switch (text[at]) {
      case '"':
        at = EndOfString(text, at);
        break;
      case '{':
      case '[':
        ++depth;
        ++at;
        continue;
      case '}':
      case ']':
        --depth;
        ++at;
        break;
      case ',':
      case ':':
      case ' ':
      case '\t':
      case '\n':
      case '\r':
        ++at;
        continue;
      default:
        at = text.find_first_of(",:]} \t\n\r", at);
        if (at == std::string_view::npos) at = text.size();
    }
    if (depth == 0) return at;
  }
  return at;
}

}  // namespace

absl::StatusOr<JsonSlice> JsonSlice::Parse(std::string_view text) {
  JsonStrings strings;
  JsonReader reader(text, &strings);
  const std::string_view value = reader.Skip();
  GP_RETURN_IF_ERROR(reader.End());
  return JsonSlice(value);
}

JsonKind JsonSlice::kind() const { return JsonKindOf(text_.front()); }

std::string_view JsonSlice::String(JsonStrings& strings) const {
  const std::string_view inside = text_.substr(1, text_.size() - 2);
  if (inside.find('\\') == std::string_view::npos) return inside;
  return strings.Keep(UnescapeJson(inside));
}

absl::Status JsonSlice::ForEachMember(
    absl::FunctionRef<absl::Status(JsonSlice key, JsonSlice value)> visit) const {
  size_t at = SkipSpace(text_, 1);
  while (text_[at] != '}') {
    const size_t key_end = EndOfString(text_, at);
    const JsonSlice key(text_.substr(at, key_end - at));
    const size_t colon = SkipSpace(text_, key_end);
    const size_t begin = SkipSpace(text_, colon + 1);
    const size_t end = EndOfValue(text_, begin);
    if (absl::Status status = visit(key, JsonSlice(text_.substr(begin, end - begin)));
        !status.ok()) {
      return status;
    }
    at = SkipSpace(text_, end);
    if (text_[at] == ',') at = SkipSpace(text_, at + 1);
  }
  return absl::OkStatus();
}

absl::Status JsonSlice::ForEachElement(
    absl::FunctionRef<absl::Status(JsonSlice element)> visit) const {
  size_t at = SkipSpace(text_, 1);
  while (text_[at] != ']') {
    const size_t end = EndOfValue(text_, at);
    if (absl::Status status = visit(JsonSlice(text_.substr(at, end - at))); !status.ok()) {
      return status;
    }
    at = SkipSpace(text_, end);
    if (text_[at] == ',') at = SkipSpace(text_, at + 1);
  }
  return absl::OkStatus();
}

}  // namespace gangpack::server
