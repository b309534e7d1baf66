#include "server/simulate/extender_wire.h"

#include <string_view>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "server/extender_codec.h"
#include "server/json_slice.h"
#include "server/status_mapping.h"

namespace gangpack::server {
namespace {

constexpr int kHttpOk = 200;

void AppendMember(std::string& json, std::string_view key, std::string_view value) {
  if (json.back() != '{') json += ',';
  AppendJsonString(json, key);
  json += ':';
  AppendJsonString(json, value);
}

void AppendLabels(std::string& json, std::string_view key, const Labels& labels) {
  if (labels.empty()) return;
  AppendJsonString(json += ',', key);
  json += ":{";
  for (const auto& [name, value] : labels) AppendMember(json, name, value);
  json += '}';
}

std::string PodText(const PodObject& object) {
  const Pod& pod = object.pod;
  std::string json = "{\"metadata\":{";
  AppendMember(json, "name", pod.name.name);
  AppendMember(json, "namespace", pod.name.namespace_name);
  AppendMember(json, "uid", pod.uid.value);
  AppendMember(json, "resourceVersion", absl::StrCat(object.resource_version));
  AppendLabels(json, "labels", pod.labels);
  AppendLabels(json, "annotations", object.annotations);
  json += "},\"spec\":{";
  AppendMember(json, "schedulerName", pod.scheduler_name);
  json += "},\"status\":{\"phase\":\"Pending\"";
  if (!pod.nominated_node_name.empty()) {
    AppendMember(json, "nominatedNodeName", pod.nominated_node_name);
  }
  return json + "}}";
}

std::string FailedCall(std::string_view verb, int status) {
  return absl::StrCat("failed ", absl::string_view(verb.data(), verb.size()),
                      " with extender, code ", status);
}

}  // namespace

std::string FilterBody(const PodObject& pod, const std::vector<std::string>& nodes) {
  const std::string pod_text = PodText(pod);
  ExtenderArgs args;
  args.pod.raw = pod_text;
  args.node_names.emplace(nodes.begin(), nodes.end());
  return EncodeExtenderArgs(args);
}

ExtenderFilterAnswer ReadFilterAnswer(const HttpAnswer& http) {
  ExtenderFilterAnswer answer;
  if (http.status != kHttpOk) {
    answer.error = FailedCall("filter", http.status);
    return answer;
  }
  const absl::StatusOr<ExtenderFilterResult> result = DecodeExtenderFilterResult(http.body);
  if (!result.ok()) {
    answer.error = ExtenderErrorOf(result.status());
    return answer;
  }
  answer.error = std::string(result->error);
  if (result->node_names.has_value()) {
    answer.passed.assign(result->node_names->begin(), result->node_names->end());
  }
  for (const auto* refusals : {&result->failed_nodes, &result->failed_and_unresolvable_nodes}) {
    for (const NodeRefusal& refusal : *refusals) {
      answer.refused[std::string(refusal.node)] = std::string(refusal.reason);
    }
  }
  return answer;
}

std::map<std::string, int64_t> ReadPrioritizeAnswer(const HttpAnswer& http) {
  std::map<std::string, int64_t> scores;
  const absl::StatusOr<HostPriorityList> result = DecodeHostPriorityList(http.body);
  if (http.status != kHttpOk || !result.ok()) return scores;
  for (const HostPriority& host : result->hosts) scores[std::string(host.host)] = host.score;
  return scores;
}

std::string BindBody(const ExtenderBind& bind) {
  ExtenderBindingArgs args;
  args.pod_name = bind.pod.name;
  args.pod_namespace = bind.pod.namespace_name;
  args.pod_uid = bind.uid.value;
  args.node = bind.node;
  return EncodeExtenderBindingArgs(args);
}

std::string ReadBindAnswer(const HttpAnswer& http) {
  if (http.status != kHttpOk) return FailedCall("bind", http.status);
  const absl::StatusOr<ExtenderBindingResult> result = DecodeExtenderBindingResult(http.body);
  return result.ok() ? result->error : ExtenderErrorOf(result.status());
}

}  // namespace gangpack::server
