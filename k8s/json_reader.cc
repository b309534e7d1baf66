#include "k8s/json_reader.h"

#include <memory>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "k8s/fault.h"
#include "k8s/json_parser.h"
#include "k8s/utf8.h"

namespace gangpack::k8s {
namespace {

absl::Status Refusal(const std::string& file, int line, absl::string_view message) {
  return absl::InvalidArgumentError(Fault{file, line, "", std::string(message)}.ToString());
}

absl::Status TooLarge(const std::string& file) {
  return Refusal(
      file, 1,
      absl::StrCat("text too large, expected at most ", kMaxTextBytes, " bytes in one file"));
}

absl::Status NoUtf8(const std::string& file, int line) {
  return Refusal(file, line, "invalid byte, expected UTF-8 text");
}

}  // namespace

absl::StatusOr<Documents> ReadJson(TextSource source) {
  const std::string& file = source.file;
  if (source.text.size() > kMaxTextBytes) return TooLarge(file);
  if (const std::optional<size_t> bad = FindInvalidUtf8(source.text)) {
    return NoUtf8(file, LineOfOffset(source.text, *bad));
  }
  // Strings point into the text, so it must keep its address when the result is moved.
  auto text = std::make_unique<std::string>(std::move(source.text));
  DocumentBuilder builder(file);
  JsonText all(text.get());
  if (!JsonParser(&all, &builder).Parse()) return builder.status();
  return builder.Finish(std::move(text));
}

absl::StatusOr<Documents> ReadJson(TextStream source, TakeItem take) {
  DocumentBuilder builder(source.file, std::move(take));
  JsonText pieces(std::move(source.read));
  JsonParser parser(&pieces, &builder);
  const bool parsed = parser.Parse();
  // A text is refused for its size before its bytes, and for its bytes before its syntax.
  pieces.ReadToEnd(parser.position());
  if (pieces.bytes() > kMaxTextBytes) return TooLarge(source.file);
  if (const std::optional<int> after = pieces.invalid_after()) {
    return NoUtf8(source.file, parser.line() + *after);
  }
  if (!parsed) return builder.status();
  return builder.Finish(nullptr);
}

}  // namespace gangpack::k8s
