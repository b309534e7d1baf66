#include "k8s/json_reader.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "k8s/fault.h"
#include "k8s/utf8.h"
#include "rapidjson/error/error.h"
#include "rapidjson/reader.h"

namespace gangpack::k8s {

// A stream of RapidJSON that counts lines. A newline is no part of a valid JSON string, so the line
// at the start of a string is that of all of it.
class JsonStream {
 public:
  using Ch = char;

  explicit JsonStream(PiecewiseText* text) : text_(text) {}

  // NUL at the end of the text too.
  Ch Peek() { return position_ != end_ || Refill(0) ? *position_ : '\0'; }
  Ch Take() {
    const Ch c = Peek();
    if (c == '\n') ++line_;
    if (position_ != end_) ++position_;
    return c;
  }
  int line() const { return line_; }
  bool AtEnd() { return position_ == end_ && !Refill(0); }
  // Moves over `word`, which has no newline, if it comes next.
  bool TakeWord(absl::string_view word) {
    while (left() < word.size() && Refill(left())) continue;
    if (!absl::StartsWith(absl::string_view(position_, left()), word)) return false;
    position_ += word.size();
    return true;
  }

  // The rest of the concept: refusals name lines, not offsets, and nothing is written in place.
  size_t Tell() const { return 0; }
  Ch* PutBegin() { return nullptr; }
  void Put(Ch) {}
  void Flush() {}
  size_t PutEnd(Ch*) { return 0; }

 private:
  size_t left() const { return static_cast<size_t>(end_ - position_); }
  bool Refill(size_t rest) {
    const bool more = text_->Next(absl::string_view(position_, rest));
    position_ = text_->begin();
    end_ = text_->end();
    return more;
  }

  PiecewiseText* text_;
  const char* position_ = nullptr;
  const char* end_ = nullptr;
  int line_ = 1;
};

}  // namespace gangpack::k8s

namespace rapidjson {
// Parsing works on a local copy of the stream, and handlers see the stream as it was before the
// value. Both the speed and the lines of values rest on that.
template <>
struct StreamTraits<gangpack::k8s::JsonStream> {
  enum { copyOptimization = 1 };
};

// In compact JSON there is none to skip, nearly always.
template <>
inline void SkipWhitespace(gangpack::k8s::JsonStream& stream) {
  while (true) {
    const char c = stream.Peek();
    if (c != ' ' && c != '\n' && c != '\r' && c != '\t') return;
    stream.Take();
  }
}
}  // namespace rapidjson

namespace gangpack::k8s {
namespace {

constexpr unsigned kParseFlags =
    rapidjson::kParseStopWhenDoneFlag | rapidjson::kParseNumbersAsStringsFlag;

// The events of rapidjson::Reader, passed on to the builder with their lines.
class JsonHandler : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, JsonHandler> {
 public:
  JsonHandler(const JsonStream* stream, DocumentBuilder* builder)
      : stream_(*stream), builder_(*builder) {}

  bool Null() { return builder_.Add(Value::Null(stream_.line())); }
  bool Bool(bool value) { return builder_.Add(Value::Bool(value, stream_.line())); }
  bool RawNumber(const char* text, rapidjson::SizeType size, bool) {
    return builder_.Add(Value::Number(builder_.arena().CopyText({text, size}), stream_.line()));
  }
  bool String(const char* text, rapidjson::SizeType size, bool) {
    if (!CheckSurrogates({text, size})) return false;
    return builder_.Add(Value::String(builder_.arena().CopyText({text, size}), stream_.line()));
  }
  bool Key(const char* text, rapidjson::SizeType size, bool) {
    if (!CheckSurrogates({text, size})) return false;
    return builder_.Key(builder_.arena().CopyText({text, size}), stream_.line());
  }
  bool StartObject() { return builder_.StartMap(stream_.line()); }
  bool EndObject(rapidjson::SizeType) { return builder_.EndMap(); }
  bool StartArray() { return builder_.StartList(stream_.line()); }
  bool EndArray(rapidjson::SizeType) { return builder_.EndList(); }

 private:
  // The text as it was written is UTF-8. RapidJSON refuses the first half of a surrogate pair
  // without its second one, but not the second without its first.
  bool CheckSurrogates(absl::string_view text) {
    constexpr char kFirstByteOfSurrogates = '\xED';
    if (!absl::StrContains(text, kFirstByteOfSurrogates)) return true;
    if (!FindInvalidUtf8(text).has_value()) return true;
    return builder_.Refuse(stream_.line(), "bad \\u escape, expected surrogates in pairs of two");
  }

  const JsonStream& stream_;
  DocumentBuilder& builder_;
};

absl::string_view SyntaxMessage(rapidjson::ParseErrorCode code) {
  switch (code) {
    case rapidjson::kParseErrorObjectMissName:
      return "bad JSON, expected a key in double quotes, or '}'";
    case rapidjson::kParseErrorObjectMissColon:
      return "bad JSON, expected ':' after a key";
    case rapidjson::kParseErrorObjectMissCommaOrCurlyBracket:
      return "bad JSON, expected ',' or '}' after a member of an object";
    case rapidjson::kParseErrorArrayMissCommaOrSquareBracket:
      return "bad JSON, expected ',' or ']' after an item of a list";
    case rapidjson::kParseErrorStringUnicodeEscapeInvalidHex:
      return "bad \\u escape, expected four hexadecimal digits";
    case rapidjson::kParseErrorStringUnicodeSurrogateInvalid:
      return "bad \\u escape, expected surrogates in pairs of two";
    case rapidjson::kParseErrorStringEscapeInvalid:
    case rapidjson::kParseErrorStringInvalidEncoding:
      return "bad escape or control character in a string, expected an escape such as \\n or "
             "\\u0041";
    case rapidjson::kParseErrorStringMissQuotationMark:
      return "string without an end, expected a closing '\"'";
    case rapidjson::kParseErrorNumberTooBig:
      return "number too large, expected one below 1.8e308";
    case rapidjson::kParseErrorNumberMissFraction:
      return "bad number, expected a digit after '.'";
    case rapidjson::kParseErrorNumberMissExponent:
      return "bad number, expected a digit in its exponent";
    default:
      return "bad JSON, expected a value: an object, a list, a string in double quotes, a number, "
             "true, false or null";
  }
}

// Moves over what may stand between two documents. False at the end of the text.
bool SkipToDocument(JsonStream* stream, bool line_begins) {
  while (!stream->AtEnd()) {
    const char c = stream->Peek();
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
      line_begins = c == '\n';
      stream->Take();
    } else if (line_begins && stream->TakeWord("---")) {
      line_begins = false;
    } else {
      return true;
    }
  }
  return false;
}

bool Parse(JsonStream* stream, DocumentBuilder* builder) {
  JsonHandler handler(stream, builder);
  rapidjson::Reader reader;
  bool line_begins = !stream->TakeWord("\xEF\xBB\xBF");
  while (SkipToDocument(stream, line_begins)) {
    line_begins = false;
    if (reader.Parse<kParseFlags>(*stream, handler).IsError()) {
      return builder->Refuse(stream->line(),
                             std::string(SyntaxMessage(reader.GetParseErrorCode())));
    }
  }
  return true;
}

absl::Status Refusal(const std::string& file, int line, absl::string_view message) {
  return absl::InvalidArgumentError(Fault{file, line, "", std::string(message)}.ToString());
}

}  // namespace

absl::StatusOr<Documents> ReadJson(TextStream source, TakeItem take) {
  DocumentBuilder builder(source.file, std::move(take));
  PiecewiseText text(std::move(source.read));
  JsonStream stream(&text);
  const bool parsed = Parse(&stream, &builder);
  // A text is refused for its size before its bytes, and for its bytes before its syntax.
  text.ReadToEnd();
  if (text.bytes() > kMaxTextBytes) {
    return Refusal(
        source.file, 1,
        absl::StrCat("text too large, expected at most ", kMaxTextBytes, " bytes in one file"));
  }
  if (text.invalid_line().has_value()) {
    return Refusal(source.file, *text.invalid_line(), "invalid byte, expected UTF-8 text");
  }
  if (!parsed) return builder.status();
  return builder.Finish();
}

absl::StatusOr<Documents> ReadJson(TextSource source) {
  auto read = [text = std::move(source.text), at = size_t{0}](char* to, size_t size) mutable {
    const size_t given = std::min(size, text.size() - at);
    std::copy_n(text.data() + at, given, to);
    at += given;
    return given;
  };
  return ReadJson(TextStream{std::move(source.file), std::move(read)}, nullptr);
}

}  // namespace gangpack::k8s
