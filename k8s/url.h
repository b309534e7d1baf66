// The URL of a server: https://host:port/path.
//
// Schemes are http and https. A query, a fragment, and anything but a port after the host are
// refused. Pure.

#ifndef GANGPACK_K8S_URL_H_
#define GANGPACK_K8S_URL_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace gangpack::k8s {

struct Url {
  bool tls = true;
  std::string user_info;  // "user:password", decoded. Empty where there is none.
  std::string host;       // A name, or an address without brackets.
  int port = 443;
  std::string path;  // Without a slash at its end; empty for the root.

  // "host:port", with brackets where the host is an IPv6 address.
  std::string Authority() const;
  // "https://host:port/path", without the user.
  std::string ToString() const;
};

// Without a scheme, https is meant, as for kubectl. InvalidArgument says what was expected.
absl::StatusOr<Url> ParseUrl(absl::string_view text);

}  // namespace gangpack::k8s

#endif  // GANGPACK_K8S_URL_H_
