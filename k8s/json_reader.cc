#include "k8s/json_reader.h"

#include <memory>
#include <optional>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "k8s/document_builder.h"
#include "k8s/utf8.h"
#include "rapidjson/error/error.h"
#include "rapidjson/reader.h"

namespace gangpack::k8s {

// rapidjson::InsituStringStream that counts lines. A newline is no part of a valid JSON string, so
// the line at the start of a string is that of all of it.
class LineCountingStream {
 public:
  using Ch = char;

  explicit LineCountingStream(char* text) : begin_(text), source_(text) {}

  Ch Peek() const { return *source_; }
  Ch Take() {
    if (*source_ == '\n') ++line_;
    return *source_++;
  }
  size_t Tell() const { return static_cast<size_t>(source_ - begin_); }
  int line() const { return line_; }
  // Moves on to the next document; `offset` lies on the line `line`.
  void Seek(size_t offset, int line) {
    source_ = begin_ + offset;
    line_ = line;
  }

  Ch* PutBegin() { return target_ = source_; }
  void Put(Ch c) { *target_++ = c; }
  size_t PutEnd(Ch* begin) { return static_cast<size_t>(target_ - begin); }
  void Flush() {}

 private:
  char* begin_;
  char* source_;
  char* target_ = nullptr;
  int line_ = 1;
};

}  // namespace gangpack::k8s

namespace rapidjson {
// Parsing works on a local copy of the stream, and handlers see the stream as it was before the
// value. Both the speed and the lines of values rest on that.
template <>
struct StreamTraits<gangpack::k8s::LineCountingStream> {
  enum { copyOptimization = 1 };
};
}  // namespace rapidjson

namespace gangpack::k8s {
namespace {

constexpr unsigned kParseFlags = rapidjson::kParseInsituFlag | rapidjson::kParseStopWhenDoneFlag |
                                 rapidjson::kParseNumbersAsStringsFlag;

// The events of rapidjson::Reader, passed on to the builder with their lines.
class JsonHandler : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, JsonHandler> {
 public:
  JsonHandler(const LineCountingStream* stream, bool has_unicode_escapes, DocumentBuilder* builder)
      : stream_(stream), has_unicode_escapes_(has_unicode_escapes), builder_(builder) {}

  bool Null() { return builder_->Add(Value::Null(stream_->line())); }
  bool Bool(bool value) { return builder_->Add(Value::Bool(value, stream_->line())); }
  bool RawNumber(const char* text, rapidjson::SizeType size, bool) {
    return builder_->Add(Value::Number({text, size}, stream_->line()));
  }
  bool String(const char* text, rapidjson::SizeType size, bool) {
    if (!CheckSurrogates({text, size})) return false;
    return builder_->Add(Value::String({text, size}, stream_->line()));
  }
  bool Key(const char* text, rapidjson::SizeType size, bool) {
    if (!CheckSurrogates({text, size})) return false;
    return builder_->Key({text, size}, stream_->line());
  }
  bool StartObject() { return builder_->StartMap(stream_->line()); }
  bool EndObject(rapidjson::SizeType) { return builder_->EndMap(); }
  bool StartArray() { return builder_->StartList(stream_->line()); }
  bool EndArray(rapidjson::SizeType) { return builder_->EndList(); }

 private:
  // RapidJSON refuses `\ud800` without its second half, but not `\udc00` without its first.
  bool CheckSurrogates(absl::string_view text) {
    if (!has_unicode_escapes_ || !FindInvalidUtf8(text).has_value()) return true;
    return builder_->Refuse(stream_->line(), "bad \\u escape, expected surrogates in pairs of two");
  }

  const LineCountingStream* stream_;
  bool has_unicode_escapes_;
  DocumentBuilder* builder_;
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

absl::Status Refusal(const std::string& file, int line, absl::string_view message) {
  return absl::InvalidArgumentError(Fault{file, line, "", std::string(message)}.ToString());
}

// Moves over what may stand between two documents. False at the end of the text.
bool SkipToDocument(absl::string_view text, LineCountingStream* stream) {
  size_t offset = stream->Tell();
  int line = stream->line();
  while (offset < text.size()) {
    const char c = text[offset];
    const bool line_begins = offset == 0 || text[offset - 1] == '\n';
    if (c == '\n') ++line;
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
      ++offset;
    } else if (line_begins && absl::StartsWith(text.substr(offset), "---")) {
      offset += 3;
    } else {
      break;
    }
  }
  stream->Seek(offset, line);
  return offset < text.size();
}

}  // namespace

absl::StatusOr<Documents> ReadJson(TextSource source) {
  const std::string& file = source.file;
  if (source.text.size() > kMaxTextBytes) {
    return Refusal(
        file, 1,
        absl::StrCat("text too large, expected at most ", kMaxTextBytes, " bytes in one file"));
  }
  if (const std::optional<size_t> bad = FindInvalidUtf8(source.text)) {
    return Refusal(file, LineOfOffset(source.text, *bad), "invalid byte, expected UTF-8 text");
  }
  // Strings point into the text, so it must keep its address when the result is moved.
  auto text = std::make_unique<std::string>(std::move(source.text));
  DocumentBuilder builder(file);
  LineCountingStream stream(text->data());
  if (absl::StartsWith(*text, "\xEF\xBB\xBF")) stream.Seek(3, 1);
  JsonHandler handler(&stream, absl::StrContains(*text, "\\u"), &builder);
  rapidjson::Reader reader;
  while (SkipToDocument(*text, &stream)) {
    if (reader.Parse<kParseFlags>(stream, handler).IsError()) {
      builder.Refuse(stream.line(), std::string(SyntaxMessage(reader.GetParseErrorCode())));
      return builder.status();
    }
  }
  return builder.Finish(std::move(text));
}

}  // namespace gangpack::k8s
