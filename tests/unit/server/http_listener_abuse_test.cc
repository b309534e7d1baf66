// Callers who send slowly, too much, too often or nothing at all.
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/call_connection.h"
#include "server/http_listener.h"
#include "server/http_message.h"
#include "tests/unit/server/process_counts.h"
#include "tests/unit/server/raw_http_client.h"

namespace gangpack::server {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;

constexpr std::string_view kHalfHead = "GET /half HTTP/1.1\r\nHo";
constexpr std::string_view kHalfBody =
    "POST /half HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nab";

HttpAnswer Echo(const HttpRequest& request, CallWaiter&) {
  return {.body = std::string(request.path) + " " + std::string(request.body)};
}

std::unique_ptr<HttpListener> Started(HttpListenerOptions options, HttpHandler handler = Echo) {
  auto listener = HttpListener::Start(options, std::move(handler));
  EXPECT_TRUE(listener.ok()) << listener.status();
  return *std::move(listener);
}

// Sends bytes one by one, for ever, until the other side has had enough.
bool IsCutOff(RawHttpClient& client, std::string_view begin, std::string_view more) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  bool sent = client.Send(begin);
  while (sent && std::chrono::steady_clock::now() < deadline) {
    sent = client.Send(more);
    std::this_thread::yield();
  }
  return !sent;
}

TEST(HttpAbuse, AHeadThatDoesNotArriveInItsTimeIs408) {
  const auto listener = Started({.head_timeout = milliseconds(20)});
  RawHttpClient client(listener->port());
  ASSERT_TRUE(client.Send(kHalfHead));
  const RawAnswer answer = client.Receive();
  EXPECT_EQ(answer.status, 408);
  EXPECT_EQ(answer.body, "{\"error\":\"the head of the request did not arrive in time\"}\n");
  EXPECT_TRUE(client.SeesEnd());
}

TEST(HttpAbuse, ABodyThatDoesNotArriveInItsTimeIs408) {
  const auto listener = Started({.request_timeout = milliseconds(20)});
  RawHttpClient client(listener->port());
  ASSERT_TRUE(client.Send(kHalfBody));
  const RawAnswer answer = client.Receive();
  EXPECT_EQ(answer.status, 408);
  EXPECT_EQ(answer.body, "{\"error\":\"the body of the request did not arrive in time\"}\n");
  EXPECT_TRUE(client.SeesEnd());
}

TEST(HttpAbuse, TheTimeOfAHeadIsNotThatOfABody) {
  const auto listener =
      Started({.head_timeout = milliseconds(20), .request_timeout = std::chrono::minutes(1)});
  RawHttpClient slow_body(listener->port());
  ASSERT_TRUE(slow_body.Send(kHalfBody));
  RawHttpClient slow_head(listener->port());  // Begun later, and its time is over sooner.
  ASSERT_TRUE(slow_head.Send(kHalfHead));
  ASSERT_EQ(slow_head.Receive().status, 408);
  ASSERT_TRUE(slow_body.Send("cde"));
  EXPECT_EQ(slow_body.Receive().body, "/half abcde");
}

TEST(HttpAbuse, SendingOnDoesNotProlongTheTimeOfAHead) {
  const auto listener = Started({.head_timeout = milliseconds(20)});
  RawHttpClient client(listener->port());
  EXPECT_TRUE(IsCutOff(client, kHalfHead, "x"));
}

TEST(HttpAbuse, SendingOnDoesNotProlongTheTimeOfABody) {
  const auto listener = Started({.request_timeout = milliseconds(20)});
  RawHttpClient client(listener->port());
  EXPECT_TRUE(
      IsCutOff(client, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 60000000\r\n\r\n", "x"));
}

TEST(HttpAbuse, WhoTakesNoAnswerIsCutOff) {
  const auto listener = Started({.write_timeout = milliseconds(20)}, [](const HttpRequest&, auto&) {
    return HttpAnswer{.body = std::string(32 * 1024 * 1024, 'x')};  // More than buffers hold.
  });
  RawHttpClient client(listener->port());
  ASSERT_TRUE(client.Send(GetText("/")));
  EXPECT_TRUE(Comes([&] { return listener->connections() == 1; }));
  EXPECT_TRUE(Comes([&] { return listener->connections() == 0; }));
}

TEST(HttpAbuse, StrangersWhoSendNothingOrSlowlyDoNotCrowdOutACallerThatWorks) {
  const auto listener = Started({.connections_max = 4});
  RawHttpClient works(listener->port());
  ASSERT_EQ(works.Get("/1").body, "/1 ");
  ASSERT_TRUE(Comes([&] { return listener->idle_connections() == 1; }));
  std::vector<RawHttpClient> strangers;
  for (int i = 0; i < 40; ++i) {
    RawHttpClient& stranger = strangers.emplace_back(listener->port());
    if (i % 3 == 0) continue;
    ASSERT_TRUE(stranger.Send(i % 3 == 1 ? kHalfHead : kHalfBody));
  }
  EXPECT_EQ(works.Get("/2").body, "/2 ") << "its connection was kept";
  EXPECT_EQ(RawHttpClient(listener->port()).Get("/3").body, "/3 ");
  EXPECT_LE(listener->connections(), 4u);
}

TEST(HttpAbuse, AmongCallersThatWorkTheLongestIdleOneMakesRoom) {
  const auto listener = Started({.connections_max = 2});
  RawHttpClient first(listener->port());
  ASSERT_EQ(first.Get("/1").status, 200);
  RawHttpClient second(listener->port());
  ASSERT_EQ(second.Get("/2").status, 200);
  // A connection is idle only some time after its answer has arrived.
  ASSERT_TRUE(Comes([&] { return listener->idle_connections() == 2; }));
  ASSERT_EQ(first.Get("/1").status, 200);  // Now the second is the longer idle one.
  ASSERT_TRUE(Comes([&] { return listener->idle_connections() == 2; }));
  EXPECT_EQ(RawHttpClient(listener->port()).Get("/3").status, 200);
  EXPECT_TRUE(second.SeesEnd());
  EXPECT_EQ(first.Get("/1").status, 200);
}

TEST(HttpAbuse, WhoClosesItsHalfAfterARequestStillGetsTheAnswer) {
  const auto listener = Started({});
  RawHttpClient client(listener->port());
  ASSERT_TRUE(client.Send(PostText("/last", "words")));
  client.EndSending();
  EXPECT_EQ(client.Receive().body, "/last words");
  EXPECT_TRUE(client.SeesEnd());
  EXPECT_TRUE(Comes([&] { return listener->connections() == 0; }));
}

TEST(HttpAbuse, WhoClosesInTheMiddleOfARequestIsForgotten) {
  const auto listener = Started({});
  for (const std::string_view begun : {kHalfHead, kHalfBody}) {
    RawHttpClient client(listener->port());
    ASSERT_TRUE(client.Send(begun));
    client.HangUp();
  }
  EXPECT_TRUE(Comes([&] { return listener->connections() == 0; }));
}

// A peer that vanished without a word cannot be had on one machine; what would notice it can.
TEST(HttpAbuse, APeerThatVanishedIsAskedForWithinHalfAMinuteAndGivenUpWithinOne) {
  int keep_alive = 0, idle_s = 0, probes = 0, interval_s = 0;
  const auto listener = Started({}, [&](const HttpRequest&, CallWaiter& waiter) {
    const int fd = dynamic_cast<CallConnection&>(waiter).socket();
    socklen_t size = sizeof(int);
    getsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &keep_alive, &size);
    getsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle_s, &size);
    getsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &probes, &size);
    getsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval_s, &size);
    return HttpAnswer{};
  });
  ASSERT_EQ(RawHttpClient(listener->port()).Get("/").status, 200);
  EXPECT_EQ(keep_alive, 1);
  EXPECT_LE(idle_s, 30);
  EXPECT_LE(idle_s + probes * interval_s, 60);
}

TEST(HttpAbuse, AFloodOfRequestsOnOneConnectionIsAnsweredInOrder) {
  constexpr int kRequests = 20'000;
  const auto listener = Started({});
  RawHttpClient client(listener->port());
  std::thread flood([&client] {
    for (int i = 0; i < kRequests; ++i) {
      if (!client.Send(PostText("/" + std::to_string(i), "x"))) return;
    }
  });
  int answered = 0;
  while (answered < kRequests && client.Receive().body == "/" + std::to_string(answered) + " x") {
    ++answered;
  }
  flood.join();
  EXPECT_EQ(answered, kRequests);
}

TEST(HttpAbuse, AFloodOfConnectionsLeavesNoDescriptorAndNoThreadBehind) {
  const auto listener = Started({.connections_max = 32,
                                 .head_timeout = milliseconds(50),
                                 .thread_idle_timeout = milliseconds(1)});
  ASSERT_EQ(RawHttpClient(listener->port()).Get("/").status, 200);
  ASSERT_TRUE(Comes([&] { return listener->connections() == 0 && listener->threads() == 1; }));
  const ProcessCounts before = CountProcess();
  for (int round = 0; round < 20; ++round) {
    std::vector<RawHttpClient> clients;
    for (int i = 0; i < 50; ++i) {
      RawHttpClient& client = clients.emplace_back(listener->port());
      client.Send(i % 4 == 0   ? std::string(kHalfHead)
                  : i % 4 == 1 ? std::string(kHalfBody)
                               : GetText("/"));
      if (i % 5 == 0) client.Reset();
    }
  }
  EXPECT_TRUE(Comes([&] { return listener->connections() == 0 && CountProcess() == before; }))
      << CountProcess().descriptors << " descriptors, " << before.descriptors << " before; "
      << CountProcess().threads << " threads, " << before.threads << " before";
  EXPECT_EQ(RawHttpClient(listener->port()).Get("/").status, 200);
}

TEST(HttpAbuse, NobodyIsAskedForABodyThatIsTooLarge) {
  const auto listener = Started({.body_bytes_max = 10});
  RawHttpClient client(listener->port());
  const RawAnswer answer = client.Call(
      "POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 11\r\n\r\n");
  EXPECT_EQ(answer.status, 413);
  EXPECT_THAT(answer.body, HasSubstr("body larger than 10 bytes"));
}

TEST(HttpAbuse, WhoSendsAllOfABodyThatIsTooLargeStillGetsTheAnswer) {
  const auto listener = Started({.body_bytes_max = 10});
  RawHttpClient client(listener->port());
  ASSERT_TRUE(client.Send(PostText("/", std::string(70'000'000, 'x'))));
  const RawAnswer answer = client.Receive();
  EXPECT_EQ(answer.status, 413);
  EXPECT_EQ(answer.reason, "Content Too Large");
  EXPECT_TRUE(client.SeesEnd());
}

TEST(HttpAbuse, LargeBodiesShareTheirMemoryAndSmallOnesNeedNone) {
  constexpr size_t kMiB = 1024 * 1024;
  const auto listener =
      Started({.body_bytes_max = 3 * kMiB, .bodies_bytes_max = 3 * kMiB},
              [](const HttpRequest&, CallWaiter&) { return HttpAnswer{.body = "read"}; });
  const auto answer_to = [&](size_t bytes) {
    return RawHttpClient(listener->port()).Post("/", std::string(bytes, 'x'));
  };
  const std::string whole = PostText("/", std::string(3 * kMiB, 'x'));
  RawHttpClient slow(listener->port());
  ASSERT_TRUE(slow.Send(std::string_view(whole).substr(0, whole.size() - 1)));
  // Once all of that has been received, 1 MiB and a byte are left.
  ASSERT_TRUE(Comes([&] { return answer_to(2 * kMiB + 2).status == 503; }));
  EXPECT_EQ(answer_to(2 * kMiB + 1).status, 200);
  EXPECT_EQ(answer_to(3 * kMiB).body,
            "{\"error\":\"no memory is left for a large body: too many come at once\"}\n");
  EXPECT_EQ(answer_to(kMiB).status, 200);
  ASSERT_TRUE(slow.Send("x"));
  EXPECT_EQ(slow.Receive().body, "read");
  EXPECT_EQ(answer_to(3 * kMiB).status, 200) << "what the slow one held is left again";
}

TEST(HttpAbuse, APathThatIsNotUtf8IsQuotedAsUtf8) {
  const auto listener = Started(
      {}, [](const HttpRequest& request, auto&) { return JsonErrorAnswer(404, request.path); });
  RawHttpClient client(listener->port());
  EXPECT_EQ(client.Get("/%ff").body, "{\"error\":\"/\xEF\xBF\xBD\"}\n");
}

TEST(HttpAbuse, BadChunksAre400WithWhatWasExpected) {
  const auto listener = Started({});
  for (const std::string_view chunks : {"zz\r\n", "-1\r\nx\r\n", "3\r\nabcdef\r\n0\r\n\r\n"}) {
    RawHttpClient client(listener->port());
    const RawAnswer answer = client.Call(
        "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + std::string(chunks));
    EXPECT_EQ(answer.status, 400) << chunks;
    EXPECT_THAT(answer.body, HasSubstr("body: expected chunks")) << chunks;
    EXPECT_TRUE(client.SeesEnd());
  }
}

TEST(HttpAbuse, ALengthThatIsNoneOrAmbiguousIs400) {
  const auto listener = Started({});
  for (const std::string_view headers :
       {"Content-Length: -1", "Content-Length: 1x", "Content-Length: 1\r\nContent-Length: 2",
        "Content-Length: 1\r\nTransfer-Encoding: chunked"}) {
    RawHttpClient client(listener->port());
    const RawAnswer answer =
        client.Call("POST / HTTP/1.1\r\nHost: x\r\n" + std::string(headers) + "\r\n\r\n");
    EXPECT_EQ(answer.status, 400) << headers;
    EXPECT_THAT(answer.body, HasSubstr("{\"error\":\"")) << headers;
  }
}

TEST(HttpAbuse, AnIdleConnectionOutlivesThoseOfKubeScheduler) {
  EXPECT_GT(HttpListenerOptions().idle_timeout, std::chrono::seconds(90));
}

}  // namespace
}  // namespace gangpack::server
