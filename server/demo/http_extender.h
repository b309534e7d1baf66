// The extender as kube-scheduler calls it over the network: filter and prioritize one at a time on
// a kept connection, each bind on a connection of its own that stays open until it is answered.
//
// Ownership: owns its threads; the destructor waits for open binds, so whoever answers them comes
// to an end first. Thread-safety: none, but `on_bind_answer` is called by the threads of the binds.
// Errors: a call without an answer is one that failed, as kube-scheduler has it.
// Cost: a thread and a connection per open bind.
#ifndef GANGPACK_SERVER_DEMO_HTTP_EXTENDER_H_
#define GANGPACK_SERVER_DEMO_HTTP_EXTENDER_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/ids.h"
#include "server/demo/http_caller.h"
#include "server/http_message.h"
#include "server/simulate/extender.h"
#include "server/worker_pool.h"

namespace gangpack::server {

class HttpExtender final : public Extender {
 public:
  // The error is empty if the pod is bound.
  using BindAnswer = std::function<void(CallId call, const std::string& error)>;

  explicit HttpExtender(BindAnswer on_bind_answer);

  // Where the next calls go. Before it every call fails.
  void Connect(const std::string& filter_url, const std::string& bind_url);

  ExtenderFilterAnswer Filter(const PodObject& pod, const std::vector<std::string>& nodes) override;
  std::map<std::string, int64_t> Prioritize(const PodObject& pod,
                                            const std::vector<std::string>& nodes) override;
  void Bind(const ExtenderBind& bind) override;

 private:
  const BindAnswer on_bind_answer_;
  std::unique_ptr<HttpCaller> filter_;
  std::string bind_url_;
  WorkerPool binds_;
};

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_DEMO_HTTP_EXTENDER_H_
