// What kube-scheduler calls: an extender with filter, prioritize and a bind that is held open.
#ifndef GANGPACK_SERVER_SIMULATE_EXTENDER_H_
#define GANGPACK_SERVER_SIMULATE_EXTENDER_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/ids.h"
#include "server/manifest/cluster_object.h"

namespace gangpack::server {

struct ExtenderFilterAnswer {
  std::string error;  // not empty: the call failed, and nothing else counts
  std::vector<std::string> passed;
  std::map<std::string, std::string> refused;  // node to reason; a node may be in neither
};

struct ExtenderBind {
  CallId call = 0;
  PodUid uid;
  NamespacedName pod;
  std::string node;
};

class Extender {
 public:
  virtual ~Extender() = default;

  virtual ExtenderFilterAnswer Filter(const PodObject& pod,
                                      const std::vector<std::string>& nodes) = 0;

  // Scores by node; a node without one scores 0.
  virtual std::map<std::string, int64_t> Prioritize(const PodObject& pod,
                                                    const std::vector<std::string>& nodes) = 0;

  // The answer comes later, as KubeSchedulerModel::AnswerBind with the same call.
  virtual void Bind(const ExtenderBind& bind) = 0;
};

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_SIMULATE_EXTENDER_H_
