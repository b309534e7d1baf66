#include "server/json_escape.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/strings/str_format.h"

namespace gangpack::server {
namespace {

// Of four hexadecimal digits; -1 if they are not.
int32_t HexValue(const char* digits) {
  int32_t value = 0;
  for (int i = 0; i < 4; ++i) {
    const char lower = static_cast<char>(digits[i] | 0x20);
    if ((digits[i] >= '0' && digits[i] <= '9')) {
      value = value * 16 + (digits[i] - '0');
    } else if (lower >= 'a' && lower <= 'f') {
      value = value * 16 + (lower - 'a' + 10);
    } else {
      return -1;
    }
  }
  return value;
}

bool IsHighSurrogate(int32_t code) { return code >= 0xD800 && code < 0xDC00; }
bool IsLowSurrogate(int32_t code) { return code >= 0xDC00 && code < 0xE000; }

void AppendUtf8(std::string& out, int32_t code) {
  const auto put = [&out](int32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | code >> 6);
    put(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  } else {
    put(0xF0 | code >> 18);
    put(0x80 | (code >> 12 & 0x3F));
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  }
}

char SimpleEscape(char c) {
  switch (c) {
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    default:
      return c;  // Quote, backslash and slash stand for themselves.
  }
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

const char* EndOfJsonEscape(const char* at, const char* end) {
  constexpr ptrdiff_t kUnicode = 6;  // \uXXXX
  if (end - at < 2) return nullptr;
  if (at[1] != 'u') {
    return std::string_view("\"\\/bfnrt").find(at[1]) == std::string_view::npos ? nullptr : at + 2;
  }
  if (end - at < kUnicode) return nullptr;
  const int32_t code = HexValue(at + 2);
  if (code < 0 || IsLowSurrogate(code)) return nullptr;
  if (!IsHighSurrogate(code)) return at + kUnicode;
  if (end - at < 2 * kUnicode || at[kUnicode] != '\\' || at[kUnicode + 1] != 'u' ||
      !IsLowSurrogate(HexValue(at + kUnicode + 2))) {
    return nullptr;
  }
  return at + 2 * kUnicode;
}

std::string UnescapeJson(std::string_view checked) {
  std::string out;
  out.reserve(checked.size());
  for (size_t i = 0; i < checked.size(); ++i) {
    if (checked[i] != '\\') {
      out.push_back(checked[i]);
      continue;
    }
    ++i;
    if (checked[i] != 'u') {
      out.push_back(SimpleEscape(checked[i]));
      continue;
    }
    int32_t code = HexValue(checked.data() + i + 1);
    i += 4;
    if (IsHighSurrogate(code)) {
      code = 0x10000 + ((code - 0xD800) << 10) + (HexValue(checked.data() + i + 3) - 0xDC00);
      i += 6;
    }
    AppendUtf8(out, code);
  }
  return out;
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
