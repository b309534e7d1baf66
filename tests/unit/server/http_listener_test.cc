#include "server/http_listener.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/call_connection.h"
#include "server/http_message.h"
#include "tests/unit/server/process_counts.h"
#include "tests/unit/server/raw_http_client.h"

namespace gangpack::server {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// Says what it was asked.
HttpAnswer Echo(const HttpRequest& request, CallWaiter&) {
  HttpAnswer answer;
  answer.content_type = "text/plain";
  answer.body = std::string(request.method) + " " + std::string(request.path);
  for (const auto& [key, value] : request.query) answer.body += " " + key + "=" + value;
  answer.body += " " + std::string(request.body);
  return answer;
}

std::unique_ptr<HttpListener> Started(HttpHandler handler, HttpListenerOptions options = {}) {
  auto listener = HttpListener::Start(options, std::move(handler));
  EXPECT_TRUE(listener.ok()) << listener.status();
  return *std::move(listener);
}

TEST(HttpListener, PortZeroChoosesAFreePortAndTellsIt) {
  const auto first = Started(Echo);
  const auto second = Started(Echo);
  EXPECT_GT(first->port(), 0);
  EXPECT_NE(first->port(), second->port());
}

TEST(HttpListener, AnAddressThatCannotBeListenedOnIsAnError) {
  const auto first = Started(Echo);
  const auto taken = HttpListener::Start({.port = first->port()}, Echo);
  EXPECT_EQ(taken.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(taken.status().message()),
              StartsWith("127.0.0.1 port " + std::to_string(first->port()) + ": "));
  const auto name = HttpListener::Start({.address = "localhost"}, Echo);
  EXPECT_EQ(name.status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(HttpListener, AnIpv6AddressIsListenedOn) {
  const auto listener = HttpListener::Start({.address = "::1"}, Echo);
  if (!listener.ok()) GTEST_SKIP() << "no IPv6 here: " << listener.status();
  EXPECT_GT((*listener)->port(), 0);
}

TEST(HttpListener, TheHandlerGetsMethodPathQueryAndBody) {
  const auto listener = Started(Echo);
  RawHttpClient client(listener->port());
  EXPECT_EQ(client.Post("/f/filter?b=2&a=%3C1", "{}").body, "POST /f/filter a=<1 b=2 {}");
  EXPECT_EQ(client.Get("/v1/gangs%20x").body, "GET /v1/gangs x ");
  EXPECT_EQ(client.Call("DELETE /x HTTP/1.1\r\nHost: x\r\n\r\n").body, "DELETE /x ");
}

TEST(HttpListener, AnAnswerHasALengthAndIsNeitherChunkedNorCompressed) {
  const auto listener = Started([](const HttpRequest&, CallWaiter&) {
    return HttpAnswer{.body = std::string(100'000, 'x'),
                      .headers = {{"Cache-Control", "no-store"}}};
  });
  RawHttpClient client(listener->port());
  const RawAnswer answer = client.Post("/", "");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.headers.at("content-length"), "100000");
  EXPECT_EQ(answer.headers.at("content-type"), "application/json");
  EXPECT_EQ(answer.headers.at("cache-control"), "no-store");
  EXPECT_EQ(answer.headers.count("transfer-encoding"), 0u);
  EXPECT_EQ(answer.headers.count("content-encoding"), 0u);
  EXPECT_EQ(answer.body, std::string(100'000, 'x'));
}

TEST(HttpListener, OneConnectionServesManyRequests) {
  const auto listener = Started(Echo);
  RawHttpClient client(listener->port());
  for (int i = 0; i < 1000; ++i) {
    ASSERT_EQ(client.Post("/" + std::to_string(i), "b").body, "POST /" + std::to_string(i) + " b");
  }
  EXPECT_EQ(listener->connections(), 1u);
}

TEST(HttpListener, RequestsSentTogetherAreAnsweredInOrder) {
  const auto listener = Started(Echo);
  RawHttpClient client(listener->port());
  std::string requests;
  for (int i = 0; i < 100; ++i) requests += PostText("/" + std::to_string(i), "x\r\n");
  ASSERT_TRUE(client.Send(requests));
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(client.Receive().body, "POST /" + std::to_string(i) + " x\r\n");
  }
}

TEST(HttpListener, ARequestMayArriveByteByByte) {
  const auto listener = Started(Echo);
  RawHttpClient client(listener->port());
  for (const char c : PostText("/a", "body")) ASSERT_TRUE(client.Send({&c, 1}));
  EXPECT_EQ(client.Receive().body, "POST /a body");
}

TEST(HttpListener, AConnectionDoesNotDelaySmallSegments) {
  int nodelay = 0;
  const auto listener = Started([&](const HttpRequest&, CallWaiter& waiter) {
    const int fd = dynamic_cast<CallConnection&>(waiter).socket();
    socklen_t size = sizeof(nodelay);
    getsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &nodelay, &size);
    return HttpAnswer{};
  });
  RawHttpClient client(listener->port());
  EXPECT_EQ(client.Post("/", "").status, 200);
  EXPECT_NE(nodelay, 0);
}

TEST(HttpListener, AChunkedRequestIsRead) {
  const auto listener = Started(Echo);
  RawHttpClient client(listener->port());
  const std::string request =
      "POST /c HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: "
      "chunked\r\n\r\n3\r\nabc\r\n4\r\ndefg\r\n0\r\n\r\n";
  EXPECT_EQ(client.Call(request).body, "POST /c abcdefg");
  EXPECT_EQ(client.Call(request).body, "POST /c abcdefg");
}

TEST(HttpListener, ACallerThatAsksMayContinue) {
  const auto listener = Started(Echo);
  RawHttpClient client(listener->port());
  ASSERT_TRUE(client.Send(
      "POST /e HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"));
  EXPECT_EQ(client.ReceiveHead().status, 100);
  EXPECT_EQ(client.Call("ok").body, "POST /e ok");
}

TEST(HttpListener, HeadIsAnsweredWithoutABody) {
  const auto listener = Started(Echo);
  RawHttpClient client(listener->port());
  ASSERT_TRUE(client.Send("HEAD /h HTTP/1.1\r\nHost: x\r\n\r\n"));
  const RawAnswer answer = client.ReceiveHead();
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.headers.at("content-length"), "8");
  EXPECT_EQ(client.Get("/next").body, "GET /next ");
}

TEST(HttpListener, AConnectionEndsWhereTheCallerAsksForIt) {
  const auto listener = Started(Echo);
  for (const std::string& head :
       {std::string("GET /a HTTP/1.0\r\n\r\n"),
        std::string("GET /a HTTP/1.1\r\nHost: x\r\nConnection: Close\r\n\r\n")}) {
    RawHttpClient client(listener->port());
    const RawAnswer answer = client.Call(head);
    EXPECT_EQ(answer.body, "GET /a ");
    EXPECT_EQ(answer.headers.at("connection"), "close");
    EXPECT_TRUE(client.SeesEnd());
  }
}

TEST(HttpListener, ABodyOfTheLargestSizeIsReadAndOneByteMoreIsRefusedAsJson) {
  const auto listener =
      Started([](const HttpRequest& request,
                 CallWaiter&) { return HttpAnswer{.body = std::to_string(request.body.size())}; },
              {.body_bytes_max = 100'000});
  RawHttpClient fits(listener->port());
  EXPECT_EQ(fits.Post("/", std::string(100'000, 'x')).body, "100000");
  RawHttpClient exceeds(listener->port());
  const RawAnswer answer = exceeds.Post("/", std::string(100'001, 'x'));
  EXPECT_EQ(answer.status, 413);
  EXPECT_EQ(answer.headers.at("content-type"), "application/json");
  EXPECT_EQ(answer.body, "{\"error\":\"body larger than 100000 bytes\"}\n");
  EXPECT_TRUE(exceeds.SeesEnd());
}

TEST(HttpListener, AChunkedBodyCannotExceedTheLimitEither) {
  const auto listener = Started(Echo, {.body_bytes_max = 1000});
  RawHttpClient client(listener->port());
  const RawAnswer answer =
      client.Call("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nfffff\r\n" +
                  std::string(5000, 'x'));
  EXPECT_EQ(answer.status, 413);
  EXPECT_EQ(answer.body, "{\"error\":\"body larger than 1000 bytes\"}\n");
}

TEST(HttpListener, WhatIsNoRequestIsRefusedAsJsonAndTheConnectionClosed) {
  const auto listener = Started(Echo);
  for (const auto& [request, status] : std::vector<std::pair<std::string, int>>{
           {"hello\r\n\r\n", 400},
           {"GET / HTTP/2.0\r\n\r\n", 505},
           {"BREW / HTTP/1.1\r\nHost: x\r\n\r\n", 501},
           {"GET / HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n", 400},
           {"GET /" + std::string(9000, 'a') + " HTTP/1.1\r\nHost: x\r\n\r\n", 414},
           {"GET / HTTP/1.1\r\nHost: x\r\nA: " + std::string(40'000, 'a') + "\r\n\r\n", 431},
           {"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400}}) {
    RawHttpClient client(listener->port());
    const RawAnswer answer = client.Call(request);
    EXPECT_EQ(answer.status, status) << request.substr(0, 60);
    EXPECT_THAT(answer.body, StartsWith("{\"error\":")) << request.substr(0, 60);
    EXPECT_TRUE(client.SeesEnd());
  }
}

TEST(HttpListener, LongHeadersAndPathsDoNotOverflowASmallStack) {
  const auto listener = Started(Echo, {.thread_stack_bytes = 256 * 1024});
  std::string ranges = "bytes=0-1";
  while (ranges.size() < 20'000) ranges += ",0-1";
  RawHttpClient client(listener->port());
  EXPECT_EQ(client
                .Call("GET /" + std::string(7000, 'a') +
                      " HTTP/1.1\r\nHost: x\r\nRange: " + ranges + "\r\n\r\n")
                .status,
            200);
  const std::string part = "--b\r\nContent-Disposition: form-data; name=\"" +
                           std::string(50'000, 'n') + "\"\r\n\r\nx\r\n--b--\r\n";
  const RawAnswer form = client.Call(
      "POST /m HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; "
      "boundary=b\r\nContent-Length: " +
      std::to_string(part.size()) + "\r\n\r\n" + part);
  EXPECT_EQ(form.body, "POST /m " + part);
}

TEST(HttpListener, AHandlerThatThrowsCostsOneAnswer) {
  const auto listener = Started([](const HttpRequest& request, CallWaiter&) -> HttpAnswer {
    if (request.path == "/bad") throw std::runtime_error("broken");
    return {};
  });
  RawHttpClient client(listener->port());
  const RawAnswer answer = client.Get("/bad");
  EXPECT_EQ(answer.status, 500);
  EXPECT_EQ(answer.body, "{\"error\":\"broken\"}\n");
  EXPECT_EQ(client.Get("/good").status, 200);
}

TEST(HttpListener, AnIncompleteRequestIsGivenUpAfterItsTime) {
  const auto listener = Started(Echo, {.request_timeout = std::chrono::milliseconds(20)});
  RawHttpClient client(listener->port());
  ASSERT_TRUE(client.Send("GET / HT"));
  EXPECT_EQ(client.Receive().status, 408);
  EXPECT_TRUE(client.SeesEnd());
}

TEST(HttpListener, AnIdleConnectionIsClosedAfterItsTime) {
  const auto listener = Started(Echo, {.idle_timeout = std::chrono::milliseconds(20)});
  RawHttpClient client(listener->port());
  EXPECT_TRUE(client.SeesEnd());
  EXPECT_TRUE(Comes([&] { return listener->connections() == 0; }));
}

TEST(HttpListener, PastTheLimitTheLongestIdleConnectionMakesRoom) {
  const auto listener = Started(Echo, {.connections_max = 2});
  RawHttpClient first(listener->port());
  ASSERT_EQ(first.Get("/1").status, 200);
  ASSERT_TRUE(Comes([&] { return listener->idle_connections() == 1; }));
  RawHttpClient second(listener->port());
  ASSERT_EQ(second.Get("/2").status, 200);
  ASSERT_TRUE(Comes([&] { return listener->idle_connections() == 2; }));
  RawHttpClient third(listener->port());
  EXPECT_EQ(third.Get("/3").status, 200);
  EXPECT_TRUE(first.SeesEnd());
  EXPECT_EQ(second.Get("/2").status, 200);
}

TEST(HttpListener, ThreadsEndWhenNobodyNeedsThem) {
  const auto listener = Started(Echo, {.thread_idle_timeout = std::chrono::milliseconds(1)});
  {
    std::vector<RawHttpClient> clients;
    for (int i = 0; i < 20; ++i) {
      ASSERT_EQ(clients.emplace_back(listener->port()).Get("/").status, 200);
    }
    EXPECT_EQ(listener->connections(), 20u);
    EXPECT_GE(listener->threads(), 20u);
  }
  EXPECT_TRUE(Comes([&] { return listener->connections() == 0; }));
  EXPECT_TRUE(Comes([&] { return listener->threads() == 1; }));  // The one that accepts.
}

TEST(HttpListener, AfterStopThreadsAndDescriptorsAreAsBefore) {
  Started(Echo)->Stop();  // What the first run of all sets up for good.
  const ProcessCounts before = CountProcess();
  {
    const auto listener = Started(Echo);
    std::vector<RawHttpClient> clients;
    for (int i = 0; i < 20; ++i) {
      ASSERT_EQ(clients.emplace_back(listener->port()).Get("/").status, 200);
    }
    listener->Stop();
    for (RawHttpClient& client : clients) EXPECT_TRUE(client.SeesEnd());
    EXPECT_EQ(listener->threads(), 0u);
    listener->Stop();  // Once more does nothing.
  }
  EXPECT_EQ(CountProcess().descriptors, before.descriptors);
  EXPECT_TRUE(Comes([&] { return CountProcess().threads == before.threads; }));
}

TEST(HttpListener, AHalfSentRequestHoldsAStopUpOnlyBriefly) {
  const auto listener = Started(Echo, {.request_timeout = std::chrono::hours(1)});
  RawHttpClient half_head(listener->port());
  ASSERT_TRUE(half_head.Send("GET / HT"));
  RawHttpClient half_body(listener->port());
  ASSERT_TRUE(half_body.Send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nab"));
  ASSERT_TRUE(Comes([&] { return listener->connections() == 2; }));
  listener->Stop();  // It would last an hour.
  EXPECT_EQ(listener->connections(), 0u);
  EXPECT_EQ(half_head.Receive().status, 408);
  EXPECT_TRUE(half_head.SeesEnd());
  EXPECT_EQ(half_body.Receive().status, 408);
  EXPECT_TRUE(half_body.SeesEnd());
}

TEST(HttpListener, AfterStopNobodyIsAccepted) {
  const auto listener = Started(Echo);
  const int port = listener->port();
  listener->Stop();
  RawHttpClient client(port);
  EXPECT_FALSE(client.Send(GetText("/")) && client.Receive().status != 0);
}

}  // namespace
}  // namespace gangpack::server
