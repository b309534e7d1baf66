#include "server/chunked_body.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>

namespace gangpack::server {

ChunkedBody::Progress ChunkedBody::Take(std::string_view& bytes, std::string& body) {
  while (!bytes.empty()) {
    if (part_ == Part::kContent) {
      const size_t count = std::min(bytes.size(), static_cast<size_t>(chunk_left_));
      body.append(bytes.substr(0, count));
      bytes.remove_prefix(count);
      chunk_left_ -= static_cast<int64_t>(count);
      if (chunk_left_ == 0) part_ = Part::kEndOfContent;
      continue;
    }
    const size_t end = bytes.find('\n');
    const size_t count = end == std::string_view::npos ? bytes.size() : end + 1;
    const size_t line_bytes_max = part_ == Part::kTrailer ? kTrailerBytesMax : kLineBytesMax;
    if (line_.size() + count > line_bytes_max) return Progress::kMalformed;
    line_.append(bytes.substr(0, count));
    bytes.remove_prefix(count);
    if (end == std::string_view::npos) break;
    if (!line_.ends_with("\r\n")) return Progress::kMalformed;
    const Progress progress = TakeLine(std::string_view(line_).substr(0, line_.size() - 2));
    line_.clear();
    if (progress != Progress::kNeedsMore) return progress;
  }
  return Progress::kNeedsMore;
}

ChunkedBody::Progress ChunkedBody::TakeLine(std::string_view line) {
  switch (part_) {
    case Part::kSize:
      return TakeSize(line);
    case Part::kEndOfContent:
      part_ = Part::kSize;
      return line.empty() ? Progress::kNeedsMore : Progress::kMalformed;
    default:
      trailer_bytes_ += line.size();
      if (trailer_bytes_ > kTrailerBytesMax) return Progress::kMalformed;
      return line.empty() ? Progress::kDone : Progress::kNeedsMore;
  }
}

ChunkedBody::Progress ChunkedBody::TakeSize(std::string_view line) {
  std::string_view digits = line.substr(0, line.find(';'));
  while (digits.ends_with(' ') || digits.ends_with('\t')) digits.remove_suffix(1);
  uint64_t size = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), size, 16);
  if (digits.empty() || error == std::errc::invalid_argument ||
      end != digits.data() + digits.size()) {
    return Progress::kMalformed;
  }
  if (error != std::errc() || size > static_cast<uint64_t>(bytes_left_)) return Progress::kTooLarge;
  chunk_left_ = static_cast<int64_t>(size);
  bytes_left_ -= chunk_left_;
  part_ = size == 0 ? Part::kTrailer : Part::kContent;
  return Progress::kNeedsMore;
}

}  // namespace gangpack::server
