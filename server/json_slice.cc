#include "server/json_slice.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_format.h"
#include "core/status_macros.h"
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

bool NeedsEscape(char c) {
  return c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' ||
         static_cast<unsigned char>(c) < 0x20;
}

// The position of the first byte from `at` on that needs an escape; that of the end if none does.
size_t EndOfUnescaped(std::string_view text, size_t at) {
#ifdef __SSE2__
  for (; text.size() - at >= 16; at += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + at));
    __m128i found = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x1F)), bytes);
    for (const char c : {'"', '\\', '<', '>', '&'}) {
      found = _mm_or_si128(found, _mm_cmpeq_epi8(bytes, _mm_set1_epi8(c)));
    }
    const auto escapes = static_cast<unsigned>(_mm_movemask_epi8(found));
    if (escapes != 0) return at + static_cast<size_t>(__builtin_ctz(escapes));
  }
#endif
  while (at < text.size() && !NeedsEscape(text[at])) ++at;
  return at;
}

void AppendEscape(std::string& out, char c) {
  switch (c) {
    case '"':
    case '\\':
      out.push_back('\\');
      out.push_back(c);
      break;
    case '\n':
      out += "\\n";
      break;
    case '\r':
      out += "\\r";
      break;
    case '\t':
      out += "\\t";
      break;
    default:
      out += absl::StrFormat("\\u%04x", c);
  }
}

}  // namespace

absl::StatusOr<JsonSlice> JsonSlice::Parse(std::string_view text) {
  JsonStrings strings;
  JsonReader reader(text, &strings);
  const std::string_view value = reader.Skip();
  GP_RETURN_IF_ERROR(reader.End());
  return JsonSlice(value);
}

JsonKind JsonSlice::kind() const {
  switch (text_.front()) {
    case 'n':
      return JsonKind::kNull;
    case 't':
    case 'f':
      return JsonKind::kBool;
    case '"':
      return JsonKind::kString;
    case '[':
      return JsonKind::kArray;
    case '{':
      return JsonKind::kObject;
    default:
      return JsonKind::kNumber;
  }
}

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

void AppendJsonString(std::string& out, std::string_view text) {
  out.push_back('"');
  size_t begin = 0;
  for (;;) {
    const size_t end = EndOfUnescaped(text, begin);
    out.append(text, begin, end - begin);
    if (end == text.size()) break;
    AppendEscape(out, text[end]);
    begin = end + 1;
  }
  out.push_back('"');
}

}  // namespace gangpack::server
