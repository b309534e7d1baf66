#include "k8s/network_connection.h"

#include <sys/socket.h>
#include <unistd.h>

#include <future>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "k8s/cancel_signal.h"
#include "tests/unit/k8s/loopback_socket.h"

namespace gangpack::k8s {
namespace {

using ::testing::HasSubstr;

// Listens on a free port of loopback; the test plays the server on what it accepts.
class Listener {
 public:
  ~Listener() { Hangup(); }

  NetworkTarget Target() const { return socket_.Target(); }
  void Accept() { peer_ = socket_.Accept(); }
  void Say(const std::string& text) {
    EXPECT_EQ(send(peer_, text.data(), text.size(), 0), static_cast<ssize_t>(text.size()));
  }
  // All up to the empty line.
  std::string Hear() {
    std::string heard;
    char c = 0;
    while (!absl::StrContains(heard, "\r\n\r\n") && recv(peer_, &c, 1, 0) == 1) heard.push_back(c);
    return heard;
  }
  void Hangup() {
    if (peer_ >= 0) close(peer_);
    peer_ = -1;
  }

 private:
  LoopbackSocket socket_;
  int peer_ = -1;
};

class NetworkConnectionTest : public testing::Test {
 protected:
  NetworkConnectionTest() {
    connection_.SetLimits({absl::Seconds(30), absl::InfiniteDuration(), &signal_});
  }
  void Connect() {
    ASSERT_TRUE(connection_.Connect(listener_.Target(), nullptr, absl::Seconds(30)).ok());
    listener_.Accept();
  }

  Listener listener_;
  CancelSignal signal_;
  NetworkConnection connection_;
  char bytes_[100];
};

TEST_F(NetworkConnectionTest, ReadGivesWhatCameAndThenTheEnd) {
  Connect();
  EXPECT_TRUE(connection_.IsIdle());
  listener_.Say("hello");
  const absl::StatusOr<size_t> count = connection_.Read(bytes_, sizeof(bytes_));
  ASSERT_TRUE(count.ok());
  EXPECT_EQ(std::string(bytes_, *count), "hello");
  EXPECT_TRUE(connection_.has_received());
  listener_.Hangup();
  EXPECT_EQ(*connection_.Read(bytes_, sizeof(bytes_)), 0u);
  EXPECT_FALSE(connection_.IsIdle());
}

TEST_F(NetworkConnectionTest, SilenceEndsARead) {
  Connect();
  connection_.SetLimits({absl::Milliseconds(20), absl::Seconds(30), &signal_});
  const absl::Status status = connection_.Read(bytes_, sizeof(bytes_)).status();
  EXPECT_EQ(status, absl::DeadlineExceededError("nothing came for 20ms"));
}

TEST_F(NetworkConnectionTest, TheTotalEndsAReadThoughBytesKeepComing) {
  Connect();
  connection_.SetLimits({absl::Seconds(30), absl::Milliseconds(20), &signal_});
  listener_.Say("x");
  EXPECT_TRUE(connection_.Read(bytes_, sizeof(bytes_)).ok());
  const absl::Status status = connection_.Read(bytes_, sizeof(bytes_)).status();
  EXPECT_EQ(status, absl::DeadlineExceededError("no end after 20ms"));
}

TEST_F(NetworkConnectionTest, CancellingEndsAReadThatWaits) {
  Connect();
  auto read = std::async(std::launch::async,
                         [this] { return connection_.Read(bytes_, sizeof(bytes_)).status(); });
  signal_.Cancel();
  EXPECT_EQ(read.get().code(), absl::StatusCode::kCancelled);
}

TEST_F(NetworkConnectionTest, AWriteThatNobodyReadsEndsAtItsLimit) {
  Connect();
  connection_.SetLimits({absl::Milliseconds(20), absl::Seconds(30), &signal_});
  const absl::Status status = connection_.Write(std::string(64 << 20, 'x'));
  EXPECT_EQ(status.code(), absl::StatusCode::kDeadlineExceeded);
}

TEST_F(NetworkConnectionTest, AWriteToAPeerThatIsGoneIsAnErrorAndNoSignal) {
  Connect();
  listener_.Hangup();
  absl::Status status;
  for (int i = 0; i < 100 && status.ok(); ++i) status = connection_.Write(std::string(4096, 'x'));
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
}

TEST_F(NetworkConnectionTest, ANameThatIsNotKnownIsTold) {
  NetworkTarget target = listener_.Target();
  target.url.host = "no-such-name.invalid";
  const absl::Status status = connection_.Connect(target, nullptr, absl::Seconds(30));
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("the name no-such-name.invalid is not known"));
}

TEST_F(NetworkConnectionTest, AProxyIsAskedToConnectAndTellsWhereItDoesNot) {
  NetworkTarget target;
  target.url.host = "::1";
  target.url.port = 6443;
  target.proxy = listener_.Target().url;
  target.proxy->user_info = "me:secret";
  const auto connect_while = [&](const std::string& answer, std::string* heard) {
    auto connected = std::async(std::launch::async, [&] {
      return connection_.Connect(target, nullptr, absl::Seconds(30));
    });
    listener_.Accept();
    *heard = listener_.Hear();
    listener_.Say(answer);
    listener_.Hangup();
    return connected.get();
  };
  std::string heard;
  EXPECT_TRUE(connect_while("HTTP/1.1 200 Connection established\r\n\r\n", &heard).ok());
  EXPECT_EQ(heard,
            "CONNECT [::1]:6443 HTTP/1.1\r\nHost: [::1]:6443\r\n"
            "Proxy-Authorization: Basic bWU6c2VjcmV0\r\n\r\n");
  const absl::Status refused = connect_while("HTTP/1.1 403 Forbidden\r\n\r\n", &heard);
  EXPECT_THAT(std::string(refused.message()), HasSubstr("does not connect: 403 Forbidden"));
  const absl::Status nonsense = connect_while("hello", &heard);
  EXPECT_THAT(std::string(nonsense.message()), HasSubstr("its answer is not HTTP"));
}

}  // namespace
}  // namespace gangpack::k8s
