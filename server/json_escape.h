// Escapes inside JSON strings, both ways.
//
// Strictness: the escapes of RFC 8259, and of surrogates only pairs, so that what is resolved is
// valid UTF-8 again.
// Not here: where a string ends (json_reader.h).
#ifndef GANGPACK_SERVER_JSON_ESCAPE_H_
#define GANGPACK_SERVER_JSON_ESCAPE_H_

#include <string>
#include <string_view>

namespace gangpack::server {

// The position behind the escape whose backslash is at `at`; nullptr if it is none that ends before
// `end`.
const char* EndOfJsonEscape(const char* at, const char* end);

// Resolves the escapes of what stands between the quotes of a string that was checked.
std::string UnescapeJson(std::string_view checked);

// Appends `text` as a JSON string with its quotes, escaped as Go's encoding/json does it: also <, >
// and &.
void AppendJsonString(std::string& out, std::string_view text);

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_JSON_ESCAPE_H_
