// The arguments of filter and prioritize read the plain way: RapidJSON's tree of the whole body,
// then a walk through it. What extender_args.h is compared with.
#ifndef GANGPACK_TESTS_UNIT_SERVER_DOM_EXTENDER_CODEC_H_
#define GANGPACK_TESTS_UNIT_SERVER_DOM_EXTENDER_CODEC_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gangpack::server {

struct DomExtenderArgs {
  // Empty: it was read. "not JSON" for whatever is not one JSON text in UTF-8; else the whole
  // message.
  std::string error;
  std::string uid, namespace_name, name;
  std::string pod;  // As RapidJSON writes it.
  struct Node {
    std::string name;
    std::string object;  // Likewise.
  };
  std::optional<std::vector<Node>> nodes;
  std::optional<std::vector<std::string>> node_names;
};

// Nothing where RapidJSON cannot tell: it knows no number beyond a double's range.
std::optional<DomExtenderArgs> ReadByDom(std::string_view body);

// The JSON text as RapidJSON writes it again.
std::string Rewritten(std::string_view json);

}  // namespace gangpack::server

#endif  // GANGPACK_TESTS_UNIT_SERVER_DOM_EXTENDER_CODEC_H_
