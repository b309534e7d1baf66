#include "server/slow_step.h"

#include <utility>

#include "absl/strings/str_cat.h"

namespace gangpack::server {

ProgressVoice VoiceOf(absl::string_view command, std::ostream& err) {
  ProgressVoice voice;
  voice.say = [prefix = absl::StrCat("gangpack ", command, ": "), &err](const std::string& line) {
    err << prefix << line << "\n" << std::flush;
  };
  return voice;
}

SlowStep::SlowStep(const ProgressVoice& voice, std::string what)
    : voice_(voice), what_(std::move(what)) {
  if (voice_.say != nullptr) thread_ = std::thread([this] { Run(); });
}

SlowStep::~SlowStep() {
  {
    const MutexLock lock(&mutex_);
    over_ = true;
    changed_.SignalAll();
  }
  if (thread_.joinable()) thread_.join();
}

void SlowStep::Count(int64_t done) {
  const MutexLock lock(&mutex_);
  done_ = done;
}

void SlowStep::Run() {
  for (std::chrono::milliseconds wait = voice_.patience;; wait *= 2) {
    int64_t done = 0;
    {
      const MutexLock lock(&mutex_);
      const bool over = changed_.WaitFor(&mutex_, wait, [this] {
        mutex_.AssertHeld();
        return over_;
      });
      if (over) return;
      done = done_;
    }
    voice_.say(
        absl::StrCat(what_, " takes long", done == 0 ? "" : absl::StrCat(", ", done, " so far")));
  }
}

}  // namespace gangpack::server
