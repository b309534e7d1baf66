// Reads the chunks of an HTTP/1.1 body as they arrive.
//
// Strictness: lines end with CR LF and sizes are hexadecimal digits, since whoever is lenient here
// may see another end of the body than the proxy before it. Extensions and trailers are passed
// over. Limits: `body_bytes_max` of body, kLineBytesMax of each line, kTrailerBytesMax of trailers.
// Cost: O(bytes).
// Not here: the stream they come from (call_connection.h).
#ifndef GANGPACK_SERVER_CHUNKED_BODY_H_
#define GANGPACK_SERVER_CHUNKED_BODY_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace gangpack::server {

class ChunkedBody {
 public:
  enum class Progress { kNeedsMore, kDone, kMalformed, kTooLarge };
  static constexpr size_t kLineBytesMax = 256;
  static constexpr size_t kTrailerBytesMax = 8 * 1024;

  explicit ChunkedBody(int64_t body_bytes_max) : bytes_left_(body_bytes_max) {}

  // Takes off `bytes` what belongs to the body and appends its content to `body`. All but
  // kNeedsMore are final.
  Progress Take(std::string_view& bytes, std::string& body);

 private:
  enum class Part { kSize, kContent, kEndOfContent, kTrailer };

  // Without its line end, which it has.
  Progress TakeLine(std::string_view line);
  Progress TakeSize(std::string_view line);

  int64_t bytes_left_;  // Until the limit.
  int64_t chunk_left_ = 0;
  size_t trailer_bytes_ = 0;
  Part part_ = Part::kSize;
  std::string line_;  // The beginning of one.
};

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_CHUNKED_BODY_H_
