// The extender verbs, without a socket: the body of a call in, its answer out.
//
// Terms: as in extender_codec.h. A call that can be read is always answered 200, since
// kube-scheduler drops the body of everything else; what went wrong is in the answer.
// Ownership: the driver and the held calls must outlive the handler.
// Thread-safety: all methods from many threads at once.
// Errors: a body that cannot be read is answered 400 with {"error": "FIELD.PATH: ..."}.
// Cost: O(body) and one call of the driver. Bind() blocks for the whole permit wait; the others
// never do.
// Not here: paths and ports (http_server.h), decisions (core/engine.h), what they look like
// (filter_answer.h). Bodies are read and answers written without the driver's mutex.
#ifndef GANGPACK_SERVER_EXTENDER_HANDLER_H_
#define GANGPACK_SERVER_EXTENDER_HANDLER_H_

#include <functional>
#include <string_view>
#include <utility>

#include "absl/functional/function_ref.h"
#include "core/engine.h"
#include "server/engine_driver.h"
#include "server/extender_codec.h"
#include "server/held_call.h"
#include "server/held_calls.h"
#include "server/http_message.h"

namespace gangpack::server {

// Told the JSON of a pod that the engine did not know; `is_unknown` says whether that is still so.
// True if the engine has been told of it.
using UnknownPodListener =
    std::function<bool(std::string_view pod_json, absl::FunctionRef<bool()> is_unknown)>;

class ExtenderHandler {
 public:
  ExtenderHandler(EngineDriver* driver, HeldCalls* calls, UnknownPodListener unknown_pod = nullptr)
      : driver_(driver), calls_(calls), unknown_pod_(std::move(unknown_pod)) {}

  HttpAnswer Filter(std::string_view body) const;
  HttpAnswer Prioritize(std::string_view body) const;

  // Answers when the engine does. A caller that hangs up is reported to the engine.
  HttpAnswer Bind(std::string_view body, CallWaiter& waiter) const;

 private:
  EngineDriver* const driver_;
  HeldCalls* const calls_;
  const UnknownPodListener unknown_pod_;
};

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_EXTENDER_HANDLER_H_
