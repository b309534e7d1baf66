#include "k8s/object_codec.h"

#include <cstddef>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/status_macros.h"

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

bool IsList(const TypeName& type) {
  return TypeOfItems(type).has_value() || type == TypeName{"v1", "List"};
}

bool IsDecoded(const TypeName& type) {
  return type == kPodType || type == kNodeType || type == kNamespaceType || type == kPodGroupType;
}

// `assumed` is the type where the object does not say its own.
TypeName TypeOf(const Field& object, const TypeName& assumed) {
  return {object.OptionalText("apiVersion").value_or(assumed.api_version),
          object.OptionalText("kind").value_or(assumed.kind)};
}

int LineOfMember(const Value& object, absl::string_view parent, absl::string_view key) {
  int line = object.line();
  const Value* value = &object;
  for (const absl::string_view name : {parent, key}) {
    const Value* next = nullptr;
    for (const Member& member : value->members()) {
      if (member.key() != name) continue;
      next = &member.value;
      line = member.key_line;
    }
    if (next == nullptr) break;
    value = next;
  }
  return line;
}

// What was decoded of the items that were taken away before their list was complete.
struct TakenItem {
  size_t document = 0;
  size_t index = 0;
  size_t objects = 0;  // How many objects and faults it has.
  size_t faults = 0;
};
struct TakenItems {
  std::deque<TakenItem> items;
  std::deque<DecodedObject> objects;
  std::deque<Fault> faults;
};

template <typename From, typename To>
void MoveFirst(size_t count, From* from, To* to) {
  for (size_t i = 0; i < count; ++i) to->push_back(std::move((*from)[i]));
  from->erase(from->begin(), from->begin() + static_cast<std::ptrdiff_t>(count));
}

class ObjectDecoder {
 public:
  ObjectDecoder(ObjectSource source, FaultList* faults, std::deque<DecodedObject>* objects)
      : source_(source), faults_(faults), objects_(objects) {}

  // `assumed` is the type where the object does not say its own; `taken` has what was in the lists
  // of documents from `document` on.
  void Decode(const Field& object, TypeName assumed, size_t document = 0,
              TakenItems* taken = nullptr) {
    if (!object.exists() || !object.IsObject()) return;
    const TypeName type = TypeOf(object, assumed);
    if (type.kind.empty() || type.api_version.empty()) {
      const absl::string_view missing = type.kind.empty() ? "kind" : "apiVersion";
      if (!object.Any(missing).exists()) {
        object.Report(missing,
                      "missing, expected the type of the object, such as apiVersion: v1 "
                      "and kind: Pod");
      }
      return;
    }
    if (IsList(type)) {
      const Field items = object.List("items");
      for (size_t i = 0; i < items.item_count(); ++i) {
        if (taken != nullptr && Restore({document, i}, taken)) continue;
        const Field item = items.ObjectAt(i);
        Decode(item, TypeOfItems(type).value_or(TypeName{}));
      }
      return;
    }
    const size_t faults_before = faults_->faults.size();
    const Value& value = object.value();
    DecodedObject decoded = {
        value.line(),
        {LineOfMember(value, "metadata", "name"), LineOfMember(value, "metadata", "uid"),
         LineOfMember(value, "spec", "nodeName")},
        DecodeAs(type, object)};
    if (faults_->faults.size() == faults_before) objects_->push_back(std::move(decoded));
  }

 private:
  // True if that item was taken: what was in it comes next.
  bool Restore(const TakenItem& item, TakenItems* taken) {
    while (!taken->items.empty() && taken->items.front().document < item.document) Drop(taken);
    if (taken->items.empty()) return false;
    const TakenItem& next = taken->items.front();
    if (next.document != item.document || next.index != item.index) return false;
    MoveFirst(next.objects, &taken->objects, objects_);
    MoveFirst(next.faults, &taken->faults, &faults_->faults);
    taken->items.pop_front();
    return true;
  }

  // The document turned out to be no list.
  static void Drop(TakenItems* taken) {
    DecodedObjects dropped;
    MoveFirst(taken->items.front().objects, &taken->objects, &dropped.objects);
    MoveFirst(taken->items.front().faults, &taken->faults, &dropped.faults);
    taken->items.pop_front();
  }

  decltype(DecodedObject::object) DecodeAs(const TypeName& type, const Field& object) {
    if (type == kPodType) return DecodePod(object);
    if (type == kNodeType) return DecodeNode(object, source_);
    if (type == kPodGroupType) return DecodePodGroup(object);
    if (type == kNamespaceType) return DecodeNamespace(object);
    return OtherObject{std::string(type.api_version), std::string(type.kind), object.value()};
  }

  ObjectSource source_;
  FaultList* faults_;
  std::deque<DecodedObject>* objects_;
};

// Decodes items of lists as they come. An item is left in its list where its type is not known yet,
// or where something will point into it.
class ItemTaker {
 public:
  ItemTaker(std::string file, ObjectSource source, TakenItems* taken)
      : faults_{std::move(file), {}}, source_(source), taken_(*taken) {}

  bool Take(const OfferedItem& offer) {
    const TypeName list = {offer.api_version, offer.kind};
    const bool list_is_known = !list.api_version.empty() && !list.kind.empty();
    if (list_is_known && !IsList(list)) return false;
    const TypeName assumed = TypeOfItems(list).value_or(TypeName{});
    if (!IsDecoded(TypeSaid(offer.item, assumed))) return false;
    const Value nothing;
    const Field root(nothing, &faults_);
    const Field items = root.Any("items");
    const Field item = items.Item(offer.item, offer.index);
    const size_t objects_before = taken_.objects.size();
    ObjectDecoder(source_, &faults_, &taken_.objects).Decode(item, assumed);
    taken_.items.push_back({offer.document, offer.index, taken_.objects.size() - objects_before,
                            faults_.faults.size()});
    for (Fault& fault : faults_.faults) taken_.faults.push_back(std::move(fault));
    faults_.faults.clear();
    return true;
  }

 private:
  // As TypeOf, but nothing is reported: what is left in its list is decoded there.
  static TypeName TypeSaid(const Value& item, const TypeName& assumed) {
    const auto said = [&item](absl::string_view key, absl::string_view otherwise) {
      const Value* value = item.Find(key);
      return value == nullptr || value->is_null() ? otherwise : value->text();
    };
    return {said("apiVersion", assumed.api_version), said("kind", assumed.kind)};
  }

  FaultList faults_;
  ObjectSource source_;
  TakenItems& taken_;
};

DecodedObjects DecodeRest(const Documents& documents, ObjectSource source, TakenItems* taken) {
  FaultList faults = {documents.file(), {}};
  DecodedObjects decoded;
  ObjectDecoder decoder(source, &faults, &decoded.objects);
  for (size_t i = 0; i < documents.roots().size(); ++i) {
    const Field field(documents.roots()[i], &faults);
    decoder.Decode(field, TypeName{}, i, taken);
  }
  decoded.faults = std::move(faults.faults);
  return decoded;
}

}  // namespace

DecodedObjects DecodeObjects(const Documents& documents, ObjectSource source) {
  return DecodeRest(documents, source, nullptr);
}

absl::StatusOr<DecodedStream> DecodeJsonStream(TextStream source, ObjectSource object_source) {
  TakenItems taken;
  ItemTaker taker(source.file, object_source, &taken);
  GP_ASSIGN_OR_RETURN(Documents documents,
                      ReadJson(std::move(source),
                               [&taker](const OfferedItem& offer) { return taker.Take(offer); }));
  DecodedObjects decoded = DecodeRest(documents, object_source, &taken);
  return DecodedStream{std::move(documents), std::move(decoded)};
}

}  // namespace gangpack::k8s
