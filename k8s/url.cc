#include "k8s/url.h"

#include <optional>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "k8s/fault.h"

namespace gangpack::k8s {
namespace {

absl::Status Refuse(absl::string_view text, absl::string_view expected) {
  return absl::InvalidArgumentError(absl::StrCat(Quote(text), ", expected ", expected));
}

bool IsHostCharacter(char c, bool in_brackets) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '-' || c == '_' ||
         (in_brackets && (c == ':' || c == '%'));
}

std::optional<std::string> PercentDecoded(absl::string_view text) {
  std::string decoded;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded.push_back(text[i]);
      continue;
    }
    if (i + 2 >= text.size() || !absl::ascii_isxdigit(static_cast<unsigned char>(text[i + 1])) ||
        !absl::ascii_isxdigit(static_cast<unsigned char>(text[i + 2]))) {
      return std::nullopt;
    }
    decoded += absl::HexStringToBytes(text.substr(i + 1, 2));
    i += 2;
  }
  return decoded;
}

}  // namespace

std::string Url::Authority() const {
  const bool is_ipv6 = absl::StrContains(host, ":");
  return absl::StrCat(is_ipv6 ? "[" : "", host, is_ipv6 ? "]" : "", ":", port);
}

std::string Url::ToString() const {
  return absl::StrCat(tls ? "https://" : "http://", Authority(), path);
}

absl::StatusOr<Url> ParseUrl(absl::string_view text) {
  constexpr absl::string_view kForm = "a URL such as https://10.0.0.1:6443";
  Url url;
  absl::string_view rest = text;
  const size_t scheme_end = rest.find("://");
  if (scheme_end != absl::string_view::npos) {
    const std::string scheme = absl::AsciiStrToLower(rest.substr(0, scheme_end));
    if (scheme != "https" && scheme != "http") {
      return Refuse(text, "a URL with the scheme http or https");
    }
    url.tls = scheme == "https";
    rest.remove_prefix(scheme_end + 3);
  }
  absl::string_view authority = rest.substr(0, rest.find_first_of("/?#"));
  absl::string_view path = rest.substr(authority.size());
  const size_t at = authority.rfind('@');
  if (at != absl::string_view::npos) {
    const std::optional<std::string> user_info = PercentDecoded(authority.substr(0, at));
    if (!user_info.has_value()) return Refuse(text, kForm);
    url.user_info = *user_info;
    authority.remove_prefix(at + 1);
  }
  const bool in_brackets = absl::ConsumePrefix(&authority, "[");
  const size_t host_end = authority.find(in_brackets ? ']' : ':');
  if (in_brackets && host_end == absl::string_view::npos) return Refuse(text, kForm);
  url.host = std::string(authority.substr(0, host_end));
  for (const char c : url.host) {
    if (!IsHostCharacter(c, in_brackets)) return Refuse(text, kForm);
  }
  absl::string_view port = authority.substr(url.host.size());
  if (in_brackets) absl::ConsumePrefix(&port, "]");
  url.port = url.tls ? 443 : 80;
  if (absl::ConsumePrefix(&port, ":") && !port.empty()) {
    if (!absl::SimpleAtoi(port, &url.port)) url.port = -1;
    port = "";
  }
  if (url.host.empty() || !port.empty()) return Refuse(text, kForm);
  if (url.port < 1 || url.port > 65535) return Refuse(text, "a port from 1 to 65535");
  if (absl::StrContains(path, "?") || absl::StrContains(path, "#")) {
    return Refuse(text, "a URL without a query");
  }
  for (const char c : path) {
    if (!absl::ascii_isgraph(static_cast<unsigned char>(c))) return Refuse(text, kForm);
  }
  while (absl::ConsumeSuffix(&path, "/")) {
  }
  url.path = std::string(path);
  return url;
}

}  // namespace gangpack::k8s
