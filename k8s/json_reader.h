// Reads JSON text into the tree of document.h, several documents after each other if there are.
//
// Documents follow each other with white space or a line `---` between them, or with nothing.
// Numbers keep all their digits. Refused, with the line: text that is not UTF-8, bad syntax, a key
// that is written twice in one object, nesting deeper than kMaxNestingDepth, a text above
// kMaxTextBytes.
//
// Pure: no file is opened here. Cost: linear; memory of the documents, without items that are
// taken, and of the longest such item.

#ifndef GANGPACK_K8S_JSON_READER_H_
#define GANGPACK_K8S_JSON_READER_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "k8s/document.h"
#include "k8s/document_builder.h"
#include "k8s/piecewise_text.h"

namespace gangpack::k8s {

inline constexpr uint64_t kMaxTextBytes = uint64_t{2} << 30;

struct TextSource {
  std::string file;  // For messages: a path, or "-" for standard input.
  std::string text;
};

// A text as it comes.
struct TextStream {
  std::string file;  // Likewise.
  TextReader read;   // Is asked until it has no more, whatever was found before.
};

// InvalidArgument, its text being one Fault, when the text is refused.
absl::StatusOr<Documents> ReadJson(TextSource source);

// As above. Items are offered to `take` (document_builder.h), also of texts that are then refused.
absl::StatusOr<Documents> ReadJson(TextStream source, TakeItem take);

}  // namespace gangpack::k8s

#endif  // GANGPACK_K8S_JSON_READER_H_
