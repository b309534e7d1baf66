// The two HTTP listeners and their paths.
//
// The first listener answers at once: POST .../filter and .../prioritize under any prefix, GET
// /healthz, /readyz, /v1/pods, /v1/gangs, /v1/domains, /v1/reservations, and the pages added to it.
// The second holds calls: POST .../bind under any prefix, GET /healthz. They are apart so that
// waiting binds never take a thread from filter, which runs in kube-scheduler's only scheduling
// loop.
//
// Terms: /healthz says that the process serves, /readyz that every watch has been listed once.
// The lists may be narrowed by ?namespace= and ?name= (pods, gangs), ?gang=namespace/name (pods,
// reservations) and ?topologyKey= (domains, reservations).
// Ownership: driver and held calls must outlive the server.
// Thread-safety: Stop() from any thread that is not a handler's. Pages are called by many threads
// at once.
// Errors: what the caller does wrong is answered 4xx with {"error": "..."}, whatever the path.
// Not here: JSON of the lists (query_codec.h), the verbs (extender_handler.h).
#ifndef GANGPACK_SERVER_HTTP_SERVER_H_
#define GANGPACK_SERVER_HTTP_SERVER_H_

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "server/engine_driver.h"
#include "server/extender_handler.h"
#include "server/held_calls.h"
#include "server/http_listener.h"
#include "server/http_message.h"

namespace gangpack::server {

// Answers GET, and HEAD, of one path.
using HttpPage = std::function<HttpAnswer(const HttpRequest&)>;

struct HttpServerOptions {
  // Its stack is that of the engine's planning.
  HttpListenerOptions filter = {.thread_stack_bytes = 8 * 1024 * 1024};
  // Each held bind is a connection, with a thread of some 45 KiB: all of them take less than half a
  // GiB. The bodies are four short strings.
  HttpListenerOptions bind = {
      .connections_max = 8192, .body_bytes_max = 64 * 1024, .thread_stack_bytes = 1024 * 1024};
  std::map<std::string, HttpPage> pages;  // By path, on the filter listener.
  UnknownPodListener unknown_pod;
};

class HttpServer {
 public:
  // Errors: those of HttpListener::Start; kResourceExhausted if the process may not open as many
  // descriptors as all connections of both listeners need.
  static absl::StatusOr<std::unique_ptr<HttpServer>> Start(const HttpServerOptions& options,
                                                           EngineDriver* driver, HeldCalls* calls);

  int filter_port() const { return filter_->port(); }
  int bind_port() const { return bind_->port(); }
  const HttpListener& filter_listener() const { return *filter_; }
  const HttpListener& bind_listener() const { return *bind_; }

  // Held binds are answered with an Error; what else runs is let finish.
  void Stop();

 private:
  HttpServer(EngineDriver* driver, HeldCalls* calls, UnknownPodListener unknown_pod)
      : driver_(driver), handler_(driver, calls, std::move(unknown_pod)) {}

  HttpAnswer AnswerFilter(const HttpRequest& request) const;
  HttpAnswer AnswerBind(const HttpRequest& request, CallWaiter& waiter) const;
  void AddQueries();

  EngineDriver* const driver_;
  const ExtenderHandler handler_;
  std::map<std::string, HttpPage, std::less<>> pages_;
  std::unique_ptr<HttpListener> filter_;
  std::unique_ptr<HttpListener> bind_;
};

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_HTTP_SERVER_H_
