// Reads a JSON text once, from its beginning to its end, as the caller asks for it: no tree, and no
// pass over the bytes before it.
//
// Terms: the text of a value is its bytes, without the white space around it.
// Strictness: RFC 8259 in valid UTF-8, and escapes that name whole characters; exactly one value.
// Ownership: what it gives are views of the text; strings with escapes are views into `strings`.
// Both must outlive them.
// Errors: the first one is kept for End(); from then on every value is null and every list over, so
// a caller need not ask in between.
// Cost: O(bytes) without recursion, whatever the nesting.
// Not here: values that are walked more than once (json_slice.h).
#ifndef GANGPACK_SERVER_JSON_READER_H_
#define GANGPACK_SERVER_JSON_READER_H_

#include <cstddef>
#include <forward_list>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace gangpack::server {

enum class JsonKind { kNull, kBool, kNumber, kString, kArray, kObject };

// "an object", "null": for messages of the form "expected X, found Y".
std::string_view JsonKindName(JsonKind kind);

// Of the value that begins with this byte.
JsonKind JsonKindOf(char first);

// INVALID_ARGUMENT "PATH: expected X, found Y".
absl::Status JsonMismatch(std::string_view path, std::string_view expected, std::string_view found);

// Keeps the strings that had to be unescaped, at stable addresses. It moves but is never copied,
// since the copies of the views would still point into the original.
class JsonStrings {
 public:
  JsonStrings() = default;
  JsonStrings(JsonStrings&&) = default;
  JsonStrings& operator=(JsonStrings&&) = default;

  std::string_view Keep(std::string text);

 private:
  std::forward_list<std::string> kept_;
};

// Every value must be read once: by String() or Begin...() where its kind allows, else by Skip().
class JsonReader {
 public:
  JsonReader(std::string_view text, JsonStrings* strings)
      : begin_(text.data()), at_(text.data()), end_(text.data() + text.size()), strings_(strings) {}

  // Of the value that comes next, as its first byte tells.
  JsonKind kind();

  // Requires kString.
  std::string_view String();
  // Reads any value; gives its text.
  std::string_view Skip();

  // Requires kObject: `BeginObject(); while (NextKey(key)) <read the value>`.
  void BeginObject() { Begin(); }
  bool NextKey(std::string_view& key);
  // Requires kArray: `BeginArray(); while (NextElement()) <read the value>`.
  void BeginArray() { Begin(); }
  bool NextElement();

  // Appends the strings at the head of the rest of an array, while NextElement() would find more of
  // them: the long lists of this protocol in one tight loop.
  void NextStrings(std::vector<absl::string_view>& strings);

  // Where the next value begins, and the text from such a place to the end of the last value.
  const char* Mark();
  std::string_view Since(const char* mark) const;

  // INVALID_ARGUMENT with the byte where the text went wrong, or if more than white space is left.
  absl::Status End();

 private:
  void SkipSpace();
  void Begin();
  bool NextItem(char close);
  bool ReadKey(std::string_view& key);
  bool ReadColon();
  bool ReadString(std::string_view& inside, bool& has_escapes);
  bool PassScalar();
  bool PassLiteral(std::string_view literal);
  bool PassNumber();
  bool PassDigits();
  void PassValue();
  // Always false.
  bool Fail(const char* at, std::string_view expected);

  const char* const begin_;
  const char* at_;
  const char* end_;
  JsonStrings* const strings_;
  bool first_ = false;  // Of the innermost list nothing was read yet.
  bool failed_ = false;
  std::string open_;  // The brackets of the value being skipped.
  size_t bad_byte_ = 0;
  std::string_view expected_;
};

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_JSON_READER_H_
