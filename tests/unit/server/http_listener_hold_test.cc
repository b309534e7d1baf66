// Held calls over real sockets: answered later, hung up on, or ended by a stop.
#include <chrono>
#include <condition_variable>
#include <deque>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "server/held_call.h"
#include "server/http_listener.h"
#include "server/http_message.h"
#include "tests/unit/server/raw_http_client.h"

namespace gangpack::server {
namespace {

template <typename T>
class Queue {
 public:
  void Put(T value) {
    const std::lock_guard lock(mutex_);
    values_.push_back(std::move(value));
    arrived_.notify_all();
  }

  // The next one; a default value if none comes in time.
  T Take() {
    std::unique_lock lock(mutex_);
    if (!arrived_.wait_for(lock, std::chrono::seconds(30), [this] { return !values_.empty(); })) {
      ADD_FAILURE() << "nothing came";
      return T();
    }
    T value = std::move(values_.front());
    values_.pop_front();
    return value;
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<T> values_;
};

struct Arrival {
  std::string path;
  std::shared_ptr<HeldCall> call;
};

class HoldTest : public testing::Test {
 protected:
  HoldTest() {
    auto listener = HttpListener::Start(
        {.connections_max = 128},
        [this](const HttpRequest& request, CallWaiter& waiter) { return Hold(request, waiter); });
    EXPECT_TRUE(listener.ok()) << listener.status();
    listener_ = *std::move(listener);
  }

  HttpAnswer Hold(const HttpRequest& request, CallWaiter& waiter) {
    if (request.method == "GET") return HttpAnswer{.body = "get"};
    const std::shared_ptr<HeldCall> call = *HeldCall::Create();
    arrivals_.Put({std::string(request.path), call});
    const HoldEnd end = waiter.Wait(*call);
    ends_.Put(end);
    if (end != HoldEnd::kAnswered) return HttpAnswer{.status = 503, .body = "ended"};
    return *call->TakeAnswer();
  }

  Queue<Arrival> arrivals_;
  Queue<HoldEnd> ends_;
  std::unique_ptr<HttpListener> listener_;
};

TEST_F(HoldTest, TheAnswerMayComeFromAnotherThread) {
  RawHttpClient client(listener_->port());
  ASSERT_TRUE(client.Send(PostText("/bind", "{}")));
  EXPECT_TRUE(arrivals_.Take().call->Answer({.body = "bound"}));
  EXPECT_EQ(client.Receive().body, "bound");
  EXPECT_EQ(ends_.Take(), HoldEnd::kAnswered);
  // The connection serves on.
  ASSERT_TRUE(client.Send(PostText("/bind", "{}")));
  EXPECT_TRUE(arrivals_.Take().call->Answer({.body = "again"}));
  EXPECT_EQ(client.Receive().body, "again");
}

TEST_F(HoldTest, OnlyTheFirstAnswerCounts) {
  RawHttpClient client(listener_->port());
  ASSERT_TRUE(client.Send(PostText("/bind", "{}")));
  const std::shared_ptr<HeldCall> call = arrivals_.Take().call;
  EXPECT_TRUE(call->Answer({.body = "first"}));
  EXPECT_FALSE(call->Answer({.body = "second"}));
  EXPECT_EQ(client.Receive().body, "first");
}

TEST_F(HoldTest, AHangUpEndsTheWaitAndRefusesALaterAnswer) {
  RawHttpClient client(listener_->port());
  ASSERT_TRUE(client.Send(PostText("/bind", "{}")));
  const Arrival arrival = arrivals_.Take();
  client.HangUp();
  EXPECT_EQ(ends_.Take(), HoldEnd::kHungUp);
  EXPECT_FALSE(arrival.call->Answer({.body = "too late"}));
}

TEST_F(HoldTest, AResetEndsTheWaitToo) {
  RawHttpClient client(listener_->port());
  ASSERT_TRUE(client.Send(PostText("/bind", "{}")));
  arrivals_.Take();
  client.Reset();
  EXPECT_EQ(ends_.Take(), HoldEnd::kHungUp);
}

TEST_F(HoldTest, AFurtherRequestOnTheConnectionIsNoHangUp) {
  RawHttpClient client(listener_->port());
  ASSERT_TRUE(client.Send(PostText("/bind", "{}") + GetText("/next")));
  const Arrival arrival = arrivals_.Take();
  ASSERT_TRUE(client.Send(GetText("/third")));
  EXPECT_TRUE(arrival.call->Answer({.body = "bound"}));
  EXPECT_EQ(ends_.Take(), HoldEnd::kAnswered);
  EXPECT_EQ(client.Receive().body, "bound");
  EXPECT_EQ(client.Receive().body, "get");
  EXPECT_EQ(client.Receive().body, "get");
}

TEST_F(HoldTest, AHangUpBehindAFurtherRequestIsNoticed) {
  RawHttpClient client(listener_->port());
  ASSERT_TRUE(client.Send(PostText("/bind", "{}") + GetText("/next")));
  arrivals_.Take();
  client.HangUp();
  EXPECT_EQ(ends_.Take(), HoldEnd::kHungUp);
}

TEST_F(HoldTest, SixtyFourCallsAreHeldAtOnceAndOthersServedMeanwhile) {
  std::vector<RawHttpClient> clients;
  for (int i = 0; i < 64; ++i) {
    ASSERT_TRUE(
        clients.emplace_back(listener_->port()).Send(PostText("/" + std::to_string(i), "{}")));
  }
  std::vector<Arrival> held;
  for (int i = 0; i < 64; ++i) held.push_back(arrivals_.Take());
  EXPECT_EQ(RawHttpClient(listener_->port()).Get("/").body, "get");
  for (const Arrival& arrival : held) EXPECT_TRUE(arrival.call->Answer({.body = arrival.path}));
  for (int i = 0; i < 64; ++i) EXPECT_EQ(clients[i].Receive().body, "/" + std::to_string(i));
}

TEST_F(HoldTest, OneHangUpAmongManyEndsThatWaitAlone) {
  std::vector<RawHttpClient> clients;
  for (int i = 0; i < 8; ++i) {
    ASSERT_TRUE(
        clients.emplace_back(listener_->port()).Send(PostText("/" + std::to_string(i), "{}")));
  }
  std::vector<Arrival> held;
  for (int i = 0; i < 8; ++i) held.push_back(arrivals_.Take());
  clients[3].HangUp();
  EXPECT_EQ(ends_.Take(), HoldEnd::kHungUp);
  for (const Arrival& arrival : held) {
    EXPECT_EQ(arrival.call->Answer({.body = "bound"}), arrival.path != "/3");
  }
  for (int i = 0; i < 8; ++i) {
    if (i != 3) {
      EXPECT_EQ(clients[i].Receive().body, "bound");
    }
  }
}

TEST_F(HoldTest, AStopEndsWaitsAndTheirHandlersStillAnswer) {
  std::vector<RawHttpClient> clients;
  for (int i = 0; i < 8; ++i) {
    ASSERT_TRUE(clients.emplace_back(listener_->port()).Send(PostText("/bind", "{}")));
    arrivals_.Take();
  }
  listener_->Stop();
  for (RawHttpClient& client : clients) {
    EXPECT_EQ(ends_.Take(), HoldEnd::kStopping);
    const RawAnswer answer = client.Receive();
    EXPECT_EQ(answer.status, 503);
    EXPECT_EQ(answer.body, "ended");
    EXPECT_TRUE(client.SeesEnd());
  }
}

TEST_F(HoldTest, AnswersAndHangUpsAtTheSameMomentAgreeOnOneEnd) {
  for (int round = 0; round < 200; ++round) {
    RawHttpClient client(listener_->port());
    ASSERT_TRUE(client.Send(PostText("/bind", "{}")));
    const Arrival arrival = arrivals_.Take();
    std::thread hang_up([&] { client.HangUp(); });
    const bool accepted = arrival.call->Answer({.body = "bound"});
    hang_up.join();
    EXPECT_EQ(ends_.Take(), accepted ? HoldEnd::kAnswered : HoldEnd::kHungUp);
  }
}

TEST(HttpListenerLimit, WhenAllConnectionsAreBusyANewOneIsToldSo) {
  std::promise<std::shared_ptr<HeldCall>> held;
  auto listener =
      HttpListener::Start({.connections_max = 1}, [&](const HttpRequest&, CallWaiter& waiter) {
        const std::shared_ptr<HeldCall> call = *HeldCall::Create();
        held.set_value(call);
        waiter.Wait(*call);
        return *call->TakeAnswer();
      });
  ASSERT_TRUE(listener.ok());
  RawHttpClient busy((*listener)->port());
  ASSERT_TRUE(busy.Send(PostText("/bind", "{}")));
  const std::shared_ptr<HeldCall> call = held.get_future().get();
  RawHttpClient second((*listener)->port());
  const RawAnswer answer = second.Post("/bind", "{}");
  EXPECT_EQ(answer.status, 503);
  EXPECT_EQ(answer.body, "{\"error\":\"more than 1 connections\"}\n");
  EXPECT_TRUE(call->Answer({.body = "bound"}));
  EXPECT_EQ(busy.Receive().body, "bound");
}

}  // namespace
}  // namespace gangpack::server
