#include "k8s/api_body.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "rapidjson/stringbuffer.h"
#include "rapidjson/writer.h"

namespace gangpack::k8s {
namespace {

constexpr absl::string_view kReportingController = "gangpack";

// A JSON object that is written from its beginning to its end.
class JsonText {
 public:
  JsonText() : writer_(buffer_) { writer_.StartObject(); }

  JsonText& Open(absl::string_view key) {
    Key(key);
    writer_.StartObject();
    return *this;
  }
  JsonText& Close() {
    writer_.EndObject();
    return *this;
  }
  JsonText& Text(absl::string_view key, absl::string_view value) {
    Key(key);
    String(value);
    return *this;
  }
  JsonText& TextUnlessEmpty(absl::string_view key, absl::string_view value) {
    return value.empty() ? *this : Text(key, value);
  }
  JsonText& Null(absl::string_view key) {
    Key(key);
    writer_.Null();
    return *this;
  }
  JsonText& Int(absl::string_view key, int64_t value) {
    Key(key);
    writer_.Int64(value);
    return *this;
  }
  // Closes the outermost object.
  std::string Finish() {
    writer_.EndObject();
    return buffer_.GetString();
  }

 private:
  void Key(absl::string_view key) {
    writer_.Key(key.data(), static_cast<rapidjson::SizeType>(key.size()));
  }
  void String(absl::string_view text) {
    writer_.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
  }

  rapidjson::StringBuffer buffer_;
  rapidjson::Writer<rapidjson::StringBuffer> writer_;
};

// metav1.MicroTime
std::string MicroTime(absl::Time time) {
  return absl::FormatTime("%Y-%m-%dT%H:%M:%E6SZ", time, absl::UTCTimeZone());
}

// At most `bytes_max` bytes, without a part of a character at the end.
absl::string_view Cut(absl::string_view text, size_t bytes_max) {
  if (text.size() <= bytes_max) return text;
  size_t end = bytes_max;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end);
}

}  // namespace

std::string BindingBody(const Binding& binding) {
  return JsonText()
      .Text("apiVersion", "v1")
      .Text("kind", "Binding")
      .Open("metadata")
      .Text("name", binding.pod.name)
      .Text("namespace", binding.pod.namespace_name)
      .Text("uid", binding.pod.uid)
      .Close()
      .Open("target")
      .Text("apiVersion", "v1")
      .Text("kind", "Node")
      .Text("name", binding.node)
      .Close()
      .Finish();
}

std::string AnnotationPatch(const ObjectIdentity& object, const AnnotationChange& change) {
  JsonText text;
  text.Open("metadata").Text("uid", object.uid).Open("annotations");
  if (change.value.has_value()) {
    text.Text(change.key, *change.value);
  } else {
    text.Null(change.key);
  }
  return text.Close().Close().Finish();
}

std::string NominationPatch(const Binding& nomination) {
  JsonText text;
  text.Open("metadata").Text("uid", nomination.pod.uid).Close().Open("status");
  if (nomination.node.empty()) {
    text.Null("nominatedNodeName");
  } else {
    text.Text("nominatedNodeName", nomination.node);
  }
  return text.Close().Finish();
}

std::string EventBody(const ApiEvent& event) {
  const ObjectReference& object = event.regarding;
  // Events on objects without a namespace live in "default".
  const std::string namespace_name =
      object.identity.namespace_name.empty() ? "default" : object.identity.namespace_name;
  return JsonText()
      .Text("apiVersion", "events.k8s.io/v1")
      .Text("kind", "Event")
      .Open("metadata")
      .Text("name", event.name)
      .Text("namespace", namespace_name)
      .Close()
      .Text("eventTime", MicroTime(event.time))
      .Text("reportingController", kReportingController)
      .Text("reportingInstance", event.reporting_instance)
      .Text("type", event.warning ? "Warning" : "Normal")
      .Text("reason", event.reason)
      .Text("action", event.action)
      .Text("note", Cut(event.note, kMaxEventNoteBytes))
      .Open("regarding")
      .Text("apiVersion", object.api_version)
      .Text("kind", object.kind)
      .TextUnlessEmpty("namespace", object.identity.namespace_name)
      .Text("name", object.identity.name)
      .TextUnlessEmpty("uid", object.identity.uid)
      .Close()
      .Finish();
}

std::string EventSeriesPatch(const EventSeries& series) {
  return JsonText()
      .Open("series")
      .Int("count", series.count)
      .Text("lastObservedTime", MicroTime(series.last_observed))
      .Close()
      .Finish();
}

std::string AccessReviewBody(const AccessQuestion& question) {
  return JsonText()
      .Text("apiVersion", "authorization.k8s.io/v1")
      .Text("kind", "SelfSubjectAccessReview")
      .Open("spec")
      .Open("resourceAttributes")
      .Text("verb", question.verb)
      .TextUnlessEmpty("group", question.group)
      .Text("resource", question.resource)
      .TextUnlessEmpty("subresource", question.subresource)
      .TextUnlessEmpty("namespace", question.namespace_name)
      .Close()
      .Close()
      .Finish();
}

}  // namespace gangpack::k8s
