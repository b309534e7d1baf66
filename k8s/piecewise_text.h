// A text as it comes, one piece in memory at a time.
//
// Invariants: what was handed out is valid UTF-8; no character is cut by the end of a piece.
// Not thread-safe. Cost: linear; memory of one piece.

#ifndef GANGPACK_K8S_PIECEWISE_TEXT_H_
#define GANGPACK_K8S_PIECEWISE_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"

namespace gangpack::k8s {

// Copies the next bytes of a text to `to`, at most `size`, and says how many; 0 at its end.
using TextReader = std::function<size_t(char* to, size_t size)>;

class PiecewiseText {
 public:
  explicit PiecewiseText(TextReader read) : read_(std::move(read)) {}

  PiecewiseText(const PiecewiseText&) = delete;
  PiecewiseText& operator=(const PiecewiseText&) = delete;

  // The piece at hand: none before the first call of Next().
  const char* begin() const { return piece_.get(); }
  const char* end() const { return piece_.get() + size_; }

  // Reads the next piece in place of the one at hand, of which only `rest` stays in front of it: at
  // most its last kRestMax bytes. False, and nothing but `rest`, at the end of the text and where a
  // byte is no UTF-8.
  bool Next(absl::string_view rest);
  static constexpr size_t kRestMax = 8;

  // Reads to the end of the text, so that bytes() and invalid_line() are of all of it.
  void ReadToEnd();
  // Bytes read until now.
  uint64_t bytes() const { return bytes_; }
  // The line of the first byte that is no UTF-8.
  std::optional<int> invalid_line() const { return invalid_line_; }

 private:
  // Reads behind `to` what was held back and up to `size` bytes; the size of the valid text.
  size_t Fill(char* to, size_t size);

  TextReader read_;
  std::unique_ptr<char[]> piece_;
  size_t size_ = 0;
  std::string held_back_;  // The beginning of a character whose rest comes with the next piece.
  uint64_t bytes_ = 0;
  int line_ = 1;  // Of the next piece.
  std::optional<int> invalid_line_;
};

}  // namespace gangpack::k8s

#endif  // GANGPACK_K8S_PIECEWISE_TEXT_H_
