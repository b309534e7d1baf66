#include "server/json_reader.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "k8s/utf8.h"
#include "server/json_escape.h"

namespace gangpack::server {
namespace {

constexpr std::string_view kAValue = "a value";
constexpr std::string_view kUtf8 = "UTF-8";

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// The first quote, backslash or control character. `ascii` becomes false if there is any other byte
// above 127 before it.
const char* EndOfPlainText(const char* at, const char* end, bool& ascii) {
#ifdef __SSE2__
  const __m128i quote = _mm_set1_epi8('"');
  const __m128i backslash = _mm_set1_epi8('\\');
  const __m128i last_control = _mm_set1_epi8(0x1F);
  for (; end - at >= 16; at += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(bytes, last_control), bytes);
    const __m128i other =
        _mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, backslash));
    const auto special = static_cast<unsigned>(_mm_movemask_epi8(_mm_or_si128(control, other)));
    const auto high = static_cast<unsigned>(_mm_movemask_epi8(bytes));
    if (special != 0) {
      const int plain = __builtin_ctz(special);
      if ((high & ((1U << plain) - 1)) != 0) ascii = false;
      return at + plain;
    }
    if (high != 0) ascii = false;
  }
#endif
  for (; at < end; ++at) {
    const auto byte = static_cast<unsigned char>(*at);
    if (byte == '"' || byte == '\\' || byte < 0x20) break;
    if (byte >= 0x80) ascii = false;
  }
  return at;
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

JsonKind JsonKindOf(char first) {
  switch (first) {
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

absl::Status JsonMismatch(std::string_view path, std::string_view expected,
                          std::string_view found) {
  const auto view = [](std::string_view text) {
    return absl::string_view(text.data(), text.size());
  };
  return absl::InvalidArgumentError(
      absl::StrCat(view(path), ": expected ", view(expected), ", found ", view(found)));
}

std::string_view JsonStrings::Keep(std::string text) {
  return kept_.emplace_front(std::move(text));
}

JsonKind JsonReader::kind() {
  SkipSpace();
  if (at_ == end_) {
    Fail(at_, kAValue);
    return JsonKind::kNull;
  }
  return JsonKindOf(*at_);
}

std::string_view JsonReader::String() {
  SkipSpace();
  std::string_view inside;
  bool has_escapes = false;
  if (!ReadString(inside, has_escapes)) return {};
  return has_escapes ? strings_->Keep(UnescapeJson(inside)) : inside;
}

std::string_view JsonReader::Skip() {
  const char* const mark = Mark();
  PassValue();
  return Since(mark);
}

bool JsonReader::NextKey(std::string_view& key) {
  if (!NextItem('}')) return false;
  SkipSpace();
  return ReadKey(key);
}

bool JsonReader::NextElement() { return NextItem(']'); }

void JsonReader::NextStrings(std::vector<absl::string_view>& strings) {
  for (;;) {
    const char* const before = at_;
    const bool before_first = first_;
    const bool has_next = NextItem(']');
    if (failed_) return;
    if (has_next) SkipSpace();
    if (!has_next || at_ == end_ || *at_ != '"') {  // Left to NextElement().
      at_ = before;
      first_ = before_first;
      return;
    }
    const std::string_view text = String();
    if (failed_) return;
    strings.emplace_back(text.data(), text.size());
  }
}

const char* JsonReader::Mark() {
  SkipSpace();
  return at_;
}

std::string_view JsonReader::Since(const char* mark) const {
  if (failed_) return "null";
  return {mark, static_cast<size_t>(at_ - mark)};
}

absl::Status JsonReader::End() {
  SkipSpace();
  if (!failed_ && at_ != end_) Fail(at_, "nothing behind the value");
  if (!failed_) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("not JSON: expected ", absl::string_view(expected_.data(), expected_.size()),
                   " (byte ", bad_byte_, ")"));
}

void JsonReader::SkipSpace() {
  while (at_ < end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t')) ++at_;
}

void JsonReader::Begin() {
  SkipSpace();
  if (at_ < end_) ++at_;
  first_ = true;
}

bool JsonReader::NextItem(char close) {
  SkipSpace();
  if (at_ < end_ && *at_ == close) {
    ++at_;
    first_ = false;  // The list around it has had this one.
    return false;
  }
  if (!std::exchange(first_, false)) {
    if (at_ == end_ || *at_ != ',') {
      return Fail(at_,
                  close == '}' ? "a comma or a closing brace" : "a comma or a closing bracket");
    }
    ++at_;
  }
  return !failed_;
}

bool JsonReader::ReadKey(std::string_view& key) {
  if (at_ == end_ || *at_ != '"') return Fail(at_, "a key in quotes");
  key = String();
  return !failed_ && ReadColon();
}

bool JsonReader::ReadColon() {
  SkipSpace();
  if (at_ == end_ || *at_ != ':') return Fail(at_, "a colon");
  ++at_;
  return true;
}

bool JsonReader::ReadString(std::string_view& inside, bool& has_escapes) {
  if (failed_) return false;
  const char* const begin = at_ + 1;  // Behind the quote, which the callers have seen.
  const char* at = begin;
  bool ascii = true;
  for (;;) {
    at = EndOfPlainText(at, end_, ascii);
    if (at == end_) return Fail(at, "a closing quote");
    if (*at == '"') break;
    const char* const escape = at;
    if (*escape != '\\') return Fail(escape, "no control character in a string");
    has_escapes = true;
    at = EndOfJsonEscape(escape, end_);
    if (at == nullptr) return Fail(escape, "an escaped character");
  }
  inside = std::string_view(begin, static_cast<size_t>(at - begin));
  if (!ascii) {
    if (const auto bad = k8s::FindInvalidUtf8({inside.data(), inside.size()})) {
      return Fail(begin + *bad, kUtf8);
    }
  }
  at_ = at + 1;
  return true;
}

bool JsonReader::PassScalar() {
  switch (*at_) {
    case 'n':
      return PassLiteral("null");
    case 't':
      return PassLiteral("true");
    case 'f':
      return PassLiteral("false");
    default:
      return PassNumber();
  }
}

bool JsonReader::PassLiteral(std::string_view literal) {
  if (!std::string_view(at_, static_cast<size_t>(end_ - at_)).starts_with(literal)) {
    return Fail(at_, kAValue);
  }
  at_ += literal.size();
  return true;
}

bool JsonReader::PassNumber() {
  const bool negative = *at_ == '-';
  if (!negative && !IsDigit(*at_)) return Fail(at_, kAValue);
  if (negative) ++at_;
  if (at_ < end_ && *at_ == '0') {
    ++at_;
  } else if (!PassDigits()) {
    return false;
  }
  if (at_ < end_ && *at_ == '.') {
    ++at_;
    if (!PassDigits()) return false;
  }
  if (at_ < end_ && (*at_ == 'e' || *at_ == 'E')) {
    ++at_;
    if (at_ < end_ && (*at_ == '+' || *at_ == '-')) ++at_;
    if (!PassDigits()) return false;
  }
  return true;
}

bool JsonReader::PassDigits() {
  if (at_ == end_ || !IsDigit(*at_)) return Fail(at_, "a digit");
  while (at_ < end_ && IsDigit(*at_)) ++at_;
  return true;
}

void JsonReader::PassValue() {
  open_.clear();
  std::string_view unused;
  bool has_escapes = false;
  do {
    SkipSpace();
    if (at_ == end_) {
      Fail(at_, kAValue);
      return;
    }
    // The key of a member comes before its value, and the first item of a list has no comma.
    if (*at_ == '{' || *at_ == '[') {
      open_.push_back(*at_ == '{' ? '}' : ']');
      Begin();
    } else if (*at_ == '"' ? !ReadString(unused, has_escapes) : !PassScalar()) {
      return;
    }
    while (!open_.empty() && !NextItem(open_.back())) {
      if (failed_) return;
      open_.pop_back();
    }
    if (!open_.empty() && open_.back() == '}') {
      SkipSpace();
      if (at_ == end_ || *at_ != '"') {
        Fail(at_, "a key in quotes");
        return;
      }
      if (!ReadString(unused, has_escapes) || !ReadColon()) return;
    }
  } while (!open_.empty());
}

bool JsonReader::Fail(const char* at, std::string_view expected) {
  if (!failed_) {
    failed_ = true;
    bad_byte_ = static_cast<size_t>(at - begin_);
    expected_ = expected;
  }
  at_ = end_;
  return false;
}

}  // namespace gangpack::server
