#include "server/simulate/codec_extender.h"

#include "absl/status/statusor.h"
#include "core/check.h"
#include "server/extender_codec.h"
#include "server/extender_handler.h"
#include "server/http_message.h"
#include "server/simulate/extender_wire.h"

namespace gangpack::server {

ExtenderFilterAnswer CodecExtender::Filter(const PodObject& pod,
                                           const std::vector<std::string>& nodes) {
  return ReadFilterAnswer(ExtenderHandler(driver_, &held_calls_).Filter(FilterBody(pod, nodes)));
}

std::map<std::string, int64_t> CodecExtender::Prioritize(const PodObject& pod,
                                                         const std::vector<std::string>& nodes) {
  return ReadPrioritizeAnswer(
      ExtenderHandler(driver_, &held_calls_).Prioritize(FilterBody(pod, nodes)));
}

void CodecExtender::Bind(const ExtenderBind& bind) {
  const std::string body = BindBody(bind);
  const absl::StatusOr<ExtenderBindingArgs> read = DecodeExtenderBindingArgs(body);
  CORE_CHECK(read.ok());
  driver_->Bind({.call = bind.call,
                 .uid = {std::string(read->pod_uid)},
                 .pod = {std::string(read->pod_namespace), std::string(read->pod_name)},
                 .node = std::string(read->node)});
}

std::string CodecExtender::ReadAnswer(const AnswerCall& answer) {
  return ReadBindAnswer({.body = EncodeExtenderBindingResult({answer.error})});
}

}  // namespace gangpack::server
