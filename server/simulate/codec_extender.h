// The extender as kube-scheduler sees it: every call is written as JSON, read by the server's
// codec, answered by the engine, and read back.
//
// Ownership: the driver given to Connect must outlive the next call of it. Thread-safety: none.
// Not here: the sockets, and holding a bind open (extender_handler.h); here a held bind is a call
// id.
#ifndef GANGPACK_SERVER_SIMULATE_CODEC_EXTENDER_H_
#define GANGPACK_SERVER_SIMULATE_CODEC_EXTENDER_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/effects.h"
#include "server/engine_driver.h"
#include "server/held_calls.h"
#include "server/simulate/extender.h"

namespace gangpack::server {

class CodecExtender final : public Extender {
 public:
  // Every call goes to this driver from now on.
  void Connect(EngineDriver* driver) { driver_ = driver; }

  ExtenderFilterAnswer Filter(const PodObject& pod, const std::vector<std::string>& nodes) override;
  std::map<std::string, int64_t> Prioritize(const PodObject& pod,
                                            const std::vector<std::string>& nodes) override;
  void Bind(const ExtenderBind& bind) override;

  // The answer to a held bind as kube-scheduler reads it.
  static std::string ReadAnswer(const AnswerCall& answer);

 private:
  EngineDriver* driver_ = nullptr;
  HeldCalls held_calls_;  // the handler wants it; filter and prioritize do not use it
};

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_SIMULATE_CODEC_EXTENDER_H_
