// Both listeners over real sockets, down to the engine.
#include "server/http_server.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/views.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/extender_codec.h"
#include "server/http_message.h"
#include "tests/unit/server/extender_world.h"
#include "tests/unit/server/process_counts.h"
#include "tests/unit/server/raw_http_client.h"

namespace gangpack::server {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class HttpServerTest : public testing::Test {
 protected:
  HttpServerTest() {
    HttpServerOptions options;
    options.pages["/extra"] = [](const HttpRequest&) {
      return HttpAnswer{.body = "hello", .content_type = "text/plain"};
    };
    auto server = HttpServer::Start(options, &world_.driver, &world_.calls);
    EXPECT_TRUE(server.ok()) << server.status();
    server_ = *std::move(server);
  }

  // A gang of `members` in rack a, whose nodes hold 8 each.
  void AddGang(int members) {
    for (int i = 0; i * 8 < members; ++i) {
      nodes_.push_back("a" + std::to_string(i));
      world_.AddNode(nodes_.back(), "a");
    }
    world_.AddGroup("g", members);
    for (int i = 0; i < members; ++i) world_.AddPod(MemberName(i), "g");
    world_.Synchronise();
  }

  static std::string MemberName(int i) { return "g-" + std::to_string(i); }

  // The one node that filter answers; empty if it is not one.
  std::string NodeFor(std::string_view pod) {
    RawHttpClient client(server_->filter_port());
    const RawAnswer answer = client.Post("/f/filter", ExtenderWorld::ArgsBody(pod, nodes_));
    const auto result = DecodeExtenderFilterResult(answer.body);
    if (!result.ok() || !result->node_names.has_value() || result->node_names->size() != 1) {
      ADD_FAILURE() << answer.status << " " << answer.body;
      return "";
    }
    return std::string(result->node_names->front());
  }

  RawHttpClient HeldBind(std::string_view pod) {
    const std::string node = NodeFor(pod);
    RawHttpClient client(server_->bind_port());
    EXPECT_TRUE(client.Send(PostText("/b/bind", ExtenderWorld::BindBody(pod, node))));
    return client;
  }

  size_t Waiters() {
    size_t waiters = 0;
    for (const ReservationView& reservation : world_.driver.Reservations()) {
      waiters += reservation.waiters.size();
    }
    return waiters;
  }

  ExtenderWorld world_;
  std::vector<std::string> nodes_;
  std::unique_ptr<HttpServer> server_;
};

TEST_F(HttpServerTest, AGangIsBoundWhenItsLastMemberArrivesAndNotBefore) {
  AddGang(3);
  RawHttpClient first = HeldBind("g-0");
  RawHttpClient second = HeldBind("g-1");
  ASSERT_TRUE(Comes([&] { return Waiters() == 2; }));
  EXPECT_THAT(world_.Bindings(), IsEmpty());
  RawHttpClient third = HeldBind("g-2");
  for (RawHttpClient* client : {&first, &second, &third}) {
    const RawAnswer answer = client->Receive();
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.body, "{\"Error\":\"\"}");
  }
  EXPECT_EQ(world_.Bindings().size(), 3u);
}

TEST_F(HttpServerTest, SixtyFourMembersWaitAtOnceWhileFilterAnswers) {
  AddGang(64);
  std::vector<RawHttpClient> clients;
  for (int i = 0; i < 63; ++i) clients.push_back(HeldBind(MemberName(i)));
  ASSERT_TRUE(Comes([&] { return Waiters() == 63; }));
  EXPECT_THAT(world_.Bindings(), IsEmpty());
  EXPECT_EQ(server_->bind_listener().connections(), 63u);
  clients.push_back(HeldBind(MemberName(63)));
  for (RawHttpClient& client : clients) EXPECT_EQ(client.Receive().body, "{\"Error\":\"\"}");
  EXPECT_EQ(world_.Bindings().size(), 64u);
}

TEST_F(HttpServerTest, AMemberWhoseCallerHungUpWaitsNoMoreAndComesBack) {
  AddGang(2);
  RawHttpClient gone = HeldBind("g-0");
  ASSERT_TRUE(Comes([&] { return Waiters() == 1; }));
  gone.HangUp();
  ASSERT_TRUE(Comes([&] { return Waiters() == 0; }));
  ASSERT_EQ(world_.driver.Reservations().size(), 1u) << "the hold stays until its own end";
  RawHttpClient last = HeldBind("g-1");
  ASSERT_TRUE(Comes([&] { return Waiters() == 1; }));
  EXPECT_THAT(world_.Bindings(), IsEmpty());
  RawHttpClient back = HeldBind("g-0");
  EXPECT_EQ(back.Receive().body, "{\"Error\":\"\"}");
  EXPECT_EQ(last.Receive().body, "{\"Error\":\"\"}");
  EXPECT_EQ(world_.calls.size(), 0u);
}

TEST_F(HttpServerTest, AWaitThatTimesOutIsAnsweredWithTheReason) {
  AddGang(2);
  RawHttpClient first = HeldBind("g-0");
  ASSERT_TRUE(Comes([&] { return Waiters() == 1; }));
  world_.clock.Advance(absl::Seconds(600));
  world_.driver.Tick();
  EXPECT_THAT(first.Receive().body, HasSubstr("gang ns/g unwound after a member failed"));
  EXPECT_THAT(world_.Bindings(), IsEmpty());
}

TEST_F(HttpServerTest, AStopAnswersHeldBindsWithAnError) {
  AddGang(2);
  RawHttpClient held = HeldBind("g-0");
  ASSERT_TRUE(Comes([&] { return Waiters() == 1; }));
  server_->Stop();
  EXPECT_EQ(held.Receive().body, "{\"Error\":\"the scheduler extender is stopping\"}");
  EXPECT_TRUE(held.SeesEnd());
  EXPECT_EQ(Waiters(), 0u);
  EXPECT_EQ(world_.calls.size(), 0u);
}

TEST_F(HttpServerTest, VerbsAreServedUnderAnyPrefix) {
  world_.AddNode("a1", "a");
  world_.AddPod("p", "");
  world_.Synchronise();
  RawHttpClient client(server_->filter_port());
  const std::string args = ExtenderWorld::ArgsBody("p", {"a1"});
  for (const std::string_view path : {"/filter", "/f/filter", "/a/b/filter"}) {
    EXPECT_THAT(client.Post(path, args).body, HasSubstr("\"NodeNames\":[\"a1\"]")) << path;
  }
  EXPECT_THAT(client.Post("/f/prioritize", args).body, HasSubstr("\"Host\":\"a1\""));
  EXPECT_EQ(client.Post("/xfilter", args).status, 404);
  RawHttpClient binder(server_->bind_port());
  EXPECT_EQ(binder.Post("/any/bind", ExtenderWorld::BindBody("p", "a1")).body, "{\"Error\":\"\"}");
}

TEST_F(HttpServerTest, ReadinessIsThatEveryWatchWasListed) {
  RawHttpClient client(server_->filter_port());
  EXPECT_EQ(client.Get("/healthz").status, 200);
  EXPECT_EQ(client.Get("/readyz").status, 503);
  world_.Synchronise();
  EXPECT_EQ(client.Get("/readyz").status, 200);
  EXPECT_EQ(RawHttpClient(server_->bind_port()).Get("/healthz").status, 200);
}

TEST_F(HttpServerTest, TheStateIsListedAndNarrowed) {
  AddGang(2);
  world_.AddPod("p", "");
  RawHttpClient held = HeldBind("g-0");
  ASSERT_TRUE(Comes([&] { return Waiters() == 1; }));
  RawHttpClient client(server_->filter_port());
  const RawAnswer pods = client.Get("/v1/pods");
  EXPECT_EQ(pods.headers.at("content-type"), "application/json");
  EXPECT_EQ(pods.headers.at("cache-control"), "no-store");
  EXPECT_THAT(pods.body, HasSubstr(R"("name": "g-0", "gang": "ns/g", "state": "Waiting")"));
  EXPECT_THAT(pods.body, HasSubstr(R"("name": "p", "gang": "", "state": "Pending")"));
  const RawAnswer one = client.Get("/v1/pods?namespace=ns&name=p");
  EXPECT_THAT(one.body, testing::Not(HasSubstr("g-0")));
  EXPECT_THAT(one.body, HasSubstr(R"("name": "p")"));
  EXPECT_THAT(client.Get("/v1/gangs").body, HasSubstr(R"("name": "g", "state": "Placing")"));
  EXPECT_EQ(client.Get("/v1/gangs?namespace=other").body, "{\"gangs\": []}\n");
  EXPECT_THAT(client.Get("/v1/domains?topologyKey=rack").body, HasSubstr(R"("heldBy": "ns/g")"));
  EXPECT_THAT(client.Get("/v1/reservations").body, HasSubstr(R"("owner": "group-g")"));
  EXPECT_EQ(client.Get("/v1/reservations?gang=ns%2Fother").body, "{\"reservations\": []}\n");
  const RawAnswer wrong = client.Get("/v1/gangs?colour=red");
  EXPECT_EQ(wrong.status, 400);
  EXPECT_EQ(wrong.body,
            "{\"error\":\"unknown parameter colour: expected one of namespace, name\"}\n");
}

TEST_F(HttpServerTest, MoreConnectionsThanThereCanBeDescriptorsAreRefusedAtStart) {
  HttpServerOptions options;
  options.bind.connections_max = size_t{1} << 40;
  const auto server = HttpServer::Start(options, &world_.driver, &world_.calls);
  EXPECT_EQ(server.status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(server.status().message()),
              AllOf(HasSubstr("file descriptors are needed, the hard limit is "),
                    HasSubstr("lower the connections of the filter listener (64) or of the bind "
                              "listener (1099511627776, each takes 2)")));
}

TEST_F(HttpServerTest, PagesOfOthersAreServed) {
  RawHttpClient client(server_->filter_port());
  const RawAnswer answer = client.Get("/extra");
  EXPECT_EQ(answer.body, "hello");
  EXPECT_EQ(answer.headers.at("content-type"), "text/plain");
}

TEST_F(HttpServerTest, AWrongMethodIs405AndAWrongPath404BothAsJson) {
  RawHttpClient client(server_->filter_port());
  const RawAnswer get_filter = client.Get("/f/filter");
  EXPECT_EQ(get_filter.status, 405);
  EXPECT_EQ(get_filter.headers.at("allow"), "POST");
  EXPECT_EQ(get_filter.body, "{\"error\":\"/f/filter: expected POST\"}\n");
  EXPECT_EQ(client.Post("/v1/gangs", "").status, 405);
  EXPECT_EQ(client.Get("/nowhere").body, "{\"error\":\"no such path: /nowhere\"}\n");
  EXPECT_EQ(client.Post("/b/bind", "{}").status, 404);
  RawHttpClient binder(server_->bind_port());
  EXPECT_EQ(binder.Post("/f/filter", "{}").status, 404);
  EXPECT_EQ(binder.Get("/b/bind").status, 405);
  ASSERT_TRUE(client.Send("HEAD /healthz HTTP/1.1\r\nHost: x\r\n\r\n"));
  EXPECT_EQ(client.ReceiveHead().status, 200);
  // All of it on one connection, which serves on.
  EXPECT_EQ(client.Get("/healthz").status, 200);
}

TEST_F(HttpServerTest, WhatIsNotJsonIsA400AndTheConnectionServesOn) {
  RawHttpClient client(server_->filter_port());
  const RawAnswer answer = client.Post("/f/filter", "hello");
  EXPECT_EQ(answer.status, 400);
  EXPECT_THAT(answer.body, HasSubstr("{\"error\":\"not JSON"));
  EXPECT_EQ(client.Post("/f/filter", "{\"Pod\":[]}").body,
            "{\"error\":\"Pod: expected an object, found an array\"}\n");
  EXPECT_EQ(client.Get("/healthz").status, 200);
}

}  // namespace
}  // namespace gangpack::server
