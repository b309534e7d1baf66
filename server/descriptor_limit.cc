#include "server/descriptor_limit.h"

#include <errno.h>
#include <sys/resource.h>

#include <cstddef>
#include <cstring>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace gangpack::server {

absl::Status AllowDescriptors(size_t needed) {
  rlimit limit = {};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) {
    return absl::InternalError(absl::StrCat("RLIMIT_NOFILE: ", std::string(strerror(errno))));
  }
  if (limit.rlim_cur >= needed) return absl::OkStatus();
  if (limit.rlim_max < needed) {
    return absl::ResourceExhaustedError(
        absl::StrCat(needed, " file descriptors are needed, the hard limit is ", limit.rlim_max,
                     " (ulimit -Hn)"));
  }
  limit.rlim_cur = needed;
  if (setrlimit(RLIMIT_NOFILE, &limit) != 0) {
    return absl::ResourceExhaustedError(absl::StrCat("file descriptors cannot be raised to ",
                                                     needed, ": ", std::string(strerror(errno))));
  }
  return absl::OkStatus();
}

}  // namespace gangpack::server
