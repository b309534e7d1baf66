// Sends events, on a thread of its own, so that nothing that matters waits for them.
//
// Invariant: an event that cannot be sent is dropped, and so are those that come while kQueuedMax
// wait. An event whose count is to go up, but which has expired, is sent anew.
// Ownership: client and clock must outlive Stop. Thread-safety: all methods from any thread, but
// Stop from one. Errors: the first of a row is logged, then every kLogEvery.
// Not here: which events (event_recorder.h).
#ifndef GANGPACK_SERVER_KUBERNETES_EVENT_SENDER_H_
#define GANGPACK_SERVER_KUBERNETES_EVENT_SENDER_H_

#include <cstddef>
#include <deque>
#include <string>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "k8s/api_client.h"
#include "k8s/clock.h"
#include "server/kubernetes/event_recorder.h"
#include "server/mutex.h"

namespace gangpack::server {

class EventSender {
 public:
  static constexpr size_t kQueuedMax = 1'000;
  static constexpr absl::Duration kLogEvery = absl::Minutes(10);

  EventSender(std::string reporting_instance, k8s::ApiClient* client, k8s::Clock* clock);
  ~EventSender() { Stop(); }
  EventSender(const EventSender&) = delete;
  EventSender& operator=(const EventSender&) = delete;

  void Record(const EventNote& note);
  // Returns when what was recorded before has been sent, dropped, or kept for later.
  void AwaitIdle();
  // What is queued is dropped.
  void Stop();

 private:
  void Run();
  // Returns when there is something to send, or it is to stop.
  void AwaitWork() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status Send(const EventToSend& event);
  void NoteResult(const absl::Status& status);

  k8s::ApiClient* const client_;
  k8s::Clock* const clock_;
  Mutex mutex_;
  CondVar changed_;
  EventRecorder recorder_ ABSL_GUARDED_BY(mutex_);
  std::deque<EventToSend> queue_ ABSL_GUARDED_BY(mutex_);
  bool sending_ ABSL_GUARDED_BY(mutex_) = false;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  absl::Time logged_ = absl::InfinitePast();  // of the thread
  std::thread thread_;
};

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_KUBERNETES_EVENT_SENDER_H_
