#include "server/extender_handler.h"

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/engine.h"
#include "core/facts.h"
#include "core/ids.h"
#include "core/reason.h"
#include "server/extender_args.h"
#include "server/extender_codec.h"
#include "server/filter_answer.h"
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

FilterRequest RequestOf(const ExtenderArgs& args, const NodeNames& names) {
  return {.uid = {std::string(args.pod.uid)},
          .pod = {std::string(args.pod.namespace_name), std::string(args.pod.name)},
          .node_names = names};
}

bool IsOfUnknownPod(const FilterDecision& decision) {
  return decision.refusals.size() == 1 &&
         decision.refusals.front().reason.code == ReasonCode::kPodUnknown;
}

}  // namespace

HttpAnswer ExtenderHandler::Filter(std::string_view body) const {
  const absl::StatusOr<ExtenderArgs> args = DecodeExtenderArgs(body);
  if (!args.ok()) return Unreadable(args.status());
  NodeNames buffer;
  const FilterRequest request = RequestOf(*args, OfferedNames(*args, buffer));
  FilterDecision decision = driver_->Filter(request);
  // kube-scheduler's watch may be ahead of ours.
  if (unknown_pod_ != nullptr && IsOfUnknownPod(decision)) {
    const auto is_unknown = [&] {
      decision = driver_->Filter(request);
      return IsOfUnknownPod(decision);
    };
    if (unknown_pod_(args->pod.raw, is_unknown)) decision = driver_->Filter(request);
  }
  return {.body = FilterAnswer(*args, decision)};
}

HttpAnswer ExtenderHandler::Prioritize(std::string_view body) const {
  const absl::StatusOr<ExtenderArgs> args = DecodeExtenderArgs(body);
  if (!args.ok()) return Unreadable(args.status());
  NodeNames buffer;
  return {.body = PrioritizeAnswer(
              *args, driver_->Prioritize(RequestOf(*args, OfferedNames(*args, buffer))))};
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
