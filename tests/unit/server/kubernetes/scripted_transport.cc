#include "tests/unit/server/kubernetes/scripted_transport.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace gangpack::server {
namespace {

constexpr std::chrono::milliseconds kPatience{30'000};

std::string PathOf(const std::string& target) { return target.substr(0, target.find('?')); }

}  // namespace

class ScriptedTransport::Stream final : public k8s::ByteStream {
 public:
  Stream(ScriptedTransport* transport, std::string path)
      : transport_(transport), path_(std::move(path)) {}

  absl::StatusOr<k8s::HttpResponse> Run(const k8s::StreamSink& sink) override {
    {
      const MutexLock lock(&transport_->mutex_);
      std::deque<Answer>& refusals = transport_->refusals_[path_];
      if (!refusals.empty()) {
        Answer refusal = std::move(refusals.front());
        refusals.pop_front();
        return refusal;
      }
    }
    sink.opened();
    for (;;) {
      Piece piece = Next();
      if (piece.is_end) return piece.end;
      if (!sink.received(piece.bytes)) return absl::CancelledError("not wanted");
    }
  }

  void Cancel() override {
    const MutexLock lock(&transport_->mutex_);
    ++transport_->cancelled_;
    cancelled_ = true;
    transport_->changed_.SignalAll();
  }

 private:
  Piece Next() {
    const MutexLock lock(&transport_->mutex_);
    std::deque<Piece>& pieces = transport_->pieces_[path_];
    transport_->changed_.Wait(&transport_->mutex_, [&] {
      transport_->mutex_.AssertHeld();
      return cancelled_ || transport_->shut_down_ || !pieces.empty();
    });
    if (cancelled_ || transport_->shut_down_) {
      return {"", true, absl::CancelledError("cancelled")};
    }
    Piece piece = std::move(pieces.front());
    pieces.pop_front();
    return piece;
  }

  ScriptedTransport* const transport_;
  const std::string path_;
  bool cancelled_ = false;  // guarded by the transport's mutex
};

void ScriptedTransport::SetHandler(Handler handler) {
  const MutexLock lock(&mutex_);
  handler_ = std::move(handler);
}

void ScriptedTransport::Script(Answer answer) {
  const MutexLock lock(&mutex_);
  script_.push_back(std::move(answer));
}

absl::StatusOr<k8s::HttpResponse> ScriptedTransport::Call(const k8s::HttpRequest& request) {
  Handler handler;
  {
    const MutexLock lock(&mutex_);
    if (shut_down_) return absl::CancelledError("shut down");
    calls_.push_back(absl::StrCat(request.method, " ", request.target,
                                  request.body.empty() ? "" : " ", request.body));
    changed_.SignalAll();
    if (!script_.empty()) {
      Answer answer = std::move(script_.front());
      script_.pop_front();
      return answer;
    }
    handler = handler_;
  }
  return handler == nullptr ? k8s::HttpResponse{404, "", {}} : handler(request);
}

std::unique_ptr<k8s::ByteStream> ScriptedTransport::OpenStream(std::string target, absl::Duration) {
  const MutexLock lock(&mutex_);
  streams_.push_back(target);
  changed_.SignalAll();
  return std::make_unique<Stream>(this, PathOf(target));
}

void ScriptedTransport::Shutdown() {
  const MutexLock lock(&mutex_);
  shut_down_ = true;
  changed_.SignalAll();
}

std::vector<std::string> ScriptedTransport::Calls() {
  const MutexLock lock(&mutex_);
  return calls_;
}

std::vector<std::string> ScriptedTransport::Streams() {
  const MutexLock lock(&mutex_);
  return streams_;
}

bool ScriptedTransport::AwaitCalls(size_t calls) {
  const MutexLock lock(&mutex_);
  return changed_.WaitFor(&mutex_, kPatience, [&] {
    mutex_.AssertHeld();
    return calls_.size() >= calls;
  });
}

bool ScriptedTransport::AwaitStreams(const std::string& path, size_t streams) {
  const MutexLock lock(&mutex_);
  return changed_.WaitFor(&mutex_, kPatience, [&] {
    mutex_.AssertHeld();
    return static_cast<size_t>(std::count_if(
               streams_.begin(), streams_.end(),
               [&](const std::string& target) { return PathOf(target) == path; })) >= streams;
  });
}

size_t ScriptedTransport::cancelled() {
  const MutexLock lock(&mutex_);
  return cancelled_;
}

void ScriptedTransport::Feed(const std::string& path, const std::string& bytes) {
  const MutexLock lock(&mutex_);
  pieces_[path].push_back({bytes, false, k8s::HttpResponse{}});
  changed_.SignalAll();
}

void ScriptedTransport::End(const std::string& path, Answer end) {
  const MutexLock lock(&mutex_);
  pieces_[path].push_back({"", true, std::move(end)});
  changed_.SignalAll();
}

void ScriptedTransport::RefuseStream(const std::string& path, const Answer& answer) {
  const MutexLock lock(&mutex_);
  refusals_[path].push_back(answer);
}

}  // namespace gangpack::server
