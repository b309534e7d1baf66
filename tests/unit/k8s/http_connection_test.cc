#include "k8s/http_connection.h"

#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <future>
#include <optional>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "k8s/cancel_signal.h"
#include "tests/unit/k8s/api_test_server.h"
#include "tests/unit/k8s/loopback_socket.h"
#include "tests/unit/k8s/test_certificates.h"

namespace gangpack::k8s {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr char kEmptyAnswer[] = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

enum class Then { kStay, kHangUp };

// One answer of the peer, and what it does after it.
struct Reply {
  std::string bytes;
  Then then = Then::kStay;
};

// A server that hears requests without a body, and gives the replies in their order, one for each
// request. Where it hung up it accepts another connection for the next. It ends once the other end
// is closed, which therefore must be destroyed first.
class Peer {
  LoopbackSocket socket_;

 public:
  explicit Peer(std::vector<Reply> replies)
      : target(socket_.Target()), replies_(std::move(replies)), thread_([this] { Serve(); }) {}
  ~Peer() {
    socket_.Shutdown();
    thread_.join();
  }

  std::vector<std::string> heard() {
    absl::MutexLock lock(&mutex_);
    return heard_;
  }
  int connections() const { return connections_; }

  NetworkTarget target;

 private:
  void Serve() {
    int peer = -1;
    char c = 0;
    for (const Reply& reply : replies_) {
      if (peer < 0) {
        peer = socket_.Accept();
        if (peer < 0) return;
        ++connections_;
      }
      std::string head;
      while (!absl::EndsWith(head, "\r\n\r\n") && recv(peer, &c, 1, 0) == 1) head.push_back(c);
      {
        absl::MutexLock lock(&mutex_);
        heard_.push_back(head);
      }
      (void)send(peer, reply.bytes.data(), reply.bytes.size(), MSG_NOSIGNAL);
      if (reply.then == Then::kStay) continue;
      close(peer);
      peer = -1;
    }
    while (peer >= 0 && recv(peer, &c, 1, 0) == 1) {
    }
    if (peer >= 0) close(peer);
  }

  const std::vector<Reply> replies_;
  std::atomic<int> connections_{0};
  absl::Mutex mutex_;
  std::vector<std::string> heard_ ABSL_GUARDED_BY(mutex_);
  std::thread thread_;  // the last: it uses the others
};

class HttpConnectionTest : public testing::Test {
 protected:
  static HttpRequest Get(const std::string& target) {
    HttpRequest request;
    request.target = target;
    return request;
  }
  HttpCall CallOf(const HttpRequest& request, const StreamSink* sink = nullptr) {
    return {
        &request, "", sink, absl::Seconds(30), {absl::Seconds(30), absl::Seconds(30), &signal_}};
  }
  // A GET of "/" over a connection of its own.
  absl::StatusOr<HttpResponse> Ask(const std::string& reply, const StreamSink* sink = nullptr) {
    Peer peer({{reply, Then::kHangUp}});
    HttpConnection connection(peer.target, nullptr);
    const HttpRequest request = Get("/");
    return connection.Send(CallOf(request, sink));
  }
  static std::string MessageOf(const absl::StatusOr<HttpResponse>& response) {
    return std::string(response.status().message());
  }

  CancelSignal signal_;
};

TEST_F(HttpConnectionTest, ARequestSaysWhatItIsAndAsksForPlainJson) {
  Peer peer({{kEmptyAnswer}});
  peer.target.url.path = "/prefix";
  HttpConnection connection(peer.target, nullptr);
  HttpRequest request = Get("/a%20b?c=%2F");
  request.content_type = "text/x";
  HttpCall call = CallOf(request);
  call.authorization = "Bearer t";
  ASSERT_TRUE(connection.Send(call).ok());
  ASSERT_EQ(peer.heard().size(), 1u);
  const std::string heard = peer.heard()[0];
  EXPECT_THAT(heard, StartsWith("GET /prefix/a%20b?c=%2F HTTP/1.1\r\n"));
  for (const std::string& line :
       {absl::StrCat("Host: 127.0.0.1:", peer.target.url.port),
        std::string("Authorization: Bearer t"), std::string("Content-Type: text/x"),
        std::string("Accept: application/json"), std::string("Accept-Encoding: identity"),
        std::string("User-Agent: gangpack")}) {
    EXPECT_THAT(heard, HasSubstr(absl::StrCat("\r\n", line, "\r\n")));
  }
}

TEST_F(HttpConnectionTest, WithoutAPassOrATypeThereIsNoHeaderForIt) {
  Peer peer({{kEmptyAnswer}});
  HttpConnection connection(peer.target, nullptr);
  const HttpRequest request = Get("/");
  ASSERT_TRUE(connection.Send(CallOf(request)).ok());
  ASSERT_EQ(peer.heard().size(), 1u);
  EXPECT_THAT(peer.heard()[0], StartsWith("GET / HTTP/1.1\r\n"));
  EXPECT_THAT(peer.heard()[0], Not(HasSubstr("Authorization")));
  EXPECT_THAT(peer.heard()[0], Not(HasSubstr("Content-Type")));
}

TEST_F(HttpConnectionTest, AnyStatusIsAnAnswerAndNoneIsFollowedElsewhere) {
  for (const int status : {200, 302, 404, 500}) {
    const auto response = Ask(absl::StrCat("HTTP/1.1 ", status,
                                           " X\r\nLocation: http://127.0.0.1:1/\r\n"
                                           "Content-Length: 4\r\n\r\nbody"));
    ASSERT_TRUE(response.ok()) << response.status();
    EXPECT_EQ(response->status, status);
    EXPECT_EQ(response->body, "body");
  }
}

TEST_F(HttpConnectionTest, ABodyInChunksIsPutTogether) {
  const auto response =
      Ask("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n");
  ASSERT_TRUE(response.ok()) << response.status();
  EXPECT_EQ(response->body, "abcde");
}

TEST_F(HttpConnectionTest, RetryAfterIsTakenInWholeSecondsAboveNone) {
  const auto retry_after = [this](const std::string& header) {
    const auto response =
        Ask(absl::StrCat("HTTP/1.1 429 X\r\n", header, "Content-Length: 0\r\n\r\n"));
    EXPECT_TRUE(response.ok()) << response.status();
    return response.ok() ? response->retry_after : absl::InfiniteDuration();
  };
  EXPECT_EQ(retry_after("Retry-After: 1\r\n"), absl::Seconds(1));
  EXPECT_EQ(retry_after("Retry-After: 0\r\n"), std::nullopt);
  EXPECT_EQ(retry_after("Retry-After: -1\r\n"), std::nullopt);
  EXPECT_EQ(retry_after("Retry-After: Wed, 21 Oct 2015 07:28:00 GMT\r\n"), std::nullopt);
  EXPECT_EQ(retry_after(""), std::nullopt);
}

TEST_F(HttpConnectionTest, OneConnectionTakesOneRequestAfterTheOther) {
  Peer peer({{kEmptyAnswer}, {kEmptyAnswer}});
  HttpConnection connection(peer.target, nullptr);
  EXPECT_FALSE(connection.IsReusable()) << "it is not open yet";
  const HttpRequest first = Get("/1");
  const HttpRequest second = Get("/2");
  ASSERT_TRUE(connection.Send(CallOf(first)).ok());
  EXPECT_TRUE(connection.IsReusable());
  ASSERT_TRUE(connection.Send(CallOf(second)).ok());
  EXPECT_THAT(peer.heard(), ElementsAre(StartsWith("GET /1 "), StartsWith("GET /2 ")));
  EXPECT_EQ(peer.connections(), 1);
}

TEST_F(HttpConnectionTest, WhereTheAnswerClosesItItIsNotReusableAndTheNextRequestOpensItAnew) {
  Peer peer({{"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", Then::kHangUp},
             {kEmptyAnswer}});
  HttpConnection connection(peer.target, nullptr);
  const HttpRequest request = Get("/");
  ASSERT_TRUE(connection.Send(CallOf(request)).ok());
  EXPECT_FALSE(connection.IsReusable());
  ASSERT_TRUE(connection.Send(CallOf(request)).ok());
  EXPECT_TRUE(connection.IsReusable());
  EXPECT_EQ(peer.connections(), 2);
}

TEST_F(HttpConnectionTest, APeerThatHangsUpLaterMakesItNotReusable) {
  Peer peer({{kEmptyAnswer, Then::kHangUp}});
  HttpConnection connection(peer.target, nullptr);
  const HttpRequest request = Get("/");
  ASSERT_TRUE(connection.Send(CallOf(request)).ok());
  const absl::Time end = absl::Now() + absl::Seconds(30);
  while (connection.IsReusable()) ASSERT_LT(absl::Now(), end);
}

TEST_F(HttpConnectionTest, AnEndWithoutAnAnswerIsToldFromOneInsideOfIt) {
  for (const auto& [reply, received, why] : std::vector<std::tuple<std::string, bool, std::string>>{
           {"", false, "the connection ended without an answer"},
           {"H", true, "the connection ended inside an answer"},
           {"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell", true,
            "the connection ended inside an answer"}}) {
    Peer peer({{reply, Then::kHangUp}});
    HttpConnection connection(peer.target, nullptr);
    const HttpRequest request = Get("/");
    const auto response = connection.Send(CallOf(request));
    EXPECT_EQ(response.status().code(), absl::StatusCode::kUnavailable);
    EXPECT_EQ(MessageOf(response),
              absl::StrCat("http://127.0.0.1:", peer.target.url.port, ": ", why));
    EXPECT_EQ(connection.has_received(), received) << reply;
  }
  EXPECT_TRUE(Ask("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello").ok());
}

TEST_F(HttpConnectionTest, APeerThatDoesNotListenIsToldByItsUrl) {
  NetworkTarget target;
  {
    Peer peer({});
    target = peer.target;
  }
  HttpConnection connection(target, nullptr);
  const HttpRequest request = Get("/");
  const auto response = connection.Send(CallOf(request));
  EXPECT_EQ(response.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(MessageOf(response),
              StartsWith(absl::StrCat("http://127.0.0.1:", target.url.port, ": ")));
  EXPECT_THAT(MessageOf(response), HasSubstr("refused"));
  EXPECT_FALSE(connection.IsReusable());
}

// What a sink was told, in order.
struct Told {
  StreamSink Sink(bool go_on) {
    return {[this] { lines.push_back("opened"); },
            [this, go_on](absl::string_view bytes) {
              lines.emplace_back(bytes);
              return go_on;
            }};
  }
  std::vector<std::string> lines;
};

TEST_F(HttpConnectionTest, ASinkGetsTheBodyOfA200AndTheResponseHasNone) {
  Told told;
  const StreamSink sink = told.Sink(true);
  const auto response =
      Ask("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", &sink);
  ASSERT_TRUE(response.ok()) << response.status();
  EXPECT_EQ(response->status, 200);
  EXPECT_EQ(response->body, "");
  EXPECT_THAT(told.lines, ElementsAre("opened", "abc"));
}

TEST_F(HttpConnectionTest, ASinkHearsNothingOfAnyOtherStatus) {
  Told told;
  const StreamSink sink = told.Sink(true);
  const auto response = Ask("HTTP/1.1 410 Gone\r\nContent-Length: 3\r\n\r\nold", &sink);
  ASSERT_TRUE(response.ok()) << response.status();
  EXPECT_EQ(response->status, 410);
  EXPECT_EQ(response->body, "old");
  EXPECT_TRUE(told.lines.empty());
}

TEST_F(HttpConnectionTest, ASinkThatWantsNoMoreEndsItAsCancelled) {
  Told told;
  const StreamSink sink = told.Sink(false);
  const auto response = Ask(
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n1\r\nb\r\n0\r\n\r\n", &sink);
  EXPECT_EQ(response.status().code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(told.lines.at(0), "opened");
  EXPECT_EQ(told.lines.size(), 2u) << "after false it is not called again";
}

TEST_F(HttpConnectionTest, SilenceAndTheTotalEndACallThatIsNotAnswered) {
  for (const bool silence : {true, false}) {
    Peer peer({{""}});
    HttpConnection connection(peer.target, nullptr);
    const HttpRequest request = Get("/");
    HttpCall call = CallOf(request);
    (silence ? call.limits.silence : call.limits.total) = absl::Milliseconds(20);
    const auto response = connection.Send(call);
    EXPECT_EQ(response.status().code(), absl::StatusCode::kDeadlineExceeded);
    EXPECT_THAT(MessageOf(response),
                EndsWith(silence ? "nothing came for 20ms" : "no end after 20ms"));
  }
}

TEST_F(HttpConnectionTest, CancellingEndsACallThatWaits) {
  Peer peer({{""}});
  HttpConnection connection(peer.target, nullptr);
  const HttpRequest request = Get("/");
  auto sent = std::async(std::launch::async, [&] { return connection.Send(CallOf(request)); });
  const absl::Time end = absl::Now() + absl::Seconds(30);
  while (peer.heard().empty() && absl::Now() < end) {
  }
  signal_.Cancel();
  EXPECT_EQ(sent.get().status().code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(peer.heard().size(), 1u) << "it was cancelled before it waited";
}

TEST_F(HttpConnectionTest, OverTlsTheBodyArrivesAndTheConnectionIsKept) {
  const TestCertificate authority = TestCertificate::Authority("authority");
  ApiTestServer server(authority.Sign({"server", "IP:127.0.0.1"}), authority);
  const auto tls = TlsContext::Create({authority.certificate_pem(), false, "", ""});
  ASSERT_TRUE(tls.ok()) << tls.status();
  NetworkTarget target;
  target.url.host = "127.0.0.1";
  target.url.port = server.port();
  HttpConnection connection(target, *tls);
  EXPECT_EQ(connection.tls(), tls->get());
  const HttpRequest request{"PATCH", "/echo", "text/x", "hello"};
  for (int i = 0; i < 2; ++i) {
    const auto response = connection.Send(CallOf(request));
    ASSERT_TRUE(response.ok()) << response.status();
    EXPECT_EQ(response->body, "PATCH /echo  text/x hello");
    EXPECT_TRUE(connection.IsReusable());
  }
  EXPECT_EQ(server.connections(), 1);
}

}  // namespace
}  // namespace gangpack::k8s
