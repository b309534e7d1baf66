#include "server/filter_answer.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/string_view.h"
#include "core/calls.h"
#include "core/explain.h"
#include "server/extender_args.h"
#include "server/extender_codec.h"
#include "server/json_slice.h"

namespace gangpack::server {
namespace {

// What an answer needs besides the names in it, and each name besides itself.
constexpr size_t kFrameBytes = 512;
constexpr size_t kNameFrameBytes = 3;
constexpr size_t kPriorityFrameBytes = 24;

std::string_view NameAt(const NodeNames& names, size_t index) {
  return {names[index].data(), names[index].size()};
}

size_t BytesOf(const NodeNames& names, size_t bytes_per_name) {
  size_t bytes = kFrameBytes;
  for (const absl::string_view name : names) bytes += name.size() + bytes_per_name;
  return bytes;
}

bool CameWhole(const ExtenderArgs& args) {
  return args.nodes.has_value() && !args.node_names.has_value();
}

void AppendAcceptedNodes(std::string& out, const std::vector<ExtenderNode>& nodes,
                         const std::vector<int>& accepted) {
  out += "{\"Nodes\":{\"metadata\":{},\"items\":[";
  for (const int index : accepted) {
    if (index != accepted.front()) out += ',';
    out += nodes[static_cast<size_t>(index)].raw;
  }
  out += "]},\"NodeNames\":null";
}

void AppendAcceptedNames(std::string& out, const NodeNames& names,
                         const std::vector<int>& accepted) {
  out += "{\"Nodes\":null,\"NodeNames\":[";
  for (const int index : accepted) {
    if (index != accepted.front()) out += ',';
    AppendJsonString(out, NameAt(names, static_cast<size_t>(index)));
  }
  out += ']';
}

// Writes {NODE: REASON, ...}, or null if there is none.
class RefusalWriter {
 public:
  RefusalWriter(std::string& out, const NodeNames& names) : out_(out), names_(names) {}

  void Add(size_t index, std::string_view reason_json) {
    out_ += empty_ ? '{' : ',';
    empty_ = false;
    AppendJsonString(out_, NameAt(names_, index));
    out_ += ':';
    out_ += reason_json;
  }
  void End() { out_ += empty_ ? "null" : "}"; }

 private:
  std::string& out_;
  const NodeNames& names_;
  bool empty_ = true;
};

std::string ReasonJson(const Reason& reason) {
  std::string json;
  AppendEventText(json, Text(reason));
  return json;
}

// One entry for each refusal of all others, on offered nodes that have none.
void AddAllOthers(const FilterDecision& decision, size_t offered, RefusalWriter& writer) {
  std::vector<bool> named(offered);
  for (const FilterDecision::Refusal& refusal : decision.refusals) {
    for (const int index : refusal.nodes) named[static_cast<size_t>(index)] = true;
  }
  size_t next = 0;
  for (const FilterDecision::Refusal& refusal : decision.refusals) {
    if (!refusal.all_others) continue;
    while (next < offered && named[next]) ++next;
    if (next < offered) writer.Add(next++, ReasonJson(refusal.reason));
  }
}

}  // namespace

const NodeNames& OfferedNames(const ExtenderArgs& args, NodeNames& buffer) {
  if (args.node_names.has_value()) return *args.node_names;
  buffer.clear();
  if (args.nodes.has_value()) {
    buffer.reserve(args.nodes->size());
    for (const ExtenderNode& node : *args.nodes) {
      buffer.emplace_back(node.name.data(), node.name.size());
    }
  }
  return buffer;
}

std::string FilterAnswer(const ExtenderArgs& args, const FilterDecision& decision) {
  NodeNames buffer;
  const NodeNames& names = OfferedNames(args, buffer);
  std::string out;
  if (CameWhole(args)) {
    AppendAcceptedNodes(out, *args.nodes, decision.accepted);
  } else {
    if (!decision.accepted.empty()) out.reserve(BytesOf(names, kNameFrameBytes));
    AppendAcceptedNames(out, names, decision.accepted);
  }
  out += ",\"FailedNodes\":null,\"FailedAndUnresolvableNodes\":";
  RefusalWriter writer(out, names);
  for (const FilterDecision::Refusal& refusal : decision.refusals) {
    if (refusal.nodes.empty()) continue;
    const std::string reason = ReasonJson(refusal.reason);
    for (const int index : refusal.nodes) writer.Add(static_cast<size_t>(index), reason);
  }
  if (decision.accepted.empty()) AddAllOthers(decision, names.size(), writer);
  writer.End();
  out += ",\"Error\":\"\"}";
  return out;
}

std::string PrioritizeAnswer(const ExtenderArgs& args, const std::vector<int64_t>& scores) {
  NodeNames buffer;
  const NodeNames& names = OfferedNames(args, buffer);
  std::string out;
  out.reserve(BytesOf(names, kPriorityFrameBytes));
  out += '[';
  for (size_t i = 0; i < names.size(); ++i) AppendHostPriority(out, NameAt(names, i), scores[i]);
  out += ']';
  return out;
}

}  // namespace gangpack::server
