#include "server/json_slice.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_format.h"
#include "k8s/utf8.h"
#include "rapidjson/error/en.h"
#include "rapidjson/reader.h"

namespace gangpack::server {
namespace {

// RapidJSON's input stream over a view, which need not end with a NUL.
class ViewStream {
 public:
  using Ch = char;

  explicit ViewStream(std::string_view text)
      : begin_(text.data()), next_(begin_), end_(begin_ + text.size()) {}

  Ch Peek() const { return next_ < end_ ? *next_ : '\0'; }
  Ch Take() { return next_ < end_ ? *next_++ : '\0'; }
  size_t Tell() const { return static_cast<size_t>(next_ - begin_); }

  // Only writing streams are asked for these; the reader merely names them.
  Ch* PutBegin() { return nullptr; }
  void Put(Ch) {}
  void Flush() {}
  size_t PutEnd(Ch*) { return 0; }

 private:
  const char* const begin_;
  const char* next_;
  const char* const end_;
};

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

uint32_t HexValue(std::string_view digits) {
  uint32_t value = 0;
  for (const char c : digits) {
    value = value * 16 + static_cast<uint32_t>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
  }
  return value;
}

void AppendUtf8(std::string& out, uint32_t code) {
  const auto put = [&out](uint32_t byte) { out.push_back(static_cast<char>(byte)); };
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

std::string Unescape(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      out.push_back(text[i]);
      continue;
    }
    ++i;
    if (text[i] != 'u') {
      out.push_back(SimpleEscape(text[i]));
      continue;
    }
    uint32_t code = HexValue(text.substr(i + 1, 4));
    i += 4;
    if (code >= 0xD800 && code < 0xDC00) {  // Parse has seen to it that the other half follows.
      const uint32_t low = HexValue(text.substr(i + 3, 4));
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
      i += 6;
    }
    AppendUtf8(out, code);
  }
  return out;
}

}  // namespace

std::string_view JsonKindName(JsonKind kind) {
  switch (kind) {
    case JsonKind::kNull:
      return "null";
    case JsonKind::kBool:
      return "a boolean";
    case JsonKind::kNumber:
      return "a number";
    case JsonKind::kString:
      return "a string";
    case JsonKind::kArray:
      return "an array";
    case JsonKind::kObject:
      return "an object";
  }
  return "";
}

std::string_view JsonStrings::Keep(std::string text) { return kept_.emplace_back(std::move(text)); }

absl::StatusOr<JsonSlice> JsonSlice::Parse(std::string_view text) {
  if (const auto bad = k8s::FindInvalidUtf8({text.data(), text.size()})) {
    return absl::InvalidArgumentError(absl::StrFormat("not JSON: not UTF-8 (byte %d)", *bad));
  }
  // Iterative, or deep nesting in a request would overflow the stack; numbers as text, or each
  // would become a double.
  constexpr unsigned kFlags =
      rapidjson::kParseIterativeFlag | rapidjson::kParseNumbersAsStringsFlag;
  ViewStream stream(text);
  rapidjson::Reader reader;
  rapidjson::BaseReaderHandler<> accept_all;
  const rapidjson::ParseResult parsed = reader.Parse<kFlags>(stream, accept_all);
  if (parsed.IsError()) {
    return absl::InvalidArgumentError(absl::StrFormat(
        "not JSON: %s (byte %d)", rapidjson::GetParseError_En(parsed.Code()), parsed.Offset()));
  }
  if (stream.Tell() != text.size()) {  // A NUL byte looks like the end to RapidJSON.
    return absl::InvalidArgumentError(
        absl::StrFormat("not JSON: bytes behind the value (byte %d)", stream.Tell()));
  }
  const size_t begin = SkipSpace(text, 0);
  return JsonSlice(text.substr(begin, EndOfValue(text, begin) - begin));
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
  return strings.Keep(Unescape(inside));
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
  for (const char c : text) {
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
      case '<':
      case '>':
      case '&':
        out += absl::StrFormat("\\u%04x", c);
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          out += absl::StrFormat("\\u%04x", c);
        } else {
          out.push_back(c);
        }
    }
  }
  out.push_back('"');
}

}  // namespace gangpack::server
