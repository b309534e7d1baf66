// A defect of the input, with the place where a person can correct it.
//
// Printed on one line as `FILE:LINE: FIELD.PATH: message`; the message says what is wrong and what
// was expected. A fault of the syntax has no path.

#ifndef GANGPACK_K8S_FAULT_H_
#define GANGPACK_K8S_FAULT_H_

#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"

namespace gangpack::k8s {

struct Fault {
  std::string file;
  int line = 0;  // The first line is 1.
  std::string path;
  std::string message;

  std::string ToString() const;
};

// The text with its control characters as `\n` or `\x00`.
std::string OneLine(absl::string_view text);

// Lengthen a path by a member or an item: `.spec`, `[ome.io/topology-key]` where the key is no
// plain word, `[3]`. The first member of a path has no point before it.
void AppendMember(absl::string_view key, std::string* path);
void AppendIndex(size_t index, std::string* path);

// Text of the input for a message: in backquotes, cut where it is long.
std::string Quote(absl::string_view text);

}  // namespace gangpack::k8s

#endif  // GANGPACK_K8S_FAULT_H_
