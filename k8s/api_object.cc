#include "k8s/api_object.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "k8s/fault.h"
#include "k8s/field.h"

namespace gangpack::k8s {
namespace {

std::string TextOf(const Value* metadata, absl::string_view key) {
  const Value* value = metadata == nullptr ? nullptr : metadata->Find(key);
  return value != nullptr && value->kind() == ValueKind::kString ? std::string(value->text()) : "";
}

ApiObject Decode(ResourceType type, const Field& object) {
  switch (type) {
    case ResourceType::kNamespaces:
      return DecodeNamespace(object);
    case ResourceType::kNodes:
      return DecodeNode(object, ObjectSource::kApiServer);
    case ResourceType::kPodGroups:
      return DecodePodGroup(object);
    case ResourceType::kPods:
      break;
  }
  return DecodePod(object);
}

}  // namespace

ApiRecord ReadApiRecord(ResourceType type, const Value& object) {
  ApiRecord record;
  const Value* metadata = object.Find("metadata");
  record.identity = {TextOf(metadata, "namespace"), TextOf(metadata, "name"),
                     TextOf(metadata, "uid")};
  record.resource_version = TextOf(metadata, "resourceVersion");
  const ObjectIdentity& identity = record.identity;
  FaultList faults;
  faults.file = absl::StrCat(ResourceName(type), " ", identity.namespace_name,
                             identity.namespace_name.empty() ? "" : "/",
                             identity.name.empty() ? "without a name" : identity.name);
  const Field root(object, &faults);
  if (root.IsObject()) {
    ApiObject decoded = Decode(type, root);
    if (faults.faults.empty()) record.object = std::move(decoded);
  }
  if (!faults.faults.empty()) {
    const Fault& first = faults.faults.front();
    record.fault = absl::StrCat(first.file, ": ", first.path, ": ", first.message);
    if (faults.faults.size() > 1) {
      absl::StrAppend(&record.fault, " (and ", faults.faults.size() - 1, " more)");
    }
  }
  return record;
}

}  // namespace gangpack::k8s
