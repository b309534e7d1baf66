// Where facts come from and where effects go.
//
// Implementations: the cluster taken from manifests (embedded_cluster.h) and a real API server
// (kubernetes/kubernetes_cluster.h).
// Thread-safety: all methods from any thread, but Start, Stop and the destructor from one.
// Not here: what is made of the facts (engine_driver.h).
#ifndef GANGPACK_SERVER_CLUSTER_H_
#define GANGPACK_SERVER_CLUSTER_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/time/time.h"
#include "core/effects.h"
#include "core/facts.h"
#include "server/cluster_writer.h"

namespace gangpack::server {

// Takes facts in, in the order of the calls. Synchronised comes once, behind the first lists.
class FactSink {
 public:
  virtual ~FactSink() = default;
  virtual void Apply(const std::vector<Fact>& facts) = 0;
};

// How the watch of one kind of objects is doing.
struct WatchHealth {
  std::string resource;       // "pods"
  bool synchronised = false;  // it has been listed once, or is known to be absent
  std::string trouble;        // of the last request, one line; empty while it works
  absl::Time last_contact;    // when the server last told anything; before that, the start
  int64_t lists_total = 0;    // full lists that were begun
};

class Cluster : public ClusterWriter {
 public:
  // From now on `sink`, which must outlive Stop, is told what there is and what changes.
  virtual void Start(FactSink* sink) = 0;

  // When it returns, no fact comes any more, and what is written from then on, or just being
  // written, may end as kCancelled.
  virtual void Stop() = 0;

  // Empty where nothing is watched that could fail.
  virtual std::vector<WatchHealth> Watches() = 0;

  // kube-scheduler has asked about a pod that no fact had shown, and this is its JSON. `is_unknown`
  // says whether that is still so. True if the sink has been told of the pod.
  virtual bool Offer(std::string_view pod_json, absl::FunctionRef<bool()> is_unknown) = 0;

  // Tells whoever looks at the gang's PodGroup. Never waits for anything.
  virtual void Record(const GangTransition& transition) = 0;
};

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_CLUSTER_H_
