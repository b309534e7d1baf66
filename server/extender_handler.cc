#include "server/extender_handler.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/engine.h"
#include "core/explain.h"
#include "core/facts.h"
#include "core/ids.h"
#include "server/extender_codec.h"
#include "server/held_call.h"
#include "server/http_message.h"
#include "server/status_mapping.h"

namespace gangpack::server {
namespace {

HttpAnswer Unreadable(const absl::Status& status) {
  return JsonErrorAnswer(HttpStatusOf(status), ExtenderErrorOf(status));
}

HttpAnswer BindError(std::string error) {
  return {.body = EncodeExtenderBindingResult({std::move(error)})};
}

// The names of the offered nodes, in the order of the call.
std::vector<absl::string_view> OfferedNames(const ExtenderArgs& args) {
  std::vector<absl::string_view> names;
  if (args.node_names.has_value()) {
    names.reserve(args.node_names->size());
    for (const std::string_view name : *args.node_names)
      names.emplace_back(name.data(), name.size());
  } else if (args.nodes.has_value()) {
    names.reserve(args.nodes->size());
    for (const ExtenderNode& node : *args.nodes) {
      names.emplace_back(node.name.data(), node.name.size());
    }
  }
  return names;
}

FilterRequest RequestOf(const ExtenderArgs& args, const std::vector<absl::string_view>& names) {
  return {.uid = {std::string(args.pod.uid)},
          .pod = {std::string(args.pod.namespace_name), std::string(args.pod.name)},
          .node_names = names};
}

}  // namespace

ExtenderFilterResult FilterAnswer(const ExtenderArgs& args, const FilterDecision& decision) {
  ExtenderFilterResult result;
  const std::vector<absl::string_view> names = OfferedNames(args);
  if (args.nodes.has_value() && !args.node_names.has_value()) {
    result.nodes.emplace();
    for (const int index : decision.accepted) result.nodes->push_back((*args.nodes)[index]);
  } else {
    result.node_names.emplace();
    for (const int index : decision.accepted) {
      result.node_names->emplace_back(names[index].data(), names[index].size());
    }
  }
  std::vector<bool> named(names.size());
  const auto refuse = [&](size_t index, std::string_view reason) {
    named[index] = true;
    result.failed_and_unresolvable_nodes.push_back(
        {{names[index].data(), names[index].size()}, reason});
  };
  for (const FilterDecision::Refusal& refusal : decision.refusals) {
    if (refusal.nodes.empty()) continue;
    const std::string_view reason = result.strings.Keep(Text(refusal.reason));
    for (const int index : refusal.nodes) refuse(static_cast<size_t>(index), reason);
  }
  if (!decision.accepted.empty()) return result;
  for (const FilterDecision::Refusal& refusal : decision.refusals) {
    if (!refusal.all_others) continue;
    size_t first = 0;
    while (first < names.size() && named[first]) ++first;
    if (first < names.size()) refuse(first, result.strings.Keep(Text(refusal.reason)));
  }
  return result;
}

HttpAnswer ExtenderHandler::Filter(std::string_view body) const {
  const absl::StatusOr<ExtenderArgs> args = DecodeExtenderArgs(body);
  if (!args.ok()) return Unreadable(args.status());
  const FilterDecision decision = driver_->Filter(RequestOf(*args, OfferedNames(*args)));
  return {.body = EncodeExtenderFilterResult(FilterAnswer(*args, decision))};
}

HttpAnswer ExtenderHandler::Prioritize(std::string_view body) const {
  const absl::StatusOr<ExtenderArgs> args = DecodeExtenderArgs(body);
  if (!args.ok()) return Unreadable(args.status());
  const std::vector<absl::string_view> names = OfferedNames(*args);
  const std::vector<int64_t> scores = driver_->Prioritize(RequestOf(*args, names));
  std::vector<HostPriority> hosts;
  hosts.reserve(names.size());
  for (size_t i = 0; i < names.size(); ++i) {
    hosts.push_back({{names[i].data(), names[i].size()}, scores[i]});
  }
  return {.body = EncodeHostPriorityList(hosts)};
}

HttpAnswer ExtenderHandler::Bind(std::string_view body, CallWaiter& waiter) const {
  const absl::StatusOr<ExtenderBindingArgs> args = DecodeExtenderBindingArgs(body);
  if (!args.ok()) return Unreadable(args.status());
  const absl::StatusOr<std::shared_ptr<HeldCall>> call = HeldCall::Create();
  if (!call.ok()) return BindError(ExtenderErrorOf(call.status()));
  const CallId id = calls_->Add(*call);
  driver_->Bind({.call = id,
                 .uid = {std::string(args->pod_uid)},
                 .pod = {std::string(args->pod_namespace), std::string(args->pod_name)},
                 .node = std::string(args->node)});
  const HoldEnd end = waiter.Wait(**call);
  if (end == HoldEnd::kAnswered) return *std::move(*call)->TakeAnswer();
  calls_->Forget(id);
  driver_->Apply({CallerGone{id}});
  return BindError(end == HoldEnd::kHungUp ? "the caller hung up"
                                           : "the scheduler extender is stopping");
}

}  // namespace gangpack::server
