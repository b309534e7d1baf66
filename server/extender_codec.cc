#include "server/extender_codec.h"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "core/status_macros.h"
#include "server/json_slice.h"

namespace gangpack::server {
namespace {

std::string Join(std::initializer_list<std::string_view> parts) {
  std::string joined;
  for (const std::string_view part : parts) joined += part;
  return joined;
}

absl::Status ExpectKind(JsonSlice value, JsonKind kind, std::string_view path) {
  if (value.kind() == kind) return absl::OkStatus();
  return JsonMismatch(path, JsonKindName(kind), JsonKindName(value.kind()));
}

absl::string_view View(std::string_view text) { return {text.data(), text.size()}; }

std::string ElementPath(std::string_view list, size_t index) {
  return Join({list, "[", std::to_string(index), "]"});
}

// Where a member that was found is put. Go takes a later occurrence of a key for the earlier one,
// and null for none.
struct Field {
  std::string_view key;
  JsonSlice* value;
};

enum class KeyCase { kExact, kAny };

// Requires an object. Each of `fields` gets the value of its key, null if there is none.
void ReadFields(JsonSlice object, KeyCase key_case, JsonStrings& strings,
                std::initializer_list<Field> fields) {
  (void)object.ForEachMember([&](JsonSlice key, JsonSlice value) {
    const std::string_view name = key.String(strings);
    for (const Field& field : fields) {
      const bool same = key_case == KeyCase::kExact
                            ? name == field.key
                            : absl::EqualsIgnoreCase(View(name), View(field.key));
      if (same && !value.is_null()) *field.value = value;
    }
    return absl::OkStatus();  // Walking checked text cannot fail, and nothing here does.
  });
}

// The members of the object that is the whole body.
absl::Status ReadBody(std::string_view body, std::string_view what, JsonStrings& strings,
                      std::initializer_list<Field> fields) {
  GP_ASSIGN_OR_RETURN(const JsonSlice root, JsonSlice::Parse(body));
  GP_RETURN_IF_ERROR(ExpectKind(root, JsonKind::kObject, what));
  ReadFields(root, KeyCase::kAny, strings, fields);
  return absl::OkStatus();
}

absl::Status ReadString(JsonSlice value, std::string_view path, JsonStrings& strings,
                        std::string_view& out) {
  GP_RETURN_IF_ERROR(ExpectKind(value, JsonKind::kString, path));
  out = value.String(strings);
  return absl::OkStatus();
}

absl::Status ReadOptionalString(JsonSlice value, std::string_view path, JsonStrings& strings,
                                std::string_view& out) {
  if (value.is_null()) return absl::OkStatus();
  return ReadString(value, path, strings, out);
}

absl::Status ReadNonEmptyString(JsonSlice value, std::string_view path, JsonStrings& strings,
                                std::string_view& out) {
  if (value.kind() != JsonKind::kString) {
    return JsonMismatch(path, "a non-empty string", JsonKindName(value.kind()));
  }
  out = value.String(strings);
  if (out.empty()) return JsonMismatch(path, "a non-empty string", "an empty one");
  return absl::OkStatus();
}

absl::Status ReadNodeNames(JsonSlice value, JsonStrings& strings,
                           std::optional<std::vector<std::string_view>>& names) {
  if (value.is_null()) return absl::OkStatus();
  GP_RETURN_IF_ERROR(ExpectKind(value, JsonKind::kArray, "NodeNames"));
  names.emplace();
  return value.ForEachElement([&](JsonSlice element) {
    if (element.kind() != JsonKind::kString) {
      return ExpectKind(element, JsonKind::kString, ElementPath("NodeNames", names->size()));
    }
    names->push_back(element.String(strings));
    return absl::OkStatus();
  });
}

absl::Status ReadNode(JsonSlice value, const std::string& path, JsonStrings& strings,
                      ExtenderNode& node) {
  GP_RETURN_IF_ERROR(ExpectKind(value, JsonKind::kObject, path));
  node.raw = value.text();
  JsonSlice metadata, name;
  ReadFields(value, KeyCase::kExact, strings, {{"metadata", &metadata}});
  GP_RETURN_IF_ERROR(ExpectKind(metadata, JsonKind::kObject, path + ".metadata"));
  ReadFields(metadata, KeyCase::kExact, strings, {{"name", &name}});
  return ReadNonEmptyString(name, path + ".metadata.name", strings, node.name);
}

absl::Status ReadNodes(JsonSlice value, JsonStrings& strings,
                       std::optional<std::vector<ExtenderNode>>& nodes) {
  if (value.is_null()) return absl::OkStatus();
  GP_RETURN_IF_ERROR(ExpectKind(value, JsonKind::kObject, "Nodes"));
  nodes.emplace();
  JsonSlice items;
  ReadFields(value, KeyCase::kExact, strings, {{"items", &items}});
  if (items.is_null()) return absl::OkStatus();
  GP_RETURN_IF_ERROR(ExpectKind(items, JsonKind::kArray, "Nodes.items"));
  return items.ForEachElement([&](JsonSlice element) {
    const std::string path = ElementPath("Nodes.items", nodes->size());
    return ReadNode(element, path, strings, nodes->emplace_back());
  });
}

absl::Status ReadRefusals(JsonSlice value, std::string_view path, JsonStrings& strings,
                          std::vector<NodeRefusal>& refusals) {
  if (value.is_null()) return absl::OkStatus();
  GP_RETURN_IF_ERROR(ExpectKind(value, JsonKind::kObject, path));
  return value.ForEachMember([&](JsonSlice key, JsonSlice reason) {
    NodeRefusal& refusal = refusals.emplace_back();
    refusal.node = key.String(strings);
    return ReadOptionalString(reason, Join({path, "[", key.text(), "]"}), strings, refusal.reason);
  });
}

absl::Status ReadScore(JsonSlice value, const std::string& path, int64_t& score) {
  if (value.is_null()) return absl::OkStatus();
  const std::string_view text = value.text();
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), score);
  if (error != std::errc() || end != text.data() + text.size()) {
    return JsonMismatch(path, "a 64-bit integer without fraction or exponent", text);
  }
  return absl::OkStatus();
}

// The captured order of fields: Nodes, then NodeNames, each null when it is not used. Names are
// absl::string_view or std::string_view.
template <typename Names>
void AppendNodes(std::string& out, const std::optional<std::vector<ExtenderNode>>& nodes,
                 const std::optional<Names>& node_names) {
  out += "\"Nodes\":";
  if (nodes.has_value()) {
    out += "{\"metadata\":{},\"items\":[";
    for (size_t i = 0; i < nodes->size(); ++i) {
      if (i > 0) out += ',';
      out += (*nodes)[i].raw;
    }
    out += "]}";
  } else {
    out += "null";
  }
  out += ",\"NodeNames\":";
  if (!node_names.has_value()) {
    out += "null";
    return;
  }
  out += '[';
  for (size_t i = 0; i < node_names->size(); ++i) {
    if (i > 0) out += ',';
    AppendJsonString(out, {(*node_names)[i].data(), (*node_names)[i].size()});
  }
  out += ']';
}

void AppendRefusals(std::string& out, const std::vector<NodeRefusal>& refusals) {
  if (refusals.empty()) {
    out += "null";
    return;
  }
  out += '{';
  for (size_t i = 0; i < refusals.size(); ++i) {
    if (i > 0) out += ',';
    AppendJsonString(out, refusals[i].node);
    out += ':';
    AppendEventText(out, refusals[i].reason);
  }
  out += '}';
}

}  // namespace

void AppendEventText(std::string& out, std::string_view text) {
  if (text.find('%') == std::string_view::npos) return AppendJsonString(out, text);
  std::string clean;
  for (const char c : text) {
    if (c == '%') {
      clean += " percent";
    } else {
      clean += c;
    }
  }
  AppendJsonString(out, clean);
}

absl::StatusOr<ExtenderBindingArgs> DecodeExtenderBindingArgs(std::string_view body) {
  ExtenderBindingArgs args;
  JsonSlice name, namespace_name, uid, node;
  GP_RETURN_IF_ERROR(ReadBody(
      body, "ExtenderBindingArgs", args.strings,
      {{"PodName", &name}, {"PodNamespace", &namespace_name}, {"PodUID", &uid}, {"Node", &node}}));
  GP_RETURN_IF_ERROR(ReadNonEmptyString(name, "PodName", args.strings, args.pod_name));
  GP_RETURN_IF_ERROR(
      ReadNonEmptyString(namespace_name, "PodNamespace", args.strings, args.pod_namespace));
  GP_RETURN_IF_ERROR(ReadNonEmptyString(uid, "PodUID", args.strings, args.pod_uid));
  GP_RETURN_IF_ERROR(ReadNonEmptyString(node, "Node", args.strings, args.node));
  return args;
}

std::string EncodeExtenderArgs(const ExtenderArgs& args) {
  std::string out = "{\"Pod\":";
  out += args.pod.raw;
  out += ',';
  AppendNodes(out, args.nodes, args.node_names);
  out += '}';
  return out;
}

std::string EncodeExtenderBindingArgs(const ExtenderBindingArgs& args) {
  std::string out = "{\"PodName\":";
  AppendJsonString(out, args.pod_name);
  out += ",\"PodNamespace\":";
  AppendJsonString(out, args.pod_namespace);
  out += ",\"PodUID\":";
  AppendJsonString(out, args.pod_uid);
  out += ",\"Node\":";
  AppendJsonString(out, args.node);
  out += '}';
  return out;
}

std::string EncodeExtenderFilterResult(const ExtenderFilterResult& result) {
  std::string out = "{";
  AppendNodes(out, result.nodes, result.node_names);
  out += ",\"FailedNodes\":";
  AppendRefusals(out, result.failed_nodes);
  out += ",\"FailedAndUnresolvableNodes\":";
  AppendRefusals(out, result.failed_and_unresolvable_nodes);
  out += ",\"Error\":";
  AppendEventText(out, result.error);
  out += '}';
  return out;
}

void AppendHostPriority(std::string& out, std::string_view host, int64_t score) {
  if (out.back() != '[') out += ',';
  out += "{\"Host\":";
  AppendJsonString(out, host);
  out += ",\"Score\":";
  char digits[24];
  const auto [end, error] = std::to_chars(digits, digits + sizeof(digits), score);
  out.append(digits, end);
  out += '}';
}

std::string EncodeHostPriorityList(const std::vector<HostPriority>& hosts) {
  std::string out = "[";
  for (const HostPriority& host : hosts) AppendHostPriority(out, host.host, host.score);
  out += ']';
  return out;
}

std::string EncodeExtenderBindingResult(const ExtenderBindingResult& result) {
  std::string out = "{\"Error\":";
  AppendEventText(out, result.error);
  out += '}';
  return out;
}

absl::StatusOr<ExtenderFilterResult> DecodeExtenderFilterResult(std::string_view body) {
  ExtenderFilterResult result;
  JsonSlice nodes, node_names, failed, unresolvable, error;
  GP_RETURN_IF_ERROR(ReadBody(body, "ExtenderFilterResult", result.strings,
                              {{"Nodes", &nodes},
                               {"NodeNames", &node_names},
                               {"FailedNodes", &failed},
                               {"FailedAndUnresolvableNodes", &unresolvable},
                               {"Error", &error}}));
  GP_RETURN_IF_ERROR(ReadNodes(nodes, result.strings, result.nodes));
  GP_RETURN_IF_ERROR(ReadNodeNames(node_names, result.strings, result.node_names));
  GP_RETURN_IF_ERROR(ReadRefusals(failed, "FailedNodes", result.strings, result.failed_nodes));
  GP_RETURN_IF_ERROR(ReadRefusals(unresolvable, "FailedAndUnresolvableNodes", result.strings,
                                  result.failed_and_unresolvable_nodes));
  GP_RETURN_IF_ERROR(ReadOptionalString(error, "Error", result.strings, result.error));
  return result;
}

absl::StatusOr<HostPriorityList> DecodeHostPriorityList(std::string_view body) {
  GP_ASSIGN_OR_RETURN(const JsonSlice root, JsonSlice::Parse(body));
  HostPriorityList list;
  if (root.is_null()) return list;
  GP_RETURN_IF_ERROR(ExpectKind(root, JsonKind::kArray, "HostPriorityList"));
  GP_RETURN_IF_ERROR(root.ForEachElement([&](JsonSlice element) -> absl::Status {
    const std::string path = ElementPath("HostPriorityList", list.hosts.size());
    GP_RETURN_IF_ERROR(ExpectKind(element, JsonKind::kObject, path));
    JsonSlice host, score;
    ReadFields(element, KeyCase::kAny, list.strings, {{"Host", &host}, {"Score", &score}});
    HostPriority& priority = list.hosts.emplace_back();
    GP_RETURN_IF_ERROR(ReadOptionalString(host, path + ".Host", list.strings, priority.host));
    return ReadScore(score, path + ".Score", priority.score);
  }));
  return list;
}

absl::StatusOr<ExtenderBindingResult> DecodeExtenderBindingResult(std::string_view body) {
  JsonStrings strings;
  JsonSlice error;
  GP_RETURN_IF_ERROR(ReadBody(body, "ExtenderBindingResult", strings, {{"Error", &error}}));
  std::string_view text;
  GP_RETURN_IF_ERROR(ReadOptionalString(error, "Error", strings, text));
  return ExtenderBindingResult{std::string(text)};
}

}  // namespace gangpack::server
