// HOST:PORT of a listener, on this machine only: there is no TLS yet, so nothing that another host
// could reach is listened on.
#ifndef GANGPACK_SERVER_LISTEN_ADDRESS_H_
#define GANGPACK_SERVER_LISTEN_ADDRESS_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace gangpack::server {

struct ListenAddress {
  std::string address;  // numeric, without brackets
  int port = 0;         // 0: any free one
};

// 127.0.0.0/8, [::1] or localhost, with a port. INVALID_ARGUMENT for anything else: what it is and
// what was expected.
absl::StatusOr<ListenAddress> ParseListenAddress(absl::string_view text);

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_LISTEN_ADDRESS_H_
