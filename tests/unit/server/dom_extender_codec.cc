#include "tests/unit/server/dom_extender_codec.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "k8s/utf8.h"
#include "rapidjson/document.h"
#include "rapidjson/error/error.h"
#include "rapidjson/stringbuffer.h"
#include "rapidjson/writer.h"

namespace gangpack::server {
namespace {

using rapidjson::Value;

constexpr unsigned kFlags = rapidjson::kParseIterativeFlag | rapidjson::kParseValidateEncodingFlag |
                            rapidjson::kParseFullPrecisionFlag;

absl::string_view TextOf(const Value& string) {
  return {string.GetString(), string.GetStringLength()};
}

// RapidJSON resolves half a surrogate pair to bytes that are no UTF-8.
bool HasBrokenString(const Value& value) {
  if (value.IsString()) return k8s::FindInvalidUtf8(TextOf(value)).has_value();
  if (value.IsArray()) {
    for (const Value& element : value.GetArray()) {
      if (HasBrokenString(element)) return true;
    }
  }
  if (value.IsObject()) {
    for (const auto& member : value.GetObject()) {
      if (HasBrokenString(member.name) || HasBrokenString(member.value)) return true;
    }
  }
  return false;
}

const Value& Null() {
  static const Value null;
  return null;
}

// The last value that is not null.
const Value& MemberOf(const Value& object, absl::string_view key, bool any_case) {
  const Value* found = &Null();
  for (const auto& member : object.GetObject()) {
    const absl::string_view name = TextOf(member.name);
    const bool same = any_case ? absl::EqualsIgnoreCase(name, key) : name == key;
    if (same && !member.value.IsNull()) found = &member.value;
  }
  return *found;
}

std::string KindOf(const Value& value) {
  if (value.IsNull()) return "null";
  if (value.IsBool()) return "a boolean";
  if (value.IsNumber()) return "a number";
  if (value.IsString()) return "a string";
  return value.IsArray() ? "an array" : "an object";
}

std::string Written(const Value& value) {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  value.Accept(writer);
  return std::string(buffer.GetString(), buffer.GetSize());
}

// Reads on until the first error, which it keeps.
class Reading {
 public:
  explicit Reading(DomExtenderArgs& args) : args_(args) {}

  bool Expect(bool fulfilled, const std::string& path, const std::string& expected,
              const std::string& found) {
    if (!args_.error.empty()) return false;
    if (!fulfilled) args_.error = absl::StrCat(path, ": expected ", expected, ", found ", found);
    return fulfilled;
  }
  bool ExpectObject(const Value& value, const std::string& path) {
    return Expect(value.IsObject(), path, "an object", KindOf(value));
  }
  bool ExpectArray(const Value& value, const std::string& path) {
    return Expect(value.IsArray(), path, "an array", KindOf(value));
  }
  std::string NonEmpty(const Value& object, const char* key, const std::string& path) {
    if (!args_.error.empty()) return "";
    const Value& value = MemberOf(object, key, false);
    if (!Expect(value.IsString(), path + "." + key, "a non-empty string", KindOf(value))) return "";
    Expect(value.GetStringLength() > 0, path + "." + key, "a non-empty string", "an empty one");
    return std::string(TextOf(value));
  }
  // Null() where there is none.
  const Value& Metadata(const Value& object, const std::string& path) {
    if (!ExpectObject(object, path)) return Null();
    const Value& metadata = MemberOf(object, "metadata", false);
    return ExpectObject(metadata, path + ".metadata") ? metadata : Null();
  }

  void Pod(const Value& pod) {
    const Value& metadata = Metadata(pod, "Pod");
    args_.uid = NonEmpty(metadata, "uid", "Pod.metadata");
    args_.namespace_name = NonEmpty(metadata, "namespace", "Pod.metadata");
    args_.name = NonEmpty(metadata, "name", "Pod.metadata");
    args_.pod = Written(pod);
  }
  void Nodes(const Value& nodes) {
    if (nodes.IsNull() || !ExpectObject(nodes, "Nodes")) return;
    args_.nodes.emplace();
    const Value& items = MemberOf(nodes, "items", false);
    if (items.IsNull() || !ExpectArray(items, "Nodes.items")) return;
    for (const Value& item : items.GetArray()) {
      const std::string path = absl::StrCat("Nodes.items[", args_.nodes->size(), "]");
      const Value& metadata = Metadata(item, path);
      args_.nodes->push_back({NonEmpty(metadata, "name", path + ".metadata"), Written(item)});
    }
  }
  void Names(const Value& names) {
    if (names.IsNull() || !ExpectArray(names, "NodeNames")) return;
    args_.node_names.emplace();
    for (const Value& name : names.GetArray()) {
      const std::string path = absl::StrCat("NodeNames[", args_.node_names->size(), "]");
      if (!Expect(name.IsString(), path, "a string", KindOf(name))) return;
      args_.node_names->emplace_back(TextOf(name));
    }
  }

 private:
  DomExtenderArgs& args_;
};

// What RapidJSON lets pass, or does not see: it takes a NUL for the end and skips a byte order
// mark.
bool LooksLikeNoText(std::string_view body) {
  return body.find('\0') != std::string_view::npos || body.starts_with("\xEF\xBB\xBF");
}

}  // namespace

std::optional<DomExtenderArgs> ReadByDom(std::string_view body) {
  DomExtenderArgs args;
  rapidjson::Document document;
  document.Parse<kFlags>(body.data(), body.size());
  if (document.HasParseError() && document.GetParseError() == rapidjson::kParseErrorNumberTooBig) {
    return std::nullopt;
  }
  if (document.HasParseError() || LooksLikeNoText(body) || HasBrokenString(document)) {
    args.error = "not JSON";
    return args;
  }
  Reading reading(args);
  if (!reading.ExpectObject(document, "ExtenderArgs")) return args;
  reading.Pod(MemberOf(document, "Pod", true));
  reading.Nodes(MemberOf(document, "Nodes", true));
  reading.Names(MemberOf(document, "NodeNames", true));
  return args;
}

std::string Rewritten(std::string_view json) {
  rapidjson::Document document;
  document.Parse<kFlags>(json.data(), json.size());
  return document.HasParseError() ? "no JSON" : Written(document);
}

}  // namespace gangpack::server
