#include "server/demo/http_caller.h"

#include <exception>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "httplib.h"

namespace gangpack::server {
namespace {

template <typename Call>
absl::StatusOr<HttpAnswer> AnswerOf(const std::string& path, Call call) {
  try {
    const httplib::Result result = call();
    if (!result) {
      return absl::UnavailableError(
          absl::StrCat(path, ": no answer: ", httplib::to_string(result.error())));
    }
    return HttpAnswer{.status = result->status, .body = result->body};
  } catch (const std::exception& thrown) {
    return absl::UnavailableError(absl::StrCat(path, ": no answer: ", thrown.what()));
  }
}

}  // namespace

HttpCaller::HttpCaller(const std::string& url, absl::Duration timeout)
    : client_(std::make_unique<httplib::Client>(url)) {
  client_->set_keep_alive(true);
  client_->set_tcp_nodelay(true);
  client_->set_read_timeout(absl::ToChronoSeconds(timeout));
}

HttpCaller::~HttpCaller() = default;

absl::StatusOr<HttpAnswer> HttpCaller::Post(const std::string& path, const std::string& body) {
  return AnswerOf(path, [&] { return client_->Post(path, body, "application/json"); });
}

absl::StatusOr<HttpAnswer> HttpCaller::Get(const std::string& path) {
  return AnswerOf(path, [&] { return client_->Get(path); });
}

}  // namespace gangpack::server
