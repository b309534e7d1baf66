// The version of gangpack: what `gangpack version` and the first line of the log say.
#ifndef GANGPACK_SERVER_VERSION_H_
#define GANGPACK_SERVER_VERSION_H_

namespace gangpack::server {

constexpr char kVersion[] = "0.1.0";

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_VERSION_H_
