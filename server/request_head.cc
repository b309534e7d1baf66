#include "server/request_head.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace gangpack::server {
namespace {

using Refusal = std::optional<RequestRefusal>;

absl::string_view View(std::string_view text) { return {text.data(), text.size()}; }

bool Is(std::string_view a, std::string_view b) { return absl::EqualsIgnoreCase(View(a), View(b)); }

// Without the white space of a header: to a proxy that takes more off, or less, the rest might be
// another value.
std::string_view Trim(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

bool IsControl(char c) { return c != '\t' && absl::ascii_iscntrl(static_cast<unsigned char>(c)); }

bool IsTokenByte(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) ||
         std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

bool ListContains(std::string_view list, std::string_view token) {
  for (const absl::string_view element : absl::StrSplit(View(list), ',')) {
    if (Is(Trim({element.data(), element.size()}), token)) return true;
  }
  return false;
}

// Takes the next line off `text`, without its end.
std::string_view TakeLine(std::string_view& text) {
  const size_t end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

struct RequestLine {
  std::string_view method;
  std::string_view target;
  std::string_view version;
};

bool IsKnown(std::string_view method) {
  for (const std::string_view known :
       {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}) {
    if (method == known) return true;
  }
  return false;
}

Refusal ReadRequestLine(std::string_view line, RequestLine& out) {
  const size_t first = line.find(' ');
  const size_t last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) {
    return RequestRefusal{400, "request line: expected METHOD TARGET VERSION"};
  }
  out = {line.substr(0, first), line.substr(first + 1, last - first - 1), line.substr(last + 1)};
  if (out.version != "HTTP/1.1" && out.version != "HTTP/1.0") {
    return RequestRefusal{505, "expected HTTP/1.1 or HTTP/1.0"};
  }
  if (!IsKnown(out.method)) return RequestRefusal{501, "method not implemented"};
  const bool printable = std::all_of(out.target.begin(), out.target.end(),
                                     [](char c) { return c > 0x20 && c < 0x7f; });
  if (out.target.empty() || out.target.front() != '/' || !printable) {
    return RequestRefusal{400, "request line: expected a target that begins with /"};
  }
  return std::nullopt;
}

// What the headers say that matters here.
struct Framing {
  std::optional<int64_t> content_length;
  int hosts = 0;
  bool chunked = false;
  bool close = false;
  bool expects_continue = false;
};

Refusal ReadContentLength(std::string_view value, int64_t body_bytes_max, Framing& framing) {
  uint64_t length = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), length);
  if (value.empty() || end != value.data() + value.size() || error == std::errc::invalid_argument) {
    return RequestRefusal{400, "Content-Length: expected a number of bytes"};
  }
  if (error != std::errc() || length > static_cast<uint64_t>(body_bytes_max)) {
    return RequestRefusal{413, "body larger than " + std::to_string(body_bytes_max) + " bytes"};
  }
  const auto bytes = static_cast<int64_t>(length);
  if (framing.content_length.value_or(bytes) != bytes) {
    return RequestRefusal{400, "Content-Length: two different values"};
  }
  framing.content_length = bytes;
  return std::nullopt;
}

Refusal ReadHeader(std::string_view line, int64_t body_bytes_max, Framing& framing) {
  const size_t colon = line.find(':');
  const std::string_view name = line.substr(0, colon);
  if (colon == std::string_view::npos || name.empty() ||
      !std::all_of(name.begin(), name.end(), IsTokenByte)) {
    return RequestRefusal{400, "header line: expected NAME: VALUE"};
  }
  const std::string_view value = Trim(line.substr(colon + 1));
  if (std::any_of(value.begin(), value.end(), IsControl)) {
    return RequestRefusal{400, "header line: expected no control characters"};
  }
  if (Is(name, "Content-Length")) return ReadContentLength(value, body_bytes_max, framing);
  if (Is(name, "Host")) {
    ++framing.hosts;
  } else if (Is(name, "Transfer-Encoding")) {
    if (!Is(value, "chunked")) return RequestRefusal{501, "Transfer-Encoding: expected chunked"};
    if (framing.chunked) return RequestRefusal{400, "Transfer-Encoding: expected it once"};
    framing.chunked = true;
  } else if (Is(name, "Content-Encoding") && !Is(value, "identity")) {
    return RequestRefusal{415, "Content-Encoding: expected none"};
  } else if (Is(name, "Connection")) {
    framing.close = framing.close || ListContains(value, "close");
  } else if (Is(name, "Expect")) {
    if (!Is(value, "100-continue")) return RequestRefusal{417, "Expect: expected 100-continue"};
    framing.expects_continue = true;
  }
  return std::nullopt;
}

Refusal CheckFraming(const Framing& framing, bool is_http_1_0) {
  if (framing.chunked && framing.content_length.has_value()) {
    return RequestRefusal{400, "both Content-Length and Transfer-Encoding"};
  }
  if (framing.chunked && is_http_1_0) {
    return RequestRefusal{400, "Transfer-Encoding: expected none in HTTP/1.0"};
  }
  if (framing.hosts > 1 || (framing.hosts == 0 && !is_http_1_0)) {
    return RequestRefusal{400, "Host: expected it once"};
  }
  return std::nullopt;
}

// The library takes no second question mark, which may stand in a query as any other character.
std::string TargetForLibrary(std::string_view target) {
  const size_t query = target.find('?');
  if (query == std::string_view::npos) return std::string(target);
  std::string out(target.substr(0, query + 1));
  return out += absl::StrReplaceAll(View(target.substr(query + 1)), {{"?", "%3F"}});
}

}  // namespace

std::variant<RequestHead, RequestRefusal> ReadRequestHead(std::string_view head,
                                                          int64_t body_bytes_max) {
  RequestLine line;
  if (Refusal refusal = ReadRequestLine(TakeLine(head), line)) return *std::move(refusal);
  Framing framing;
  for (std::string_view header = TakeLine(head); !header.empty(); header = TakeLine(head)) {
    if (Refusal refusal = ReadHeader(header, body_bytes_max, framing)) return *std::move(refusal);
  }
  const bool is_http_1_0 = line.version == "HTTP/1.0";
  if (Refusal refusal = CheckFraming(framing, is_http_1_0)) return *std::move(refusal);
  const std::string target = TargetForLibrary(line.target);
  if (target.size() > kRequestTargetBytesMax) return RequestRefusal{414, "target too long"};
  RequestHead out;
  out.chunked = framing.chunked;
  out.content_length = framing.content_length.value_or(0);
  out.expects_continue =
      framing.expects_continue && !is_http_1_0 && (out.chunked || out.content_length > 0);
  // An HTTP/1.0 caller that can keep a connection would have to be told so in a way nobody has used
  // for decades.
  out.close = framing.close || is_http_1_0;
  out.text.append(line.method).append(" ").append(target).append(" ");
  out.text.append(line.version).append("\r\nContent-Length: 0\r\n\r\n");
  return out;
}

}  // namespace gangpack::server
