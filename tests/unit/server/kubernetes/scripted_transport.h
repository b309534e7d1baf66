// An API server that is played by the test: each request is answered by a function, each stream is
// fed by hand.
//
// Thread-safety: all methods from any thread. Await... wait for what another thread does, at most
// half a minute.
#ifndef GANGPACK_TESTS_UNIT_SERVER_KUBERNETES_SCRIPTED_TRANSPORT_H_
#define GANGPACK_TESTS_UNIT_SERVER_KUBERNETES_SCRIPTED_TRANSPORT_H_

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "k8s/transport.h"
#include "server/mutex.h"

namespace gangpack::server {

class ScriptedTransport final : public k8s::Transport {
 public:
  using Answer = absl::StatusOr<k8s::HttpResponse>;
  using Handler = std::function<Answer(const k8s::HttpRequest&)>;

  // Answers what no script is left for; at first 404. Called by many threads at once.
  void SetHandler(Handler handler);
  // The next request is answered so; once each, in order.
  void Script(Answer answer);

  absl::StatusOr<k8s::HttpResponse> Call(const k8s::HttpRequest& request) override;
  std::unique_ptr<k8s::ByteStream> OpenStream(std::string target,
                                              absl::Duration silence_max) override;
  void Shutdown() override;

  // "METHOD TARGET BODY" of every call so far.
  std::vector<std::string> Calls();
  // Targets of the streams that were opened so far.
  std::vector<std::string> Streams();
  // Until so many calls, or streams of targets that begin with `path`, were made in all.
  bool AwaitCalls(size_t calls);
  bool AwaitStreams(const std::string& path, size_t streams);
  // How often Cancel was called on a stream.
  size_t cancelled();

  // Bytes for the stream of that path that is open, or the next one.
  void Feed(const std::string& path, const std::string& bytes);
  // Ends it: in order, or as what `end` says.
  void End(const std::string& path, Answer end = k8s::HttpResponse{200, "", {}});
  // The next stream of that path is refused so instead of being opened.
  void RefuseStream(const std::string& path, const Answer& answer);

 private:
  class Stream;
  struct Piece {
    std::string bytes;
    bool is_end = false;
    Answer end = k8s::HttpResponse{};
  };

  Mutex mutex_;
  CondVar changed_;
  Handler handler_ ABSL_GUARDED_BY(mutex_);
  std::deque<Answer> script_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::string> calls_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::string> streams_ ABSL_GUARDED_BY(mutex_);
  std::map<std::string, std::deque<Piece>> pieces_ ABSL_GUARDED_BY(mutex_);
  std::map<std::string, std::deque<Answer>> refusals_ ABSL_GUARDED_BY(mutex_);
  size_t cancelled_ ABSL_GUARDED_BY(mutex_) = 0;
  bool shut_down_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace gangpack::server

#endif  // GANGPACK_TESTS_UNIT_SERVER_KUBERNETES_SCRIPTED_TRANSPORT_H_
