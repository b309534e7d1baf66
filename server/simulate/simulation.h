// A cluster in virtual time: the API server on paper, kube-scheduler, a kubelet that runs what is
// bound, and the real engine as kube-scheduler's extender.
//
// Terms: to settle is to do everything that can happen without the clock moving, with
// kube-scheduler's backoff counted as zero. Between two attempts of kube-scheduler every watch is
// up to date and every effect of the engine has been carried out, in order. Invariants, checked
// whenever it has settled: those of the engine; no node is over-committed by a binding of ours; a
// bind answered with success is bound; no bind of a pod that is gone is held. Thread-safety: none.
// Determinism: the same calls give the same result, byte for byte. Not here: reading files
// (manifest_reader.h), printing (report.h).
#ifndef GANGPACK_SERVER_SIMULATE_SIMULATION_H_
#define GANGPACK_SERVER_SIMULATE_SIMULATION_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "core/effects.h"
#include "core/policy.h"
#include "k8s/clock.h"
#include "k8s/fault.h"
#include "server/engine_driver.h"
#include "server/manifest/manifest_cluster.h"
#include "server/simulate/codec_extender.h"
#include "server/simulate/kube_scheduler_model.h"
#include "server/simulate/simulation_result.h"
#include "server/simulate/step.h"

namespace gangpack::server {

class Simulation final : private EffectSink {
 public:
  // `policy` must have passed Validate().
  explicit Simulation(const Policy& policy);

  // As `kubectl apply`; nothing is scheduled before the next Settle or Run. Faults: as
  // ManifestCluster::Apply.
  std::vector<FieldFault> Apply(const ManifestObject& object);

  // Settles, then does the fields of the Step in their order, and settles after each. Faults:
  // objects to delete that do not exist; the rest of the Step is done.
  std::vector<k8s::Fault> Run(const Step& step);

  void Settle();

  // Tells `listener` after each attempt of kube-scheduler how many there were; nullptr: nobody.
  void OnAttempt(std::function<void(int64_t attempts)> listener) {
    on_attempt_ = std::move(listener);
  }

  SimulationResult Result();

  // What was cut short, one line each.
  std::vector<std::string> Notes() const;

  // The first invariant that did not hold; empty if all did. No more is done after that.
  const std::string& violation() const { return violation_; }

 private:
  class VirtualClock final : public k8s::Clock {
   public:
    absl::Time Now() override { return now; }
    absl::Time now = absl::FromUnixSeconds(946684800);  // 2000-01-01: any fixed time will do
  };

  void Push(std::vector<Effect> effects) override;
  std::unique_ptr<EngineDriver> NewDriver();

  std::vector<k8s::Fault> Delete(const std::vector<StepDeletion>& deletions);
  void Restart();
  void Advance(absl::Duration duration);

  // Everything that can happen now.
  void RunUntilQuiet(bool no_backoff);
  void Deliver();
  void DeliverEvents(const std::vector<ClusterEvent>& events);
  void Carry(const Effect& effect);
  void CarryBind(const BindPod& bind);
  void TraceTransition(const GangTransition& transition);
  void CheckBound(const ExtenderBind& bind);
  void CheckInvariants();
  void CheckNodesOfOurs();
  void Violate(const std::string& what);
  void Trace(TraceEntry entry);
  // Why the pod is Pending; `complete` are the gangs that are.
  std::string MessageOf(const PodView& view, const std::set<std::string>& complete) const;

  const Policy policy_;
  VirtualClock clock_;
  const absl::Time start_;
  ManifestCluster cluster_;
  CodecExtender extender_;
  KubeSchedulerModel scheduler_;
  std::unique_ptr<EngineDriver> driver_;
  bool synchronised_ = false;
  std::deque<Effect> effects_;
  std::deque<NamespacedName> to_run_;  // bound pods that the kubelet has yet to start
  std::vector<std::pair<PodUid, NamespacedName>> bound_;  // by us, since the last check
  std::vector<TraceEntry> trace_;
  std::string violation_;
  std::function<void(int64_t attempts)> on_attempt_;
};

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_SIMULATE_SIMULATION_H_
