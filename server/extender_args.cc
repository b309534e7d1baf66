#include "server/extender_args.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/status_macros.h"
#include "server/json_reader.h"

namespace gangpack::server {
namespace {

// Of a name list this many bytes a name are assumed, so that it seldom grows.
constexpr size_t kNameBytesAssumed = 24;

absl::string_view View(std::string_view text) { return {text.data(), text.size()}; }

absl::Status ExpectedKind(std::string_view path, JsonKind expected, JsonKind found) {
  return JsonMismatch(path, JsonKindName(expected), JsonKindName(found));
}

// The kind of the next value, which is left to be read if it is `wanted` and passed over if not.
JsonKind PassUnless(JsonKind wanted, JsonReader& reader) {
  const JsonKind next = reader.kind();
  if (next != wanted) reader.Skip();
  return next;
}

// A value that must be a string. Whether it is one is asked when the whole body is known to be JSON
// and to have no later value for the same key.
struct StringField {
  JsonKind kind = JsonKind::kNull;
  std::string_view text;

  void Read(JsonReader& reader) {
    const JsonKind next = PassUnless(JsonKind::kString, reader);
    if (next == JsonKind::kString) text = reader.String();
    if (next != JsonKind::kNull) kind = next;
  }

  absl::Status Expect(std::string_view path) const {
    constexpr std::string_view kNonEmpty = "a non-empty string";
    if (kind != JsonKind::kString) return JsonMismatch(path, kNonEmpty, JsonKindName(kind));
    return text.empty() ? JsonMismatch(path, kNonEmpty, "an empty one") : absl::OkStatus();
  }
};

// The metadata of an object, or that it has none.
struct MetadataField {
  JsonKind kind = JsonKind::kNull;
  StringField uid, namespace_name, name;

  void Read(JsonReader& reader) {
    const JsonKind next = PassUnless(JsonKind::kObject, reader);
    if (next == JsonKind::kNull) return;
    *this = {};
    kind = next;
    if (next != JsonKind::kObject) return;
    reader.BeginObject();
    for (std::string_view key; reader.NextKey(key);) {
      if (key == "uid") {
        uid.Read(reader);
      } else if (key == "namespace") {
        namespace_name.Read(reader);
      } else if (key == "name") {
        name.Read(reader);
      } else {
        reader.Skip();
      }
    }
  }

  absl::Status Expect(const std::string& path) const {
    return kind == JsonKind::kObject ? absl::OkStatus()
                                     : ExpectedKind(path, JsonKind::kObject, kind);
  }
};

// A Pod or a Node.
struct ObjectField {
  JsonKind kind = JsonKind::kNull;
  std::string_view raw;
  MetadataField metadata;

  void Read(JsonReader& reader) {
    const JsonKind next = PassUnless(JsonKind::kObject, reader);
    if (next == JsonKind::kNull) return;
    *this = {};
    kind = next;
    if (next != JsonKind::kObject) return;
    const char* const mark = reader.Mark();
    reader.BeginObject();
    for (std::string_view key; reader.NextKey(key);) {
      if (key == "metadata") {
        metadata.Read(reader);
      } else {
        reader.Skip();
      }
    }
    raw = reader.Since(mark);
  }

  absl::Status Expect(const std::string& path) const {
    if (kind != JsonKind::kObject) return ExpectedKind(path, JsonKind::kObject, kind);
    return metadata.Expect(path + ".metadata");
  }
};

absl::Status TakePod(const ObjectField& field, ExtenderPod& pod) {
  GP_RETURN_IF_ERROR(field.Expect("Pod"));
  GP_RETURN_IF_ERROR(field.metadata.uid.Expect("Pod.metadata.uid"));
  GP_RETURN_IF_ERROR(field.metadata.namespace_name.Expect("Pod.metadata.namespace"));
  GP_RETURN_IF_ERROR(field.metadata.name.Expect("Pod.metadata.name"));
  pod = {field.raw, field.metadata.uid.text, field.metadata.namespace_name.text,
         field.metadata.name.text};
  return absl::OkStatus();
}

absl::Status TakeNode(const ObjectField& field, size_t index, std::vector<ExtenderNode>& nodes) {
  if (field.kind == JsonKind::kObject && field.metadata.kind == JsonKind::kObject &&
      field.metadata.name.Expect("").ok()) {
    nodes.push_back({field.metadata.name.text, field.raw});
    return absl::OkStatus();
  }
  const std::string path = absl::StrCat("Nodes.items[", index, "]");
  GP_RETURN_IF_ERROR(field.Expect(path));
  return field.metadata.name.Expect(path + ".metadata.name");
}

// A list, and the first fault of the occurrence that counts.
template <typename List>
struct ListField {
  std::optional<List> list;
  absl::Status fault;
};

void ReadItems(JsonReader& reader, ListField<std::vector<ExtenderNode>>& field) {
  const JsonKind next = PassUnless(JsonKind::kArray, reader);
  if (next == JsonKind::kNull) return;
  field.list.emplace();
  field.fault = absl::OkStatus();
  if (next != JsonKind::kArray) {
    field.fault = ExpectedKind("Nodes.items", JsonKind::kArray, next);
    return;
  }
  reader.BeginArray();
  for (size_t i = 0; reader.NextElement(); ++i) {
    ObjectField node;
    node.Read(reader);
    if (field.fault.ok()) field.fault = TakeNode(node, i, *field.list);
  }
}

void ReadNodes(JsonReader& reader, ListField<std::vector<ExtenderNode>>& field) {
  const JsonKind next = PassUnless(JsonKind::kObject, reader);
  if (next == JsonKind::kNull) return;
  field = {.list = std::vector<ExtenderNode>(), .fault = absl::OkStatus()};
  if (next != JsonKind::kObject) {
    field.fault = ExpectedKind("Nodes", JsonKind::kObject, next);
    return;
  }
  reader.BeginObject();
  for (std::string_view key; reader.NextKey(key);) {
    if (key == "items") {
      ReadItems(reader, field);
    } else {
      reader.Skip();
    }
  }
}

void ReadNodeNames(JsonReader& reader, size_t bytes, ListField<NodeNames>& field) {
  const JsonKind next = PassUnless(JsonKind::kArray, reader);
  if (next == JsonKind::kNull) return;
  field = {.list = NodeNames(), .fault = absl::OkStatus()};
  if (next != JsonKind::kArray) {
    field.fault = ExpectedKind("NodeNames", JsonKind::kArray, next);
    return;
  }
  NodeNames& names = *field.list;
  names.reserve(bytes / kNameBytesAssumed);
  reader.BeginArray();
  for (reader.NextStrings(names); reader.NextElement(); reader.NextStrings(names)) {
    const JsonKind kind = reader.kind();
    reader.Skip();
    if (field.fault.ok()) {
      field.fault =
          ExpectedKind(absl::StrCat("NodeNames[", names.size(), "]"), JsonKind::kString, kind);
    }
  }
}

bool Is(std::string_view key, std::string_view name) {
  return key == name || absl::EqualsIgnoreCase(View(key), View(name));
}

}  // namespace

absl::StatusOr<ExtenderArgs> DecodeExtenderArgs(std::string_view body) {
  ExtenderArgs args;
  JsonReader reader(body, &args.strings);
  ObjectField pod;
  ListField<std::vector<ExtenderNode>> nodes;
  ListField<NodeNames> node_names;
  const JsonKind root = PassUnless(JsonKind::kObject, reader);
  if (root == JsonKind::kObject) {
    reader.BeginObject();
    for (std::string_view key; reader.NextKey(key);) {
      if (Is(key, "Pod")) {
        pod.Read(reader);
      } else if (Is(key, "NodeNames")) {
        ReadNodeNames(reader, body.size(), node_names);
      } else if (Is(key, "Nodes")) {
        ReadNodes(reader, nodes);
      } else {
        reader.Skip();
      }
    }
  }
  GP_RETURN_IF_ERROR(reader.End());
  if (root != JsonKind::kObject) return ExpectedKind("ExtenderArgs", JsonKind::kObject, root);
  GP_RETURN_IF_ERROR(TakePod(pod, args.pod));
  GP_RETURN_IF_ERROR(nodes.fault);
  GP_RETURN_IF_ERROR(node_names.fault);
  args.nodes = std::move(nodes.list);
  args.node_names = std::move(node_names.list);
  return args;
}

}  // namespace gangpack::server
