// A cluster behind a real API server: nodes, pods, PodGroups and namespaces are watched, pods are
// bound and woken, and PodGroups have events.
//
// Terms: absent is a kind that the server does not serve (404). PodGroups may be: they then count
// as listed and empty, and are asked for again. Whatever else keeps a list from coming, a missing
// permission (403) too, keeps the whole from being synchronised.
// Invariants: Synchronised is told once, behind the first lists of all four. State comes from the
// API server alone.
// Ownership: transport and clock must outlive the cluster; Stop shuts the transport down.
// Thread-safety and errors: those of Cluster; nothing that the server does ends a watch for good.
// Cost: a thread per watch, one that brings facts, one for events.
// Not here: one watch (watch_loop.h), writes (pod_writer.h), events (event_sender.h).
#ifndef GANGPACK_SERVER_KUBERNETES_KUBERNETES_CLUSTER_H_
#define GANGPACK_SERVER_KUBERNETES_KUBERNETES_CLUSTER_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "core/effects.h"
#include "k8s/api_client.h"
#include "k8s/clock.h"
#include "k8s/reflector.h"
#include "k8s/transport.h"
#include "server/cluster.h"
#include "server/kubernetes/event_sender.h"
#include "server/kubernetes/fact_feed.h"
#include "server/kubernetes/pause.h"
#include "server/kubernetes/pod_writer.h"
#include "server/kubernetes/trouble_log.h"
#include "server/kubernetes/watch_loop.h"

namespace gangpack::server {

class KubernetesCluster final : public Cluster {
 public:
  // Tries at most 5 s apart: there are few of us, and pods wait for what we do not see.
  static k8s::ReflectorOptions DefaultWatches();

  struct Options {
    k8s::ReflectorOptions watches = DefaultWatches();  // but for the type, and what may be absent
    PodWriter::Options writes;
    uint32_t jitter_seed = 0;
    std::string reporting_instance = "gangpack";  // of events
  };

  KubernetesCluster(const Options& options, k8s::Transport* transport, k8s::Clock* clock);
  ~KubernetesCluster() override { Stop(); }

  void Start(FactSink* sink) override;
  void Stop() override;
  std::vector<WatchHealth> Watches() override;
  bool Offer(std::string_view pod_json, absl::FunctionRef<bool()> is_unknown) override;
  void Record(const GangTransition& transition) override;

  absl::Status Bind(const BindPod& bind) override { return writer_.Bind(bind); }
  absl::Status Wake(const WakePod& wake) override { return writer_.Wake(wake); }
  absl::Status Clear(const ClearNomination& clear) override { return writer_.Clear(clear); }

 private:
  void OnSynchronised();

  k8s::Transport* const transport_;
  k8s::ApiClient client_;
  Pause pause_;
  PodWriter writer_;
  EventSender events_;
  TroubleLog log_;
  FactFeed feed_;
  std::vector<std::unique_ptr<WatchLoop>> loops_;
  std::atomic<size_t> synchronised_{0};  // of loops_
};

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_KUBERNETES_KUBERNETES_CLUSTER_H_
