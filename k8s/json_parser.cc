#include "k8s/json_parser.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "k8s/utf8.h"

namespace gangpack::k8s {
namespace {

constexpr absl::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr absl::string_view kSeparator = "---";

constexpr char kBadValue[] =
    "bad JSON, expected a value: an object, a list, a string in double quotes, a number, true, "
    "false or null";
constexpr char kBadSurrogates[] = "bad \\u escape, expected surrogates in pairs of two";
constexpr char kBadCharacter[] =
    "bad escape or control character in a string, expected an escape such as \\n or \\u0041";
constexpr char kTooLarge[] = "number too large, expected one below 1.8e308";

constexpr uint64_t kEachByte = 0x0101010101010101u;
constexpr uint64_t kHighBits = 0x8080808080808080u;

uint64_t WordAt(const char* text) {
  uint64_t word;
  std::memcpy(&word, text, sizeof(word));
  return word;
}

// Nonzero where a byte of `word` is below `limit` (at most 0x80).
uint64_t BytesBelow(uint64_t word, uint8_t limit) {
  return (word - kEachByte * limit) & ~word & kHighBits;
}

// A character of a string that stands for itself.
bool IsPlain(char c) { return static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\'; }

bool ArePlain(uint64_t word) {
  const uint64_t quotes = BytesBelow(word ^ (kEachByte * '"'), 1);
  const uint64_t backslashes = BytesBelow(word ^ (kEachByte * '\\'), 1);
  return (BytesBelow(word, 0x20) | quotes | backslashes) == 0;
}

bool IsDigit(char c) { return absl::ascii_isdigit(static_cast<unsigned char>(c)); }

// Whether a whole number is beyond what a double can hold.
bool IsTooLarge(absl::string_view digits) {
  constexpr size_t kSurelyHeld = 308;
  constexpr double kLargestBeforeADigit = 1.7976931348623157e307;
  if (digits.size() <= kSurelyHeld) return false;
  double value = 0;
  for (const char digit : digits) {
    if (value >= kLargestBeforeADigit) return true;
    value = value * 10 + (digit - '0');
  }
  return false;
}

// What stands after a backslash for one character; NUL if that is no escape.
char Unescaped(char c) {
  switch (c) {
    case '"':
    case '\\':
    case '/':
      return c;
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
      return '\0';
  }
}

}  // namespace

bool JsonParser::Parse() {
  if (StartsWith(kByteOrderMark)) {
    position_ += kByteOrderMark.size();
    line_begins_ = false;
  }
  while (SkipToDocument()) {
    if (!ParseValue()) return false;
    line_begins_ = false;
  }
  return !text_.invalid_after().has_value();
}

char JsonParser::PeekBeyond() {
  if (position_ != end_) return '\0';
  const char* const from = token_ == nullptr ? position_ : token_;
  const size_t gone = static_cast<size_t>(position_ - from);
  const size_t token_size = static_cast<size_t>(token_end_ - token_);
  // What an escape left free stays free, for the character that it stands for.
  if (!text_.Next(absl::string_view(from, gone), builder_.offers())) return '\0';
  if (token_ != nullptr) {
    token_ = text_.begin();
    token_end_ = token_ + token_size;
  }
  position_ = text_.begin() + gone;
  end_ = text_.end();
  return *position_;
}

bool JsonParser::StartsWith(absl::string_view word) {
  while (static_cast<size_t>(end_ - position_) < word.size()) {
    const absl::string_view rest(position_, static_cast<size_t>(end_ - position_));
    if (!text_.Next(rest, builder_.offers())) break;
    position_ = text_.begin();
    end_ = text_.end();
  }
  return absl::StartsWith(absl::string_view(position_, static_cast<size_t>(end_ - position_)),
                          word);
}

bool JsonParser::Consume(char c) {
  if (Peek() != c) return false;
  ++position_;
  return true;
}

bool JsonParser::SkipToDocument() {
  while (true) {
    const char c = Peek();
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
      SkipWhitespace();
    } else if (c == '-' && line_begins_ && StartsWith(kSeparator)) {
      position_ += kSeparator.size();
      line_begins_ = false;
    } else {
      line_begins_ = false;
      return c != '\0' || position_ != end_;
    }
  }
}

void JsonParser::SkipWhitespace() {
  constexpr uint64_t kSpaces = kEachByte * ' ';
  while (true) {
    while (end_ - position_ >= 8 && WordAt(position_) == kSpaces) {
      position_ += 8;
      line_begins_ = false;
    }
    const char c = Peek();
    if (c == '\n') {
      ++line_;
    } else if (c != ' ' && c != '\t' && c != '\r') {
      return;
    }
    line_begins_ = c == '\n';
    ++position_;
  }
}

bool JsonParser::ParseValue() {
  absl::string_view text;
  switch (Peek()) {
    case '{':
      return ParseObject();
    case '[':
      return ParseList();
    case '"':
      return ParseString(&text) && builder_.Add(Value::String(Owned(text), line_));
    case 't':
      return ParseWord("true", Value::Bool(true, line_));
    case 'f':
      return ParseWord("false", Value::Bool(false, line_));
    case 'n':
      return ParseWord("null", Value::Null(line_));
    default:
      return ParseNumber();
  }
}

bool JsonParser::ParseObject() {
  ++position_;
  if (!builder_.StartMap(line_)) return false;
  SkipWhitespace();
  if (Consume('}')) return EndObject();
  while (true) {
    absl::string_view key;
    if (Peek() != '"') return Refuse("bad JSON, expected a key in double quotes, or '}'");
    if (!ParseString(&key) || !builder_.Key(Owned(key), line_)) return false;
    SkipWhitespace();
    if (!Consume(':')) return Refuse("bad JSON, expected ':' after a key");
    SkipWhitespace();
    if (!ParseValue()) return false;
    SkipWhitespace();
    if (Consume('}')) return EndObject();
    if (!Consume(',')) return Refuse("bad JSON, expected ',' or '}' after a member of an object");
    SkipWhitespace();
  }
}

bool JsonParser::EndObject() {
  const bool goes_on = builder_.EndMap();
  if (!builder_.offers()) text_.Forget();
  return goes_on;
}

bool JsonParser::ParseList() {
  ++position_;
  if (!builder_.StartList(line_)) return false;
  SkipWhitespace();
  if (Consume(']')) return builder_.EndList();
  while (true) {
    if (!ParseValue()) return false;
    SkipWhitespace();
    if (Consume(']')) return builder_.EndList();
    if (!Consume(',')) return Refuse("bad JSON, expected ',' or ']' after an item of a list");
    SkipWhitespace();
  }
}

bool JsonParser::ParseWord(absl::string_view word, Value value) {
  for (const char c : word) {
    if (!Consume(c)) return Refuse(kBadValue);
  }
  return builder_.Add(value);
}

bool JsonParser::ParseDigits() {
  if (!IsDigit(Peek())) return false;
  while (IsDigit(Peek())) Put(*position_++);
  return true;
}

bool JsonParser::ParseNumber() {
  BeginToken();
  const auto take = [this](char c) {
    const bool there = Peek() == c;
    if (there) Put(*position_++);
    return there;
  };
  const bool negative = take('-');
  if (!take('0') && !ParseDigits()) return Refuse(kBadValue);
  if (IsTooLarge(Token().substr(negative ? 1 : 0))) return Refuse(kTooLarge);
  int64_t exponent_max = 308;
  if (take('.')) {
    const size_t before = Token().size();
    if (!ParseDigits()) return Refuse("bad number, expected a digit after '.'");
    exponent_max += static_cast<int64_t>(Token().size() - before);
  }
  if (take('e') || take('E')) {
    const bool small = take('-');
    if (!small) take('+');
    const size_t before = Token().size();
    if (!ParseDigits()) return Refuse("bad number, expected a digit in its exponent");
    int64_t exponent = 0;
    for (const char digit : Token().substr(before)) {
      exponent = std::min(exponent * 10 + (digit - '0'), exponent_max + 1);
    }
    if (!small && exponent > exponent_max) return Refuse(kTooLarge);
  }
  return builder_.Add(Value::Number(Owned(EndToken()), line_));
}

bool JsonParser::ParseString(absl::string_view* text) {
  ++position_;
  BeginToken();
  bool has_code = false;
  while (true) {
    TakePlainCharacters();
    const char c = Peek();
    if (c == '"') break;
    if (c == '\\') {
      if (!ParseEscape(&has_code)) return false;
    } else if (c == '\0') {
      return Refuse("string without an end, expected a closing '\"'");
    } else if (!IsPlain(c)) {
      return Refuse(kBadCharacter);
    }
  }
  ++position_;
  *text = EndToken();
  // The text as it was written is UTF-8; a second half of a pair without its first one is not.
  if (has_code && FindInvalidUtf8(*text).has_value()) return Refuse(kBadSurrogates);
  return true;
}

void JsonParser::TakePlainCharacters() {
  char* position = position_;
  if (token_end_ == position) {  // without an escape until now, nothing has to be moved
    while (end_ - position >= 8 && ArePlain(WordAt(position))) position += 8;
    while (IsPlain(*position)) ++position;
    token_end_ = position;
  } else {
    char* to = token_end_;
    while (IsPlain(*position)) *to++ = *position++;
    token_end_ = to;
  }
  position_ = position;
}

bool JsonParser::ParseEscape(bool* has_code) {
  ++position_;
  const char c = Peek();
  if (c == 'u') {
    *has_code = true;
    return ParseCode();
  }
  const char unescaped = Unescaped(c);
  if (unescaped == '\0') return Refuse(kBadCharacter);
  ++position_;
  Put(unescaped);
  return true;
}

bool JsonParser::ParseCode() {
  uint32_t code = 0;
  ++position_;
  if (!ParseHex4(&code)) return false;
  if (code >= 0xD800 && code <= 0xDBFF) {
    uint32_t second = 0;
    if (!Consume('\\') || !Consume('u')) return Refuse(kBadSurrogates);
    if (!ParseHex4(&second)) return false;
    if (second < 0xDC00 || second > 0xDFFF) return Refuse(kBadSurrogates);
    code = 0x10000 + ((code - 0xD800) << 10) + (second - 0xDC00);
  }
  const auto put_last = [&](int shift) { Put(static_cast<char>(0x80 | ((code >> shift) & 0x3F))); };
  if (code < 0x80) {
    Put(static_cast<char>(code));
  } else if (code < 0x800) {
    Put(static_cast<char>(0xC0 | (code >> 6)));
    put_last(0);
  } else if (code < 0x10000) {
    Put(static_cast<char>(0xE0 | (code >> 12)));
    put_last(6);
    put_last(0);
  } else {
    Put(static_cast<char>(0xF0 | (code >> 18)));
    put_last(12);
    put_last(6);
    put_last(0);
  }
  return true;
}

bool JsonParser::ParseHex4(uint32_t* code) {
  for (int i = 0; i < 4; ++i) {
    const char c = Peek();
    if (!absl::ascii_isxdigit(static_cast<unsigned char>(c))) {
      return Refuse("bad \\u escape, expected four hexadecimal digits");
    }
    const int digit = IsDigit(c) ? c - '0' : absl::ascii_tolower(c) - 'a' + 10;
    *code = *code * 16 + static_cast<uint32_t>(digit);
    ++position_;
  }
  return true;
}

void JsonParser::BeginToken() { token_ = token_end_ = position_; }

absl::string_view JsonParser::EndToken() {
  const absl::string_view token = Token();
  token_ = token_end_ = nullptr;
  return token;
}

absl::string_view JsonParser::Owned(absl::string_view text) {
  const bool stays = !text_.is_piecewise() || builder_.offers();
  return stays ? text : builder_.arena().CopyText(text);
}

bool JsonParser::Refuse(absl::string_view message) {
  return builder_.Refuse(line_, std::string(message));
}

}  // namespace gangpack::k8s
