// One HTTP request and its answer, as handlers see them: no socket, no library type.
#ifndef GANGPACK_SERVER_HTTP_MESSAGE_H_
#define GANGPACK_SERVER_HTTP_MESSAGE_H_

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gangpack::server {

class CallWaiter;

// Views and references live as long as the call.
struct HttpRequest {
  std::string_view method;
  std::string_view path;                                 // Percent-decoded, without the query.
  const std::multimap<std::string, std::string>& query;  // Percent-decoded.
  std::string_view body;
};

struct HttpAnswer {
  int status = 200;
  std::string body = "";
  std::string content_type = "application/json";
  std::vector<std::pair<std::string, std::string>> headers = {};
};

// What RFC 9110 calls the status; empty for one that this program never answers.
std::string_view ReasonPhrase(int status);

// {"error": "..."}; what is not UTF-8 in `message`, which may quote the caller, becomes U+FFFD.
HttpAnswer JsonErrorAnswer(int status, std::string_view message);

// Called on the thread of the connection, by many threads at once. It must not throw; what it does
// throw becomes a 500. A handler that answers later blocks in `waiter` (held_call.h).
using HttpHandler = std::function<HttpAnswer(const HttpRequest& request, CallWaiter& waiter)>;

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_HTTP_MESSAGE_H_
