// Parses JSON in place, and tells a DocumentBuilder what is there: RFC 8259, with nothing added.
//
// Refused, with the line: bad syntax, half a surrogate pair, a number that no double can hold,
// whatever the builder refuses. Recursion is as deep as the builder allows nesting.
// Ownership: where the text is read piecewise, what is not inside an item that the builder has
// been asked to offer is copied to the builder's arena; else values point into the text.
// Not thread-safe. Cost: linear.

#ifndef GANGPACK_K8S_JSON_PARSER_H_
#define GANGPACK_K8S_JSON_PARSER_H_

#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"
#include "k8s/document_builder.h"
#include "k8s/json_text.h"

namespace gangpack::k8s {

class JsonParser {
 public:
  // Both must outlive the parser.
  JsonParser(JsonText* text, DocumentBuilder* builder)
      : text_(*text), builder_(*builder), position_(text->begin()), end_(text->end()) {}

  // Parses all documents. False where the builder has refused, or the text goes no further
  // (JsonText::invalid_after).
  bool Parse();

  // Where it has got to, and on which line that is.
  const char* position() const { return position_; }
  int line() const { return line_; }

 private:
  // The next character; NUL at the end of the text too.
  char Peek() { return *position_ != '\0' ? *position_ : PeekBeyond(); }
  char PeekBeyond();
  bool Consume(char c);
  bool StartsWith(absl::string_view word);

  // False at the end of the text.
  bool SkipToDocument();
  void SkipWhitespace();
  bool ParseValue();
  bool ParseObject();
  bool EndObject();
  bool ParseList();
  bool ParseWord(absl::string_view word, Value value);
  bool ParseNumber();
  // False, without a refusal, where there is none.
  bool ParseDigits();
  bool ParseString(absl::string_view* text);
  void TakePlainCharacters();
  bool ParseEscape(bool* has_code);
  bool ParseCode();
  bool ParseHex4(uint32_t* code);

  void BeginToken();
  void Put(char c) { *token_end_++ = c; }
  absl::string_view Token() const {
    return absl::string_view(token_, static_cast<size_t>(token_end_ - token_));
  }
  absl::string_view EndToken();
  // The text, for as long as the documents live.
  absl::string_view Owned(absl::string_view text);
  bool Refuse(absl::string_view message);

  JsonText& text_;
  DocumentBuilder& builder_;
  char* position_;
  char* end_;  // Of the piece at hand.
  int line_ = 1;
  bool line_begins_ = true;
  // The characters of the token so far, which escapes make fewer than those up to position_. Null
  // outside of tokens.
  char* token_ = nullptr;
  char* token_end_ = nullptr;
};

}  // namespace gangpack::k8s

#endif  // GANGPACK_K8S_JSON_PARSER_H_
