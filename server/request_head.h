// Judges the head of an HTTP/1 request and rewrites it to the few lines that the HTTP library
// needs. To the library no request has a body: bodies are read before it (call_connection.h).
//
// Why: cpp-httplib 0.11 matches Range and multipart headers with recursive regular expressions,
// which overflow a small stack on a few thousand bytes; it inflates bodies without limit, takes a
// chunk that is longer than it says for the end of the body, compresses answers that are read once
// over loopback, and waits for the end of the connection where a request has no length. It never
// sees what could make it do so.
// Errors: a refusal with the HTTP status to answer; the connection is then closed, since what
// follows is unknown.
// Cost: O(bytes).
#ifndef GANGPACK_SERVER_REQUEST_HEAD_H_
#define GANGPACK_SERVER_REQUEST_HEAD_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace gangpack::server {

inline constexpr size_t kRequestHeadBytesMax = 32 * 1024;
inline constexpr size_t kRequestTargetBytesMax = 8000;  // The library refuses lines of 8,192 bytes.

struct RequestHead {
  std::string text;            // What the library is told; ends with the empty line.
  int64_t content_length = 0;  // Bytes; 0 if chunked.
  bool chunked = false;
  bool expects_continue = false;  // Its body comes when it is asked for.
  bool close = false;             // The connection ends with this request.
};

struct RequestRefusal {
  int status = 400;
  std::string message;
};

// `head` begins with the request line and ends with the empty line; lines end with LF or CR LF.
std::variant<RequestHead, RequestRefusal> ReadRequestHead(std::string_view head,
                                                          int64_t body_bytes_max);

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_REQUEST_HEAD_H_
