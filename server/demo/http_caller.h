// Calls an HTTP server on one kept connection.
//
// Thread-safety: none; callers that call at the same time need one each.
// Errors: kUnavailable where no answer came, with the reason. An answer of any status is an answer.
#ifndef GANGPACK_SERVER_DEMO_HTTP_CALLER_H_
#define GANGPACK_SERVER_DEMO_HTTP_CALLER_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "server/http_message.h"

namespace httplib {
class Client;
}

namespace gangpack::server {

class HttpCaller {
 public:
  // `url` as "http://127.0.0.1:8888". `timeout` is how long an answer may take.
  HttpCaller(const std::string& url, absl::Duration timeout);
  ~HttpCaller();

  absl::StatusOr<HttpAnswer> Post(const std::string& path, const std::string& body);
  absl::StatusOr<HttpAnswer> Get(const std::string& path);

 private:
  const std::unique_ptr<httplib::Client> client_;
};

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_DEMO_HTTP_CALLER_H_
