#include "server/demo/http_extender.h"

#include <utility>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "server/simulate/extender_wire.h"
#include "server/status_mapping.h"

namespace gangpack::server {
namespace {

// As in the example configuration of kube-scheduler.
constexpr absl::Duration kFilterTimeout = absl::Seconds(2);
constexpr absl::Duration kBindTimeout = absl::Hours(24);
constexpr size_t kOpenBindsMax = 4096;

}  // namespace

HttpExtender::HttpExtender(BindAnswer on_bind_answer)
    : on_bind_answer_(std::move(on_bind_answer)), binds_({.threads_max = kOpenBindsMax}) {}

void HttpExtender::Connect(const std::string& filter_url, const std::string& bind_url) {
  filter_ = std::make_unique<HttpCaller>(filter_url, kFilterTimeout);
  bind_url_ = bind_url;
}

ExtenderFilterAnswer HttpExtender::Filter(const PodObject& pod,
                                          const std::vector<std::string>& nodes) {
  ExtenderFilterAnswer failed;
  if (filter_ == nullptr) {
    failed.error = "the extender is not connected";
    return failed;
  }
  const absl::StatusOr<HttpAnswer> answer = filter_->Post("/filter", FilterBody(pod, nodes));
  if (answer.ok()) return ReadFilterAnswer(*answer);
  failed.error = ExtenderErrorOf(answer.status());
  return failed;
}

std::map<std::string, int64_t> HttpExtender::Prioritize(const PodObject& pod,
                                                        const std::vector<std::string>& nodes) {
  if (filter_ == nullptr) return {};
  const absl::StatusOr<HttpAnswer> answer = filter_->Post("/prioritize", FilterBody(pod, nodes));
  return answer.ok() ? ReadPrioritizeAnswer(*answer) : std::map<std::string, int64_t>();
}

void HttpExtender::Bind(const ExtenderBind& bind) {
  const bool started = binds_.Run([this, url = bind_url_, call = bind.call, body = BindBody(bind)] {
    const absl::StatusOr<HttpAnswer> answer = HttpCaller(url, kBindTimeout).Post("/bind", body);
    on_bind_answer_(call, answer.ok() ? ReadBindAnswer(*answer) : ExtenderErrorOf(answer.status()));
  });
  if (!started) on_bind_answer_(bind.call, "no thread for the bind call");
}

}  // namespace gangpack::server
