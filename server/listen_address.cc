#include "server/listen_address.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace gangpack::server {
namespace {

constexpr int kPortMax = 65535;

absl::Status Bad(absl::string_view text, absl::string_view expected) {
  return absl::InvalidArgumentError(absl::StrCat("is \"", text, "\", expected ", expected));
}

bool IsNumeric(const std::string& host) {
  in_addr v4;
  in6_addr v6;
  return inet_pton(AF_INET, host.c_str(), &v4) == 1 || inet_pton(AF_INET6, host.c_str(), &v6) == 1;
}

bool IsLoopback(const std::string& host) {
  in_addr v4;
  if (inet_pton(AF_INET, host.c_str(), &v4) == 1) return (ntohl(v4.s_addr) >> 24) == 127;
  in6_addr v6;
  return inet_pton(AF_INET6, host.c_str(), &v6) == 1 && IN6_IS_ADDR_LOOPBACK(&v6);
}

}  // namespace

absl::StatusOr<ListenAddress> ParseListenAddress(absl::string_view text) {
  const size_t colon = text.rfind(':');
  ListenAddress parsed;
  if (colon == absl::string_view::npos || !absl::SimpleAtoi(text.substr(colon + 1), &parsed.port) ||
      parsed.port < 0 || parsed.port > kPortMax) {
    return Bad(text, "ADDRESS:PORT such as 127.0.0.1:8888 (port 0: any free one)");
  }
  parsed.address = std::string(text.substr(0, colon));
  std::string& host = parsed.address;
  const bool bracketed = host.size() > 2 && host.front() == '[' && host.back() == ']';
  if (bracketed) host = host.substr(1, host.size() - 2);
  if (host == "localhost") host = "127.0.0.1";
  const bool v6 = host.find(':') != std::string::npos;
  if (!IsNumeric(host) || bracketed != v6) {
    return Bad(text, "a numeric address and a port such as 127.0.0.1:8888 or [::1]:8888");
  }
  if (!IsLoopback(host)) {
    return Bad(text,
               "a loopback address such as 127.0.0.1:8888, because TLS is not supported yet and "
               "other hosts must not reach a listener without it; run gangpack beside "
               "kube-scheduler, in the same pod");
  }
  return parsed;
}

}  // namespace gangpack::server
