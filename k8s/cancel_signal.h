// Tells a thread that waits for a socket to stop waiting.
//
// Once cancelled it stays so. Thread-safety: Cancel() and cancelled() from any thread.

#ifndef GANGPACK_K8S_CANCEL_SIGNAL_H_
#define GANGPACK_K8S_CANCEL_SIGNAL_H_

#include <atomic>

namespace gangpack::k8s {

class CancelSignal {
 public:
  CancelSignal();
  ~CancelSignal();
  CancelSignal(const CancelSignal&) = delete;
  CancelSignal& operator=(const CancelSignal&) = delete;

  void Cancel();
  bool cancelled() const { return cancelled_.load(); }

  // Readable once cancelled, for poll(). Negative where the process is out of descriptors: poll()
  // then ignores it, and a wait ends at its time limit.
  int fd() const { return fd_; }

 private:
  const int fd_;
  std::atomic<bool> cancelled_{false};
};

}  // namespace gangpack::k8s

#endif  // GANGPACK_K8S_CANCEL_SIGNAL_H_
