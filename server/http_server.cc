#include "server/http_server.h"

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "core/status_macros.h"
#include "core/views.h"
#include "server/descriptor_limit.h"
#include "server/http_listener.h"
#include "server/http_message.h"
#include "server/query_codec.h"

namespace gangpack::server {
namespace {

std::string Join(std::initializer_list<std::string_view> parts) {
  std::string joined;
  for (const std::string_view part : parts) joined += part;
  return joined;
}

// Descriptors of everything but connections: files, watches, listeners, refused connections.
constexpr size_t kOtherDescriptors = 256;

// A held bind has a second one, by which it is answered.
absl::Status AllowConnections(size_t filter, size_t bind) {
  const absl::Status allowed = AllowDescriptors(filter + 2 * bind + kOtherDescriptors);
  if (allowed.ok()) return allowed;
  return absl::ResourceExhaustedError(absl::StrCat(
      allowed.message(), ": raise it, or lower the connections of the filter listener (", filter,
      ") or of the bind listener (", bind, ", each takes 2)"));
}

bool IsVerb(std::string_view path, std::string_view verb) {
  return path.size() > verb.size() && path.ends_with(verb) &&
         path[path.size() - verb.size() - 1] == '/';
}

HttpAnswer NotAllowed(std::string_view path, std::string_view allowed) {
  HttpAnswer answer = JsonErrorAnswer(405, Join({path, ": expected ", allowed}));
  answer.headers.emplace_back("Allow", allowed);
  return answer;
}

HttpAnswer NotFound(std::string_view path, std::string_view hint) {
  return JsonErrorAnswer(404, Join({"no such path: ", path, hint}));
}

bool IsRead(const HttpRequest& request) {
  return request.method == "GET" || request.method == "HEAD";
}

HttpAnswer Health(const HttpRequest&) { return {.body = "{\"status\":\"ok\"}\n"}; }

// Keeps the items for which each parameter that was given equals what `value_of` says; an unknown
// parameter is the caller's mistake, and to ignore it would answer another question.
template <typename T>
struct Parameter {
  std::string_view name;
  std::string (*value_of)(const T&);
};

template <typename T>
std::optional<HttpAnswer> Narrow(const HttpRequest& request,
                                 std::initializer_list<Parameter<T>> parameters,
                                 std::vector<T>& items) {
  for (const auto& [name, value] : request.query) {
    const Parameter<T>* known = nullptr;
    std::string names;
    for (const Parameter<T>& parameter : parameters) {
      if (parameter.name == name) known = &parameter;
      names += Join({names.empty() ? "" : ", ", parameter.name});
    }
    if (known == nullptr) {
      return JsonErrorAnswer(400, Join({"unknown parameter ", name, ": expected one of ", names}));
    }
    std::erase_if(items, [&known, wanted = std::string_view(value)](const T& item) {
      return known->value_of(item) != wanted;
    });
  }
  return std::nullopt;
}

template <typename T>
HttpAnswer List(const HttpRequest& request, std::initializer_list<Parameter<T>> parameters,
                std::vector<T> items, std::string (*json)(const std::vector<T>&)) {
  if (std::optional<HttpAnswer> mistake = Narrow(request, parameters, items)) return *mistake;
  return {.body = json(items), .headers = {{"Cache-Control", "no-store"}}};
}

HttpAnswer PodList(const HttpRequest& request, std::vector<PodView> pods) {
  return List<PodView>(request,
                       {{"namespace", [](const PodView& v) { return v.pod.namespace_name; }},
                        {"name", [](const PodView& v) { return v.pod.name; }},
                        {"gang", [](const PodView& v) { return v.gang; }}},
                       std::move(pods), &PodsJson);
}

HttpAnswer GangList(const HttpRequest& request, std::vector<GangView> gangs) {
  return List<GangView>(request,
                        {{"namespace", [](const GangView& v) { return v.gang.namespace_name; }},
                         {"name", [](const GangView& v) { return v.gang.name; }}},
                        std::move(gangs), &GangsJson);
}

HttpAnswer DomainList(const HttpRequest& request, std::vector<DomainView> domains) {
  return List<DomainView>(request,
                          {{"topologyKey", [](const DomainView& v) { return v.topology_key; }}},
                          std::move(domains), &DomainsJson);
}

HttpAnswer ReservationList(const HttpRequest& request, std::vector<ReservationView> reservations) {
  return List<ReservationView>(
      request,
      {{"topologyKey", [](const ReservationView& v) { return v.topology_key; }},
       {"gang", [](const ReservationView& v) { return v.gang.ToString(); }}},
      std::move(reservations), &ReservationsJson);
}

}  // namespace

absl::StatusOr<std::unique_ptr<HttpServer>> HttpServer::Start(const HttpServerOptions& options,
                                                              EngineDriver* driver,
                                                              HeldCalls* calls) {
  GP_RETURN_IF_ERROR(
      AllowConnections(options.filter.connections_max, options.bind.connections_max));
  std::unique_ptr<HttpServer> server(new HttpServer(driver, calls, options.unknown_pod));
  server->AddQueries();
  for (const auto& [path, page] : options.pages) server->pages_.insert_or_assign(path, page);
  HttpServer* const raw = server.get();
  GP_ASSIGN_OR_RETURN(
      server->filter_,
      HttpListener::Start(options.filter, [raw](const HttpRequest& request, CallWaiter&) {
        return raw->AnswerFilter(request);
      }));
  GP_ASSIGN_OR_RETURN(
      server->bind_,
      HttpListener::Start(options.bind, [raw](const HttpRequest& request, CallWaiter& waiter) {
        return raw->AnswerBind(request, waiter);
      }));
  return server;
}

void HttpServer::AddQueries() {
  pages_["/healthz"] = &Health;
  pages_["/readyz"] = [this](const HttpRequest& request) {
    if (driver_->synchronised()) return Health(request);
    return JsonErrorAnswer(503, "not every watch has been listed yet");
  };
  pages_["/v1/pods"] = [this](const HttpRequest& request) {
    return PodList(request, driver_->Pods());
  };
  pages_["/v1/gangs"] = [this](const HttpRequest& request) {
    return GangList(request, driver_->Gangs());
  };
  pages_["/v1/domains"] = [this](const HttpRequest& request) {
    return DomainList(request, driver_->Domains());
  };
  pages_["/v1/reservations"] = [this](const HttpRequest& request) {
    return ReservationList(request, driver_->Reservations());
  };
}

HttpAnswer HttpServer::AnswerFilter(const HttpRequest& request) const {
  const bool filter = IsVerb(request.path, "filter");
  if (filter || IsVerb(request.path, "prioritize")) {
    if (request.method != "POST") return NotAllowed(request.path, "POST");
    return filter ? handler_.Filter(request.body) : handler_.Prioritize(request.body);
  }
  const auto page = pages_.find(request.path);
  if (page != pages_.end()) {
    return IsRead(request) ? page->second(request) : NotAllowed(request.path, "GET, HEAD");
  }
  return NotFound(request.path,
                  IsVerb(request.path, "bind") ? " (bind is served by the other listener)" : "");
}

HttpAnswer HttpServer::AnswerBind(const HttpRequest& request, CallWaiter& waiter) const {
  if (IsVerb(request.path, "bind")) {
    if (request.method != "POST") return NotAllowed(request.path, "POST");
    return handler_.Bind(request.body, waiter);
  }
  if (request.path == "/healthz") {
    return IsRead(request) ? Health(request) : NotAllowed(request.path, "GET, HEAD");
  }
  return NotFound(request.path, " (this listener serves bind)");
}

void HttpServer::Stop() {
  bind_->RequestStop();
  filter_->RequestStop();
  bind_->Stop();
  filter_->Stop();
}

}  // namespace gangpack::server
