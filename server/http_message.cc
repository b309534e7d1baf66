#include "server/http_message.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/string_view.h"
#include "k8s/utf8.h"
#include "server/json_escape.h"

namespace gangpack::server {
namespace {

constexpr std::pair<int, std::string_view> kReasonPhrases[] = {
    {400, "Bad Request"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {408, "Request Timeout"},
    {413, "Content Too Large"},
    {414, "URI Too Long"},
    {415, "Unsupported Media Type"},
    {417, "Expectation Failed"},
    {431, "Request Header Fields Too Large"},
    {500, "Internal Server Error"},
    {501, "Not Implemented"},
    {503, "Service Unavailable"},
    {505, "HTTP Version Not Supported"},
};

std::string ToUtf8(std::string_view text) {
  constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
  std::string out;
  while (const std::optional<size_t> bad =
             k8s::FindInvalidUtf8(absl::string_view(text.data(), text.size()))) {
    out.append(text.substr(0, *bad)).append(kReplacement);
    text.remove_prefix(*bad + 1);
  }
  return out.append(text);
}

}  // namespace

std::string_view ReasonPhrase(int status) {
  for (const auto& [known, phrase] : kReasonPhrases) {
    if (known == status) return phrase;
  }
  return "";
}

HttpAnswer JsonErrorAnswer(int status, std::string_view message) {
  HttpAnswer answer;
  answer.status = status;
  answer.body = "{\"error\":";
  AppendJsonString(answer.body, ToUtf8(message));
  answer.body += "}\n";
  return answer;
}

}  // namespace gangpack::server
