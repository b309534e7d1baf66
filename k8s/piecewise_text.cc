#include "k8s/piecewise_text.h"

#include <cstring>
#include <utility>

#include "core/check.h"
#include "k8s/utf8.h"

namespace gangpack::k8s {
namespace {

// Small enough for a processor's cache, where the parser and the decoder read it again.
constexpr size_t kPieceBytes = size_t{64} << 10;
constexpr size_t kLongestCharacter = 4;

int NewlinesIn(absl::string_view text) {
  int newlines = 0;
  while (true) {
    const size_t at = text.find('\n');
    if (at == absl::string_view::npos) return newlines;
    ++newlines;
    text.remove_prefix(at + 1);
  }
}

}  // namespace

size_t PiecewiseText::Fill(char* to, size_t size) {
  size_t filled = held_back_.size();
  std::memcpy(to, held_back_.data(), filled);
  held_back_.clear();
  while (true) {
    const size_t got = read_(to + filled, size - filled);
    bytes_ += got;
    filled += got;
    const absl::string_view text(to, filled);
    const std::optional<size_t> bad = FindInvalidUtf8(text);
    const size_t valid = bad.value_or(filled);
    const bool may_be_cut = got > 0 && filled - valid < kLongestCharacter;
    if (bad.has_value() && !may_be_cut) {
      invalid_line_ = line_ + NewlinesIn(text.substr(0, valid));
      return 0;
    }
    if (valid == 0 && got > 0) continue;  // a part of one character
    held_back_ = std::string(text.substr(valid));
    line_ += NewlinesIn(text.substr(0, valid));
    return valid;
  }
}

bool PiecewiseText::Next(absl::string_view rest) {
  CORE_CHECK(rest.size() <= kRestMax);
  if (piece_ == nullptr) piece_.reset(new char[kRestMax + kPieceBytes]);
  if (!rest.empty()) std::memmove(piece_.get(), rest.data(), rest.size());
  size_ = rest.size();
  if (invalid_line_.has_value()) return false;
  const size_t filled = Fill(piece_.get() + rest.size(), kPieceBytes);
  size_ += filled;
  return filled > 0;
}

void PiecewiseText::ReadToEnd() {
  while (Next("")) continue;
  if (!invalid_line_.has_value()) return;
  // Only the size is still asked for.
  while (const size_t got = read_(piece_.get(), kPieceBytes)) bytes_ += got;
}

}  // namespace gangpack::k8s
