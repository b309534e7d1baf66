// The characters of a JSON text for a parser that works in place: all of them, or piece by piece as
// they are read.
//
// Terms: a token is what the parser is in the middle of; its characters stay next to each other
// whatever the pieces are. Pieces that are left behind are kept while values point into them.
// Invariants: text that was handed out is valid UTF-8; after the last character is a NUL.
// Ownership: values of a text that is read piecewise may point into it until Forget().
// Not thread-safe. Cost: memory of two pieces, besides what is kept. Not here: what the characters
// mean (json_parser.h).

#ifndef GANGPACK_K8S_JSON_TEXT_H_
#define GANGPACK_K8S_JSON_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace gangpack::k8s {

// Copies the next bytes of a text to `to`, at most `size`, and says how many; 0 at its end.
using TextReader = std::function<size_t(char* to, size_t size)>;

class JsonText {
 public:
  // `text` is changed by the parser, and must be UTF-8.
  explicit JsonText(std::string* text)
      : begin_(text->data()), end_(text->data() + text->size()), bytes_(text->size()) {}
  explicit JsonText(TextReader read);

  JsonText(const JsonText&) = delete;
  JsonText& operator=(const JsonText&) = delete;

  // The piece at hand.
  char* begin() const { return begin_; }
  char* end() const { return end_; }
  bool is_piecewise() const { return read_ != nullptr; }

  // Makes the next piece the one at hand, with `token` before its characters: it begins where the
  // token does. `keep` the piece before it where values point into that. False at the end of the
  // text, and where a byte is no UTF-8; the piece is then as it was.
  bool Next(absl::string_view token, bool keep);
  // Pieces that were kept are no longer needed.
  void Forget();

  // Reads to the end of the text, so that bytes() and invalid_after() are of all of it.
  void ReadToEnd(const char* from);
  // Bytes read until now.
  uint64_t bytes() const { return bytes_; }
  // Where a byte is no UTF-8: how many newlines are before it, not counting those that the parser
  // had left behind at the last call of Next() or ReadToEnd().
  std::optional<int> invalid_after() const { return invalid_after_; }

 private:
  using Piece = std::unique_ptr<char[]>;

  // Fills up to `size` bytes behind what was held back; the size of the valid text.
  size_t Fill(char* to, size_t size);

  TextReader read_;
  char* begin_ = nullptr;
  char* end_ = nullptr;
  Piece piece_;
  size_t capacity_ = 0;  // Of piece_.
  Piece spare_;          // Of kPieceBytes, or none.
  std::vector<Piece> kept_;
  std::string held_back_;  // The beginning of a character whose rest comes with the next piece.
  uint64_t bytes_ = 0;
  std::optional<int> invalid_after_;
};

}  // namespace gangpack::k8s

#endif  // GANGPACK_K8S_JSON_TEXT_H_
