#include "k8s/metadata_codec.h"

#include "absl/strings/str_cat.h"
#include "k8s/names.h"

namespace gangpack::k8s {
namespace {

// The limit of the API server for all keys and values of an object's annotations together.
constexpr size_t kMaxAnnotationBytes = 256 * 1024;

Labels DecodeAnnotations(const Field& metadata) {
  const Field map = metadata.Object("annotations");
  Labels annotations;
  size_t bytes = 0;
  for (size_t i = 0; i < map.member_count(); ++i) {
    const absl::string_view key = map.MemberKey(i);
    const Field member = map.MemberAt(i);
    const std::optional<absl::string_view> text = member.AsText();
    if (const char* expected = CheckAnnotationKey(key)) {
      member.Report(absl::StrCat("bad key of an annotation, ", expected));
    } else if (text.has_value() || !member.exists()) {
      const absl::string_view value = text.value_or("");
      bytes += key.size() + value.size();
      annotations.emplace(key, value);
    }
  }
  if (bytes > kMaxAnnotationBytes) {
    map.Report(
        absl::StrCat(bytes, " bytes of annotations, expected at most ", kMaxAnnotationBytes));
  }
  return annotations;
}

bool HasDaemonSetController(const Field& metadata) {
  const Field owners = metadata.List("ownerReferences");
  bool found = false;
  for (size_t i = 0; i < owners.item_count(); ++i) {
    const Field owner = owners.ObjectAt(i);
    found |= owner.Bool("controller") && owner.Text("kind") == "DaemonSet";
  }
  return found;
}

void CheckName(const Field& metadata, absl::string_view name, NameForm form) {
  if (name.empty()) {
    metadata.Report("name", "missing, expected the name of the object");
    return;
  }
  const char* expected =
      form == NameForm::kDnsLabel ? CheckDnsLabel(name) : CheckDnsSubdomain(name);
  if (expected != nullptr) metadata.Report("name", absl::StrCat(Quote(name), ", ", expected));
}

}  // namespace

ObjectMeta DecodeMetadata(const Field& object, NameForm name_form) {
  const Field metadata = object.Object("metadata");
  ObjectMeta meta;
  meta.name = std::string(metadata.Text("name"));
  CheckName(metadata, meta.name, name_form);
  meta.namespace_name = std::string(metadata.Text("namespace"));
  if (!meta.namespace_name.empty()) {
    if (const char* expected = CheckDnsLabel(meta.namespace_name)) {
      metadata.Report("namespace", absl::StrCat(Quote(meta.namespace_name), ", ", expected));
    }
  }
  meta.uid = std::string(metadata.Text("uid"));
  meta.resource_version = std::string(metadata.Text("resourceVersion"));
  meta.creation = metadata.Timestamp("creationTimestamp");
  meta.terminating = metadata.Timestamp("deletionTimestamp").has_value();
  meta.labels = DecodeLabels(metadata, "labels");
  meta.annotations = DecodeAnnotations(metadata);
  meta.daemon_set = HasDaemonSetController(metadata);
  return meta;
}

Labels DecodeLabels(const Field& parent, absl::string_view key) {
  const Field map = parent.Object(key);
  Labels labels;
  for (size_t i = 0; i < map.member_count(); ++i) {
    const absl::string_view label = map.MemberKey(i);
    const Field member = map.MemberAt(i);
    const std::optional<absl::string_view> text = member.AsText();
    if (const char* expected = CheckQualifiedName(label)) {
      member.Report(absl::StrCat("bad key of a label, ", expected));
    } else if (text.has_value() || !member.exists()) {
      const absl::string_view value = text.value_or("");
      if (const char* value_expected = CheckLabelValue(value)) {
        member.Report(absl::StrCat(Quote(value), ", ", value_expected));
      } else {
        labels.emplace(label, value);
      }
    }
  }
  return labels;
}

}  // namespace gangpack::k8s
