#include "k8s/https_transport.h"

#include <atomic>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "httplib.h"
#include "tests/unit/k8s/api_test_server.h"
#include "tests/unit/k8s/test_certificates.h"

namespace gangpack::k8s {
namespace {

using ::testing::HasSubstr;

class FakeClock final : public Clock {
 public:
  absl::Time Now() override { return now; }
  absl::Time now = absl::UnixEpoch();
};

// The passes that it is given, one after the other each time one is refused.
class Passes final : public Credentials {
 public:
  explicit Passes(std::vector<Pass> passes) : passes_(std::move(passes)) {}
  absl::StatusOr<Pass> Get(absl::Time) override { return passes_[next_]; }
  bool Refused(const Pass&) override {
    ++refusals;
    if (next_ + 1 < passes_.size()) ++next_;
    return true;
  }
  int refusals = 0;

 private:
  const std::vector<Pass> passes_;
  size_t next_ = 0;
};

class HttpsTransportTest : public testing::Test {
 protected:
  HttpsTransportTest()
      : authority_(TestCertificate::Authority("authority")),
        server_certificate_(authority_.Sign({"server", "IP:127.0.0.1,DNS:api.example"})),
        server_(server_certificate_, authority_) {}

  HttpsTransportOptions Options() const {
    HttpsTransportOptions options;
    options.target.url.host = "127.0.0.1";
    options.target.url.port = server_.port();
    options.ca_pem = authority_.certificate_pem();
    return options;
  }
  std::unique_ptr<HttpsTransport> Open(HttpsTransportOptions options, Credentials* credentials) {
    auto transport = HttpsTransport::Create(std::move(options), credentials, &clock_);
    EXPECT_TRUE(transport.ok()) << transport.status();
    return *std::move(transport);
  }
  static HttpRequest To(std::string target) {
    HttpRequest request;
    request.target = std::move(target);
    return request;
  }
  std::string Error(HttpsTransportOptions options) {
    const auto transport = Open(std::move(options), &anonymous_);
    const auto response = transport->Call(To("/echo"));
    EXPECT_EQ(response.status().code(), absl::StatusCode::kUnavailable);
    return std::string(response.status().message());
  }

  FakeClock clock_;
  FixedCredentials anonymous_{Pass{}};
  TestCertificate authority_;
  TestCertificate server_certificate_;
  ApiTestServer server_;
};

TEST_F(HttpsTransportTest, ACallCarriesItsBodyItsTypeAndTheAuthorization) {
  FixedCredentials credentials(Pass{"Bearer t", "", ""});
  const auto transport = Open(Options(), &credentials);
  const auto response = transport->Call({"PATCH", "/echo?a=b%20c", "text/x", "hello"});
  ASSERT_TRUE(response.ok()) << response.status();
  EXPECT_EQ(response->status, 200);
  EXPECT_EQ(response->body, "PATCH /echo?a=b%20c Bearer t text/x hello");
}

TEST_F(HttpsTransportTest, ThePathOfTheServerComesBeforeThatOfTheRequest) {
  HttpsTransportOptions options = Options();
  options.target.url.path = "/prefix";
  const auto response = Open(options, &anonymous_)->Call(To("/echo"));
  ASSERT_TRUE(response.ok()) << response.status();
  EXPECT_THAT(response->body, HasSubstr("GET /prefix/echo "));
}

TEST_F(HttpsTransportTest, AnyStatusIsAnAnswer) {
  const auto response = Open(Options(), &anonymous_)->Call(To("/busy"));
  ASSERT_TRUE(response.ok()) << response.status();
  EXPECT_EQ(response->status, 429);
  EXPECT_EQ(response->body, "later");
  EXPECT_EQ(response->retry_after, absl::Seconds(7));
}

TEST_F(HttpsTransportTest, AConnectionIsUsedAgain) {
  const auto transport = Open(Options(), &anonymous_);
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(transport->Call(To("/echo")).ok());
  EXPECT_EQ(server_.connections(), 1);
  EXPECT_EQ(transport->idle_connections(), 1u);
}

TEST_F(HttpsTransportTest, AConnectionThatWasIdleForTooLongIsNotUsedAgain) {
  const auto transport = Open(Options(), &anonymous_);
  ASSERT_TRUE(transport->Call(To("/echo")).ok());
  clock_.now += Options().idle_max;
  ASSERT_TRUE(transport->Call(To("/echo")).ok());
  EXPECT_EQ(server_.connections(), 1);
  clock_.now += Options().idle_max + absl::Nanoseconds(1);
  ASSERT_TRUE(transport->Call(To("/echo")).ok());
  EXPECT_EQ(server_.connections(), 2);
}

TEST_F(HttpsTransportTest, AConnectionThatTheServerClosedIsReplaced) {
  const auto transport = Open(Options(), &anonymous_);
  ASSERT_TRUE(transport->Call(To("/close")).ok());
  EXPECT_EQ(transport->idle_connections(), 0u);
  ASSERT_TRUE(transport->Call(To("/echo")).ok());
  server_.Restart();
  ASSERT_TRUE(transport->Call(To("/echo")).ok());
}

TEST_F(HttpsTransportTest, AServerThatIsAwayIsRefused) {
  HttpsTransportOptions options = Options();
  server_.Stop();
  EXPECT_EQ(Error(options),
            absl::StrCat("https://127.0.0.1:", server_.port(), ": Connection refused"));
}

TEST_F(HttpsTransportTest, AServerOfAnotherAuthorityIsNotTrusted) {
  HttpsTransportOptions options = Options();
  options.ca_pem = TestCertificate::Authority("another").certificate_pem();
  EXPECT_THAT(Error(options), HasSubstr("the certificate of the server is not trusted: "));
}

TEST_F(HttpsTransportTest, AServerWhoseCertificateHasExpiredIsNotTrusted) {
  server_.Stop();
  ApiTestServer expired(authority_.Sign({"server", "IP:127.0.0.1", /*days_valid=*/-1}), authority_);
  HttpsTransportOptions options = Options();
  options.target.url.port = expired.port();
  EXPECT_THAT(Error(options), HasSubstr("certificate has expired"));
}

TEST_F(HttpsTransportTest, TheCertificateMustHaveTheAddressOrTheName) {
  HttpsTransportOptions options = Options();
  options.target.tls_server_name = "127.0.0.2";
  EXPECT_THAT(Error(options), HasSubstr("IP address mismatch"));
  options.target.tls_server_name = "other.example";
  EXPECT_THAT(Error(options), HasSubstr("hostname mismatch"));
  options.target.tls_server_name = "api.example";
  EXPECT_TRUE(Open(options, &anonymous_)->Call(To("/echo")).ok());
}

TEST_F(HttpsTransportTest, AnyServerIsTrustedWhereThatIsAskedFor) {
  HttpsTransportOptions options = Options();
  options.ca_pem.clear();
  options.target.tls_server_name = "other.example";
  options.insecure_skip_verify = true;
  EXPECT_TRUE(Open(options, &anonymous_)->Call(To("/echo")).ok());
}

TEST_F(HttpsTransportTest, TheClientShowsItsCertificate) {
  const TestCertificate client = authority_.Sign({"somebody", ""});
  FixedCredentials credentials(Pass{"", client.certificate_pem(), client.key_pem()});
  const auto response = Open(Options(), &credentials)->Call(To("/who"));
  ASSERT_TRUE(response.ok()) << response.status();
  EXPECT_EQ(response->body, "somebody");
  EXPECT_EQ(Open(Options(), &anonymous_)->Call(To("/who"))->body, "nobody");
}

TEST_F(HttpsTransportTest, AnotherCertificateNeedsAnotherConnection) {
  const TestCertificate one = authority_.Sign({"one", ""});
  const TestCertificate two = authority_.Sign({"two", ""});
  Passes passes(
      {{"", one.certificate_pem(), one.key_pem()}, {"", two.certificate_pem(), two.key_pem()}});
  const auto transport = Open(Options(), &passes);
  EXPECT_EQ(transport->Call(To("/who"))->body, "one");
  passes.Refused({});
  EXPECT_EQ(transport->Call(To("/who"))->body, "two");
}

TEST_F(HttpsTransportTest, ARefusedTokenIsTriedAgainWhereItChanges) {
  Passes passes({{"Bearer old", "", ""}, {"Bearer good", "", ""}});
  const auto transport = Open(Options(), &passes);
  const auto response = transport->Call(To("/secret"));
  ASSERT_TRUE(response.ok()) << response.status();
  EXPECT_EQ(response->status, 200);
  EXPECT_EQ(passes.refusals, 1);
}

TEST_F(HttpsTransportTest, ARefusedTokenThatStaysTheSameIsToldAsItIs) {
  Passes passes({{"Bearer old", "", ""}});
  const auto response = Open(Options(), &passes)->Call(To("/secret"));
  ASSERT_TRUE(response.ok()) << response.status();
  EXPECT_EQ(response->status, 401);
  EXPECT_EQ(passes.refusals, 1);
}

TEST_F(HttpsTransportTest, SilenceEndsACall) {
  HttpsTransportOptions options = Options();
  options.silence_max = absl::Milliseconds(50);
  const auto response = Open(options, &anonymous_)->Call(To("/hang"));
  EXPECT_EQ(response.status().code(), absl::StatusCode::kDeadlineExceeded);
  EXPECT_THAT(std::string(response.status().message()), HasSubstr("nothing came for 50ms"));
}

TEST_F(HttpsTransportTest, AnAnswerThatIsCutOffIsAnError) {
  const auto response = Open(Options(), &anonymous_)->Call(To("/cut"));
  EXPECT_EQ(response.status().code(), absl::StatusCode::kUnavailable) << response.status();
}

TEST_F(HttpsTransportTest, AServerWithoutTlsIsRecognised) {
  httplib::Server plain;
  const int port = plain.bind_to_any_port("127.0.0.1");
  std::thread listening([&plain] { plain.listen_after_bind(); });
  while (!plain.is_running()) std::this_thread::yield();
  HttpsTransportOptions options = Options();
  options.target.url.port = port;
  EXPECT_THAT(Error(options), HasSubstr("(a server without TLS?)"));
  plain.stop();
  listening.join();
}

TEST_F(HttpsTransportTest, AStreamHandsOnWhatComesUntilItsEnd) {
  const auto transport = Open(Options(), &anonymous_);
  const auto stream = transport->OpenStream("/stream", absl::Seconds(30));
  int opened = 0;
  std::string received;
  const auto end = stream->Run({[&] { ++opened; },
                                [&](absl::string_view bytes) {
                                  EXPECT_EQ(opened, 1);
                                  received.append(bytes.data(), bytes.size());
                                  return true;
                                }});
  ASSERT_TRUE(end.ok()) << end.status();
  EXPECT_EQ(end->status, 200);
  EXPECT_EQ(end->body, "");
  EXPECT_EQ(received, "one\ntwo\n");
}

TEST_F(HttpsTransportTest, AStreamThatIsRefusedHasAnAnswerLikeACall) {
  const auto transport = Open(Options(), &anonymous_);
  const auto stream = transport->OpenStream("/busy", absl::Seconds(30));
  const auto end = stream->Run({[] { ADD_FAILURE() << "opened"; },
                                [](absl::string_view) {
                                  ADD_FAILURE() << "received";
                                  return true;
                                }});
  ASSERT_TRUE(end.ok()) << end.status();
  EXPECT_EQ(end->status, 429);
  EXPECT_EQ(end->body, "later");
}

TEST_F(HttpsTransportTest, AStreamThatFallsSilentEnds) {
  const auto transport = Open(Options(), &anonymous_);
  const auto stream = transport->OpenStream("/endless", absl::Milliseconds(50));
  const auto end = stream->Run({[] {}, [](absl::string_view) { return true; }});
  EXPECT_EQ(end.status().code(), absl::StatusCode::kDeadlineExceeded) << end.status();
}

TEST_F(HttpsTransportTest, AStreamEndsWhenItsReaderHasEnough) {
  const auto transport = Open(Options(), &anonymous_);
  const auto stream = transport->OpenStream("/endless", absl::Seconds(30));
  const auto end = stream->Run({[] {}, [](absl::string_view) { return false; }});
  EXPECT_EQ(end.status().code(), absl::StatusCode::kCancelled);
}

TEST_F(HttpsTransportTest, AStreamIsCancelledFromAnotherThread) {
  const auto transport = Open(Options(), &anonymous_);
  const auto stream = transport->OpenStream("/endless", absl::Hours(1));
  absl::Notification received;
  auto end = std::async(std::launch::async, [&] {
    return stream->Run({[] {},
                        [&](absl::string_view) {
                          received.Notify();
                          return true;
                        }});
  });
  received.WaitForNotification();
  stream->Cancel();
  EXPECT_EQ(end.get().status().code(), absl::StatusCode::kCancelled);
}

TEST_F(HttpsTransportTest, AStreamThatWasCancelledBeforeDoesNotBegin) {
  const auto transport = Open(Options(), &anonymous_);
  const auto stream = transport->OpenStream("/endless", absl::Hours(1));
  stream->Cancel();
  const auto end =
      stream->Run({[] { ADD_FAILURE() << "opened"; }, [](absl::string_view) { return true; }});
  EXPECT_EQ(end.status().code(), absl::StatusCode::kCancelled);
}

TEST_F(HttpsTransportTest, ShutdownEndsWhatGoesOnAndWhatComesLater) {
  const auto transport = Open(Options(), &anonymous_);
  ASSERT_TRUE(transport->Call(To("/echo")).ok());
  const auto stream = transport->OpenStream("/endless", absl::Hours(1));
  absl::Notification received;
  auto end = std::async(std::launch::async, [&] {
    return stream->Run({[] {},
                        [&](absl::string_view) {
                          received.Notify();
                          return true;
                        }});
  });
  auto call = std::async(std::launch::async, [&] { return transport->Call(To("/hang")); });
  received.WaitForNotification();
  transport->Shutdown();
  EXPECT_EQ(end.get().status().code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(call.get().status().code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(transport->Call(To("/echo")).status().code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(transport->idle_connections(), 0u);
}

TEST_F(HttpsTransportTest, ManyThreadsCallAtOnce) {
  const auto transport = Open(Options(), &anonymous_);
  std::atomic<int> good{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < 20; ++n) good += transport->Call(To("/echo")).ok() ? 1 : 0;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(good, 80);
  EXPECT_LE(transport->idle_connections(), 4u);
}

TEST_F(HttpsTransportTest, OptionsThatCannotWorkAreRefusedAtOnce) {
  HttpsTransportOptions options = Options();
  options.ca_pem = "nonsense";
  EXPECT_EQ(HttpsTransport::Create(options, &anonymous_, &clock_).status().code(),
            absl::StatusCode::kInvalidArgument);
  options = Options();
  options.target.url.tls = false;
  options.target.proxy = Url{};
  EXPECT_EQ(HttpsTransport::Create(options, &anonymous_, &clock_).status().code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace gangpack::k8s
