// Says that a step takes long, while it does, and how far it is.
//
// Cost: a thread per step that tells. Thread-safety: Count from one thread; what is said is said on
// another one, never after the destructor has returned.
#ifndef GANGPACK_SERVER_SLOW_STEP_H_
#define GANGPACK_SERVER_SLOW_STEP_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "server/mutex.h"

namespace gangpack::server {

// How progress is told: first after `patience`, then after twice as long, and so on; not at all
// without a `say`.
struct ProgressVoice {
  std::chrono::milliseconds patience{2'000};
  std::function<void(const std::string& line)> say;
};

// Says it on `err`, which must outlive the voice, as `gangpack COMMAND: LINE`.
ProgressVoice VoiceOf(absl::string_view command, std::ostream& err);

class SlowStep {
 public:
  // `what`: "listing nodes".
  SlowStep(const ProgressVoice& voice, std::string what);
  ~SlowStep();
  SlowStep(const SlowStep&) = delete;
  SlowStep& operator=(const SlowStep&) = delete;

  // So many are done so far.
  void Count(int64_t done);

 private:
  void Run();

  const ProgressVoice voice_;
  const std::string what_;
  Mutex mutex_;
  CondVar changed_;
  int64_t done_ ABSL_GUARDED_BY(mutex_) = 0;
  bool over_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread thread_;  // the last: it uses the others
};

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_SLOW_STEP_H_
