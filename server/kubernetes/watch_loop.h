// The thread that keeps one watch going: it asks the API server for what a Reflector wants next,
// and hands on what comes of it.
//
// Terms: those of k8s/reflector.h.
// Invariants: changes are handed on in order; `synchronised` is called once, behind those of the
// first list. No callback comes once Stop() has returned.
// Ownership: client and clock must outlive Stop. Thread-safety: Start and Stop from one thread,
// Health from any. Callbacks are called on the loop's thread; `changes` may block, which slows the
// watch down.
// Errors: none ends the loop; they are reported, told by Health, and tried again. Stop ends an open
// watch and a wait at once; a list only when the transport is shut down, or answers.
// Cost: one thread, and the memory of one page of a list.
// Not here: what to ask for and when (k8s/reflector.h), facts (object_facts.h).
#ifndef GANGPACK_SERVER_KUBERNETES_WATCH_LOOP_H_
#define GANGPACK_SERVER_KUBERNETES_WATCH_LOOP_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/time/time.h"
#include "core/facts.h"
#include "k8s/api_client.h"
#include "k8s/clock.h"
#include "k8s/reflector.h"
#include "k8s/transport.h"
#include "server/cluster.h"
#include "server/kubernetes/pause.h"
#include "server/mutex.h"

namespace gangpack::server {

class WatchLoop {
 public:
  struct Callbacks {
    std::function<void(std::vector<Fact>)> changes;
    std::function<void()> synchronised;
    std::function<void(const std::string&)> report;  // one line of trouble, or that it is over
  };

  // Trouble that lasts is reported again after so long.
  static constexpr absl::Duration kReportAgain = absl::Minutes(10);

  struct Options {
    k8s::ReflectorOptions reflector;
    uint32_t jitter_seed = 0;  // of the delays between tries
  };

  WatchLoop(const Options& options, k8s::ApiClient* client, k8s::Clock* clock, Callbacks callbacks);
  ~WatchLoop() { Stop(); }
  WatchLoop(const WatchLoop&) = delete;
  WatchLoop& operator=(const WatchLoop&) = delete;

  void Start();
  void Stop();
  // The first half of Stop: does not wait for the loop's end.
  void RequestStop();

  WatchHealth Health();

 private:
  void Run();
  // One step, and what it hands out. The next request, if there is one.
  std::optional<k8s::ReflectorRequest> Step(k8s::ReflectorInput input);
  std::optional<k8s::ReflectorRequest> Do(const k8s::ListRequest& list);
  std::optional<k8s::ReflectorRequest> Do(const k8s::WatchRequest& watch);
  std::optional<k8s::ReflectorRequest> Do(const k8s::WaitRequest& wait);
  // Makes it the one that Stop ends. False if it is over.
  bool SetStream(k8s::ByteStream* stream);
  void NoteHealth();
  void ReportLastingTrouble();

  const Options options_;
  k8s::ApiClient* const client_;
  k8s::Clock* const clock_;
  const Callbacks callbacks_;
  Pause pause_;

  // Of the loop's thread.
  k8s::Reflector reflector_;
  std::minstd_rand jitter_;
  absl::Time reported_ = absl::InfinitePast();

  Mutex mutex_;
  k8s::ByteStream* stream_ ABSL_GUARDED_BY(mutex_) = nullptr;  // the watch that is open
  WatchHealth health_ ABSL_GUARDED_BY(mutex_);
  std::thread thread_;
};

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_KUBERNETES_WATCH_LOOP_H_
