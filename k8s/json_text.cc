#include "k8s/json_text.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "k8s/utf8.h"

namespace gangpack::k8s {
namespace {

// Small enough for a processor's cache, where the parser and the decoder read it again.
constexpr size_t kPieceBytes = size_t{256} << 10;
constexpr size_t kLongestCharacter = 4;

char kNothing[1] = {'\0'};

int NewlinesIn(absl::string_view text) {
  return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

JsonText::JsonText(TextReader read) : read_(std::move(read)), begin_(kNothing), end_(kNothing) {}

size_t JsonText::Fill(char* to, size_t size) {
  size_t filled = held_back_.size();
  std::memcpy(to, held_back_.data(), filled);
  held_back_.clear();
  while (true) {
    const size_t got = read_(to + filled, size - filled);
    bytes_ += got;
    filled += got;
    const absl::string_view text(to, filled);
    const std::optional<size_t> bad = FindInvalidUtf8(text);
    if (!bad.has_value()) return filled;
    const bool may_be_cut = got > 0 && filled - *bad < kLongestCharacter;
    if (!may_be_cut) {
      invalid_after_ = NewlinesIn(text.substr(0, *bad));
      return 0;
    }
    if (*bad > 0) {
      held_back_ = std::string(text.substr(*bad));
      return *bad;
    }
  }
}

bool JsonText::Next(absl::string_view token, bool keep) {
  if (!is_piecewise() || invalid_after_.has_value()) return false;
  // A token of many pieces is moved along with each of them: they have to grow.
  const size_t capacity = std::max(kPieceBytes, 4 * token.size());
  Piece next = capacity == kPieceBytes && spare_ != nullptr ? std::move(spare_)
                                                            : Piece(new char[capacity + 1]);
  if (!token.empty()) std::memcpy(next.get(), token.data(), token.size());
  const size_t filled = Fill(next.get() + token.size(), capacity - token.size());
  if (filled == 0) return false;
  if (keep) {
    kept_.push_back(std::move(piece_));
  } else if (capacity_ == kPieceBytes) {
    spare_ = std::move(piece_);
  }
  piece_ = std::move(next);
  capacity_ = capacity;
  begin_ = piece_.get();
  end_ = begin_ + token.size() + filled;
  *end_ = '\0';
  return true;
}

void JsonText::Forget() { kept_.clear(); }

void JsonText::ReadToEnd(const char* from) {
  if (!is_piecewise()) return;
  const bool was_valid = !invalid_after_.has_value();
  int newlines = NewlinesIn(absl::string_view(from, static_cast<size_t>(end_ - from)));
  const Piece scratch(new char[kPieceBytes]);
  while (true) {
    if (invalid_after_.has_value()) {
      // Only the size is still asked for.
      const size_t got = read_(scratch.get(), kPieceBytes);
      if (got == 0) break;
      bytes_ += got;
      continue;
    }
    const size_t filled = Fill(scratch.get(), kPieceBytes);
    if (filled == 0 && !invalid_after_.has_value()) break;
    newlines += NewlinesIn(absl::string_view(scratch.get(), filled));
  }
  if (was_valid && invalid_after_.has_value()) *invalid_after_ += newlines;
}

}  // namespace gangpack::k8s
