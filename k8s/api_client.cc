#include "k8s/api_client.h"

#include <optional>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/status_macros.h"
#include "k8s/api_failure.h"
#include "k8s/document.h"
#include "k8s/json_reader.h"
#include "k8s/list_page.h"
#include "k8s/watch_decoder.h"

namespace gangpack::k8s {
namespace {

constexpr char kMergePatch[] = "application/merge-patch+json";
constexpr char kJson[] = "application/json";

// A part of a path or a query.
std::string Escape(absl::string_view text) {
  std::string escaped;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (absl::ascii_isalnum(byte) || c == '-' || c == '.' || c == '_' || c == '~') {
      escaped.push_back(c);
    } else {
      absl::StrAppend(&escaped, "%",
                      absl::AsciiStrToUpper(absl::BytesToHexString(absl::string_view(&c, 1))));
    }
  }
  return escaped;
}

// "/api/v1/namespaces/NS/pods/NAME", from the path of all objects of the type.
std::string ObjectPath(ResourceType type, const ObjectIdentity& identity) {
  const absl::string_view all = ResourcePath(type);
  const size_t slash = all.rfind('/');
  const std::string space = identity.namespace_name.empty()
                                ? ""
                                : absl::StrCat("/namespaces/", Escape(identity.namespace_name));
  return absl::StrCat(all.substr(0, slash), space, all.substr(slash), "/", Escape(identity.name));
}

std::string EventsPath(const ApiEvent& event) {
  const std::string& space = event.regarding.identity.namespace_name;
  return absl::StrCat("/apis/events.k8s.io/v1/namespaces/",
                      space.empty() ? "default" : Escape(space), "/events");
}

bool IsSuccess(const HttpResponse& response) {
  return response.status >= 200 && response.status < 300;
}

ApiFailure FailureOf(const HttpResponse& response) {
  return DecodeRefusedAnswer({response.status, response.body, response.retry_after});
}

// An answer of the server that we cannot make sense of counts as an error of the server.
ApiFailure Unreadable(const absl::Status& status) {
  ApiFailure failure;
  failure.code = 500;
  failure.message = std::string(status.message());
  return failure;
}

absl::Status DataLoss(const absl::Status& status) { return absl::DataLossError(status.message()); }

std::string TextOf(const Value& object, absl::string_view key) {
  const Value* value = object.Find(key);
  return value == nullptr ? "" : std::string(value->text());
}

// "34+" is 34.
int LeadingNumber(absl::string_view text) {
  size_t digits = 0;
  while (digits < text.size() && absl::ascii_isdigit(static_cast<unsigned char>(text[digits]))) {
    ++digits;
  }
  int number = 0;
  return absl::SimpleAtoi(text.substr(0, digits), &number) ? number : 0;
}

absl::StatusOr<Documents> ReadAnswer(const std::string& target, std::string body) {
  absl::StatusOr<Documents> documents = ReadJson({target, std::move(body)});
  if (!documents.ok()) return DataLoss(documents.status());
  if (documents->roots().size() != 1) {
    return absl::DataLossError(absl::StrCat(target, ": an answer that is not one JSON object"));
  }
  return documents;
}

// Takes the bytes of one watch apart and hands its events on.
class WatchReading {
 public:
  WatchReading(ResourceType type, const std::function<bool(ReflectorInput)>& take)
      : decoder_(type), take_(take) {}

  StreamSink Sink() {
    return {[this] { Take(StreamOpened{}); },
            [this](absl::string_view bytes) { return Read(bytes); }};
  }

  void Finish(const absl::StatusOr<HttpResponse>& end) {
    if (!opened_ && !end.ok()) {
      Take(RequestFailed{NoAnswer(end.status())});
    } else if (!opened_) {
      Take(RequestFailed{FailureOf(*end)});
    } else if (unreadable_.has_value()) {
      Take(StreamEnded{StreamEnded::Cause::kUnreadable, std::string(unreadable_->message())});
    } else if (const absl::Status rest = end.ok() ? decoder_.Finish() : end.status(); !rest.ok()) {
      Take(StreamEnded{StreamEnded::Cause::kBroken, std::string(rest.message())});
    } else {
      Take(StreamEnded{});
    }
  }

 private:
  void Take(ReflectorInput input) {
    opened_ = true;
    if (wanted_) wanted_ = take_(std::move(input));
  }

  bool Read(absl::string_view bytes) {
    decoder_.Append(bytes);
    while (wanted_) {
      absl::StatusOr<std::optional<WatchEvent>> event = decoder_.Next();
      if (!event.ok()) {
        unreadable_ = event.status();
        return false;
      }
      if (!event->has_value()) return true;
      Take(**std::move(event));
    }
    return false;
  }

  WatchDecoder decoder_;
  const std::function<bool(ReflectorInput)>& take_;
  bool opened_ = false;
  bool wanted_ = true;
  std::optional<absl::Status> unreadable_;
};

}  // namespace

absl::StatusOr<std::string> ApiClient::Send(const HttpRequest& request) {
  absl::StatusOr<HttpResponse> response = transport_->Call(request);
  if (!response.ok()) return response.status();
  if (!IsSuccess(*response)) {
    const absl::Status refused = ToStatus(FailureOf(*response));
    const auto& after = response->retry_after;
    return after.has_value() ? WithRetryAfter(refused, *after) : refused;
  }
  return std::move(response->body);
}

absl::StatusOr<ApiRecord> ApiClient::Get(ResourceType type, const ObjectIdentity& identity) {
  const std::string target = ObjectPath(type, identity);
  GP_ASSIGN_OR_RETURN(std::string body, Send({"GET", target, "", ""}));
  GP_ASSIGN_OR_RETURN(const Documents documents, ReadAnswer(target, std::move(body)));
  ApiRecord record = ReadApiRecord(type, documents.roots().front());
  if (!record.object.has_value()) return absl::DataLossError(record.fault);
  return record;
}

ReflectorInput ApiClient::List(ResourceType type, const ListRequest& request) {
  HttpRequest get;
  get.target = absl::StrCat(ResourcePath(type), "?limit=", request.limit);
  if (!request.continue_token.empty()) {
    absl::StrAppend(&get.target, "&continue=", Escape(request.continue_token));
  }
  absl::StatusOr<HttpResponse> response = transport_->Call(get);
  if (!response.ok()) return RequestFailed{NoAnswer(response.status())};
  if (!IsSuccess(*response)) return RequestFailed{FailureOf(*response)};
  absl::StatusOr<ListPage> page = DecodeListPage(type, std::move(response->body));
  if (!page.ok()) return RequestFailed{Unreadable(page.status())};
  return *std::move(page);
}

std::unique_ptr<ByteStream> ApiClient::OpenWatch(ResourceType type, const WatchRequest& request) {
  return transport_->OpenStream(
      absl::StrCat(ResourcePath(type), "?watch=true&allowWatchBookmarks=true&resourceVersion=",
                   Escape(request.resource_version),
                   "&timeoutSeconds=", absl::ToInt64Seconds(request.timeout)),
      kWatchSilenceMax);
}

void ApiClient::Watch(ResourceType type, ByteStream* stream,
                      const std::function<bool(ReflectorInput)>& take) {
  WatchReading reading(type, take);
  reading.Finish(stream->Run(reading.Sink()));
}

absl::Status ApiClient::Bind(const Binding& binding) {
  return Send({"POST", absl::StrCat(ObjectPath(ResourceType::kPods, binding.pod), "/binding"),
               kJson, BindingBody(binding)})
      .status();
}

absl::Status ApiClient::PatchPodAnnotation(const ObjectIdentity& pod,
                                           const AnnotationChange& change) {
  return Send({"PATCH", ObjectPath(ResourceType::kPods, pod), kMergePatch,
               AnnotationPatch(pod, change)})
      .status();
}

absl::Status ApiClient::PatchNomination(const Binding& nomination) {
  return Send({"PATCH", absl::StrCat(ObjectPath(ResourceType::kPods, nomination.pod), "/status"),
               kMergePatch, NominationPatch(nomination)})
      .status();
}

absl::Status ApiClient::CreateEvent(const ApiEvent& event) {
  return Send({"POST", EventsPath(event), kJson, EventBody(event)}).status();
}

absl::Status ApiClient::RepeatEvent(const ApiEvent& event, const EventSeries& series) {
  return Send({"PATCH", absl::StrCat(EventsPath(event), "/", Escape(event.name)), kMergePatch,
               EventSeriesPatch(series)})
      .status();
}

absl::StatusOr<AccessAnswer> ApiClient::MayI(const AccessQuestion& question) {
  const std::string target = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
  GP_ASSIGN_OR_RETURN(std::string body, Send({"POST", target, kJson, AccessReviewBody(question)}));
  GP_ASSIGN_OR_RETURN(const Documents documents, ReadAnswer(target, std::move(body)));
  const Value* status = documents.roots().front().Find("status");
  const Value* allowed = status == nullptr ? nullptr : status->Find("allowed");
  if (allowed == nullptr || allowed->kind() != ValueKind::kBool) {
    return absl::DataLossError(absl::StrCat(target, ": an answer without status.allowed"));
  }
  return AccessAnswer{allowed->bool_value(), TextOf(*status, "reason")};
}

absl::StatusOr<ServerVersion> ApiClient::Version() {
  GP_ASSIGN_OR_RETURN(std::string body, Send({"GET", "/version", "", ""}));
  GP_ASSIGN_OR_RETURN(const Documents documents, ReadAnswer("/version", std::move(body)));
  const Value& root = documents.roots().front();
  ServerVersion version = {LeadingNumber(TextOf(root, "major")),
                           LeadingNumber(TextOf(root, "minor")), TextOf(root, "gitVersion")};
  if (version.major == 0) return absl::DataLossError("/version: an answer without a major version");
  return version;
}

}  // namespace gangpack::k8s
