#include "k8s/object_codec.h"

#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace gangpack::k8s {
namespace {

struct TypeName {
  absl::string_view api_version;
  absl::string_view kind;
};

constexpr TypeName kNodeType = {"v1", "Node"};
constexpr TypeName kPodType = {"v1", "Pod"};
constexpr TypeName kNamespaceType = {"v1", "Namespace"};
constexpr TypeName kPodGroupType = {kPodGroupApiVersion, "PodGroup"};

bool operator==(const TypeName& a, const TypeName& b) {
  return a.api_version == b.api_version && a.kind == b.kind;
}

// The type of the items of a list that has a type of its own; they need not repeat it.
std::optional<TypeName> TypeOfItems(const TypeName& list) {
  for (const TypeName& type : {kNodeType, kPodType, kNamespaceType, kPodGroupType}) {
    if (list.api_version == type.api_version && list.kind == absl::StrCat(type.kind, "List")) {
      return type;
    }
  }
  return std::nullopt;
}

class ObjectDecoder {
 public:
  ObjectDecoder(ObjectSource source, FaultList* faults, std::vector<DecodedObject>* objects)
      : source_(source), faults_(faults), objects_(objects) {}

  // `assumed` is the type where the object does not say its own.
  void Decode(const Field& object, TypeName assumed) {
    if (!object.exists() || !object.IsObject()) return;
    TypeName type = {object.OptionalText("apiVersion").value_or(assumed.api_version),
                     object.OptionalText("kind").value_or(assumed.kind)};
    if (type.kind.empty() || type.api_version.empty()) {
      const absl::string_view missing = type.kind.empty() ? "kind" : "apiVersion";
      if (!object.Any(missing).exists()) {
        object.Report(missing,
                      "missing, expected the type of the object, such as apiVersion: v1 "
                      "and kind: Pod");
      }
      return;
    }
    const std::optional<TypeName> item_type = TypeOfItems(type);
    if (item_type.has_value() || type == TypeName{"v1", "List"}) {
      const Field items = object.List("items");
      objects_->reserve(objects_->size() + items.item_count());
      for (size_t i = 0; i < items.item_count(); ++i) {
        const Field item = items.ObjectAt(i);
        Decode(item, item_type.value_or(TypeName{}));
      }
      return;
    }
    const size_t faults_before = faults_->faults.size();
    DecodedObject decoded = {object.value().line(), DecodeAs(type, object)};
    if (faults_->faults.size() == faults_before) objects_->push_back(std::move(decoded));
  }

 private:
  decltype(DecodedObject::object) DecodeAs(const TypeName& type, const Field& object) {
    if (type == kPodType) return DecodePod(object);
    if (type == kNodeType) return DecodeNode(object, source_);
    if (type == kPodGroupType) return DecodePodGroup(object);
    if (type == kNamespaceType) return DecodeNamespace(object);
    return OtherObject{std::string(type.api_version), std::string(type.kind), object.value()};
  }

  ObjectSource source_;
  FaultList* faults_;
  std::vector<DecodedObject>* objects_;
};

}  // namespace

DecodedObjects DecodeObjects(const Documents& documents, ObjectSource source) {
  FaultList faults = {documents.file(), {}};
  DecodedObjects decoded;
  ObjectDecoder decoder(source, &faults, &decoded.objects);
  for (const Value& root : documents.roots()) {
    const Field field(root, &faults);
    decoder.Decode(field, TypeName{});
  }
  decoded.faults = std::move(faults.faults);
  return decoded;
}

}  // namespace gangpack::k8s
