#include "server/http_message.h"

#include <string_view>

#include "server/json_slice.h"

namespace gangpack::server {

HttpAnswer JsonErrorAnswer(int status, std::string_view message) {
  HttpAnswer answer;
  answer.status = status;
  answer.body = "{\"error\":";
  AppendJsonString(answer.body, message);
  answer.body += "}\n";
  return answer;
}

}  // namespace gangpack::server
