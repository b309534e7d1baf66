// As many held calls as the program is made for, with its own limits: 5,000.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "server/descriptor_limit.h"
#include "server/held_call.h"
#include "server/http_listener.h"
#include "server/http_message.h"
#include "server/http_server.h"
#include "server/mutex.h"
#include "tests/unit/server/process_counts.h"
#include "tests/unit/server/raw_http_client.h"

namespace gangpack::server {
namespace {

#if defined(__SANITIZE_THREAD__)
constexpr size_t kHeld = 500;  // It starts a hundred threads a second.
#else
constexpr size_t kHeld = 5000;
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int64_t kResidentBytesMax = int64_t{8} << 30;  // Shadow memory is not ours.
#else
constexpr int64_t kResidentBytesMax = int64_t{512} << 20;
#endif
// Both ends of each connection are in this process, and each held call has a descriptor.
constexpr size_t kDescriptors = 3 * kHeld + 100;

// Holds every call until it is told.
class Holder {
 public:
  HttpAnswer Hold(CallWaiter& waiter) {
    const std::shared_ptr<HeldCall> call = *HeldCall::Create();
    {
      const MutexLock lock(&mutex_);
      calls_.push_back(call);
    }
    const HoldEnd end = waiter.Wait(*call);
    if (end != HoldEnd::kAnswered) {
      ++hung_up_;
      return {.status = 503};
    }
    return *call->TakeAnswer();
  }

  size_t held() {
    const MutexLock lock(&mutex_);
    return calls_.size();
  }
  size_t hung_up() const { return hung_up_; }

  void AnswerAll() {
    const MutexLock lock(&mutex_);
    for (const std::shared_ptr<HeldCall>& call : calls_) call->Answer({.body = "bound"});
    calls_.clear();
  }

 private:
  Mutex mutex_;
  std::vector<std::shared_ptr<HeldCall>> calls_ ABSL_GUARDED_BY(mutex_);
  std::atomic<size_t> hung_up_ = 0;
};

TEST(HeldBinds, FiveThousandAreHeldAtOnceAndLeaveNothingBehind) {
  const absl::Status allowed = AllowDescriptors(kDescriptors);
  if (!allowed.ok()) GTEST_SKIP() << allowed;
  HttpListenerOptions options = HttpServerOptions().bind;
  options.thread_idle_timeout = std::chrono::milliseconds(100);
  Holder holder;
  auto listener = HttpListener::Start(
      options, [&holder](const HttpRequest&, CallWaiter& waiter) { return holder.Hold(waiter); });
  ASSERT_TRUE(listener.ok()) << listener.status();
  const ProcessCounts before = CountProcess();
  {
    std::vector<RawHttpClient> clients;
    clients.reserve(kHeld);
    for (size_t i = 0; i < kHeld; ++i) {
      ASSERT_TRUE(clients.emplace_back((*listener)->port()).Send(PostText("/bind", "{}"))) << i;
    }
    ASSERT_TRUE(Comes([&] { return holder.held() == kHeld; })) << holder.held();
    EXPECT_LT(ResidentBytes(), kResidentBytesMax);

    const auto begin = std::chrono::steady_clock::now();
    clients[kHeld / 2].HangUp();
    ASSERT_TRUE(Comes([&] { return holder.hung_up() == 1; }));
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
    ASSERT_TRUE(Comes([&] { return (*listener)->connections() == kHeld - 1; }));

    holder.AnswerAll();
    for (size_t i = 0; i < kHeld; ++i) {
      if (i == kHeld / 2) continue;
      ASSERT_EQ(clients[i].Receive().body, "bound") << i;
    }
    EXPECT_EQ(holder.hung_up(), 1u);
  }
  EXPECT_TRUE(Comes([&] { return CountProcess() == before; }))
      << CountProcess().descriptors << " descriptors, " << before.descriptors << " before; "
      << CountProcess().threads << " threads, " << before.threads << " before";
}

}  // namespace
}  // namespace gangpack::server
