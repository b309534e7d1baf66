#include "k8s/utf8.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace gangpack::k8s {
namespace {

// The size of the well-formed character at `offset`, or 0. The table is the one of Unicode 15,
// section 3.9, "Well-Formed UTF-8 Byte Sequences".
size_t CharacterSize(absl::string_view text, size_t offset) {
  const auto byte = [&](size_t i) -> uint8_t {
    return offset + i < text.size() ? static_cast<uint8_t>(text[offset + i]) : 0;
  };
  const auto continues = [&](size_t i) { return (byte(i) & 0xC0) == 0x80; };
  const uint8_t first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return continues(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    if (!continues(1) || !continues(2)) return 0;
    if (first == 0xE0 && byte(1) < 0xA0) return 0;
    if (first == 0xED && byte(1) > 0x9F) return 0;
    return 3;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    if (!continues(1) || !continues(2) || !continues(3)) return 0;
    if (first == 0xF0 && byte(1) < 0x90) return 0;
    if (first == 0xF4 && byte(1) > 0x8F) return 0;
    return 4;
  }
  return 0;
}

}  // namespace

std::optional<size_t> FindInvalidUtf8(absl::string_view text) {
  size_t offset = 0;
  while (offset < text.size()) {
    uint64_t word;
    if (offset + sizeof(word) <= text.size()) {
      std::memcpy(&word, text.data() + offset, sizeof(word));
      if ((word & 0x8080808080808080u) == 0) {
        offset += sizeof(word);
        continue;
      }
    }
    const size_t size = CharacterSize(text, offset);
    if (size == 0) return offset;
    offset += size;
  }
  return std::nullopt;
}

int LineOfOffset(absl::string_view text, size_t offset) {
  const absl::string_view before = text.substr(0, offset);
  return 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n'));
}

}  // namespace gangpack::k8s
