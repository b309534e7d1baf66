// Raises the number of file descriptors that this process may open.
//
// Process-wide: the soft limit of RLIMIT_NOFILE, never lowered, up to the hard one.
// Not here: how many are needed (http_server.h).
#ifndef GANGPACK_SERVER_DESCRIPTOR_LIMIT_H_
#define GANGPACK_SERVER_DESCRIPTOR_LIMIT_H_

#include <cstddef>

#include "absl/status/status.h"

namespace gangpack::server {

// Errors: kResourceExhausted with both numbers if the hard limit is lower than `needed`; nothing
// has changed then.
absl::Status AllowDescriptors(size_t needed);

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_DESCRIPTOR_LIMIT_H_
