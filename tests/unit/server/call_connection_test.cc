// The stream alone, over a pair of connected sockets; what it does under the library is tested with
// the listener.
#include "server/call_connection.h"

#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <variant>

#include "gtest/gtest.h"
#include "server/body_budget.h"
#include "server/held_call.h"
#include "server/http_message.h"
#include "server/request_head.h"

namespace gangpack::server {
namespace {

class CallConnectionTest : public testing::Test {
 protected:
  CallConnectionTest() : stop_fd_(eventfd(0, EFD_CLOEXEC)) { Connect({}); }
  ~CallConnectionTest() override {
    HangUp();
    close(stop_fd_);
  }

  struct Times {
    std::chrono::milliseconds linger{30'000};
    std::chrono::milliseconds evicted{30'000};
  };
  void Connect(const Times& times) {
    HangUp();
    int pair[2];
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
    caller_ = pair[0];
    fcntl(pair[1], F_SETFL, O_NONBLOCK);
    connection_ = std::make_unique<CallConnection>(
        pair[1], stop_fd_,
        CallConnection::Limits{.body_bytes_max = 10,
                               .idle_timeout = std::chrono::milliseconds(30'000),
                               .head_timeout = std::chrono::milliseconds(30'000),
                               .request_timeout = std::chrono::milliseconds(30'000),
                               .write_timeout = std::chrono::milliseconds(30'000),
                               .linger_time = times.linger,
                               .evicted_grace = times.evicted},
        &bodies_);
  }

  void Send(std::string_view bytes) {
    EXPECT_EQ(write(caller_, bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  }
  // What one read gives.
  std::string Receive() {
    char bytes[1000];
    const ssize_t count = read(caller_, bytes, sizeof(bytes));
    return std::string(bytes, static_cast<size_t>(std::max<ssize_t>(count, 0)));
  }
  void HangUp() {
    if (caller_ >= 0) close(caller_);
    caller_ = -1;
  }
  void Stop() { EXPECT_EQ(eventfd_write(stop_fd_, 1), 0); }

  // Begins the request that the caller sends.
  void Begin(std::string_view head) {
    Send(head);
    ASSERT_TRUE(connection_->AwaitRequest());
    const auto received = connection_->ReceiveHead();
    ASSERT_TRUE(received.has_value());
    ASSERT_TRUE(std::holds_alternative<RequestHead>(*received));
    refusal_ = connection_->ReceiveBody(std::get<RequestHead>(*received));
    connection_->handled = true;
  }
  std::string ReadAll(size_t at_most) {
    std::string all;
    char bytes[7];  // Smaller than most of what comes.
    while (all.size() < at_most) {
      const ssize_t count = connection_->read(bytes, std::min(sizeof(bytes), at_most - all.size()));
      if (count <= 0) break;
      all.append(bytes, static_cast<size_t>(count));
    }
    return all;
  }

  int stop_fd_;
  int caller_ = -1;
  BodyBudget bodies_{0};
  std::unique_ptr<CallConnection> connection_;
  std::optional<RequestRefusal> refusal_;  // Of the body.
};

TEST_F(CallConnectionTest, TheLibraryReadsTheHeadAndTheBodyIsBesideIt) {
  Begin("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabcGET / HTTP/1.1\r\nHost: x\r\n");
  EXPECT_FALSE(refusal_.has_value());
  EXPECT_EQ(ReadAll(1000), "POST / HTTP/1.1\r\nContent-Length: 0\r\n\r\n");
  EXPECT_EQ(connection_->body(), "abc");
  EXPECT_TRUE(connection_->FinishRequest());
  EXPECT_TRUE(connection_->AwaitRequest());  // The next one has begun already.
}

TEST_F(CallConnectionTest, EmptyLinesBeforeARequestAreSkipped) {
  Begin("\r\n\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_EQ(ReadAll(1000), "GET / HTTP/1.1\r\nContent-Length: 0\r\n\r\n");
}

TEST_F(CallConnectionTest, WhatIsWrittenLeavesInOnePieceWhenTheRequestIsFinished) {
  Begin("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  connection_->write("head ", 5);
  connection_->write("body", 4);
  EXPECT_TRUE(connection_->FinishRequest());
  EXPECT_EQ(Receive(), "head body");
}

TEST_F(CallConnectionTest, ABodyIsAskedForWhereTheCallerWaitsForIt) {
  std::thread asked([this] {
    EXPECT_EQ(Receive(), "HTTP/1.1 100 Continue\r\n\r\n");
    Send("ab");
  });
  Begin("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n");
  asked.join();
  EXPECT_FALSE(refusal_.has_value());
  EXPECT_EQ(connection_->body(), "ab");
}

TEST_F(CallConnectionTest, ABodyThatIsThereIsNotAskedFor) {
  Begin("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\nab");
  connection_->write("answer", 6);
  EXPECT_TRUE(connection_->FinishRequest());
  EXPECT_EQ(Receive(), "answer");
}

TEST_F(CallConnectionTest, ACallerThatGoesAwayInItsBodyIsToldNothing) {
  Send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nab");
  ASSERT_TRUE(connection_->AwaitRequest());
  const auto head = connection_->ReceiveHead();
  ASSERT_TRUE(head.has_value());
  HangUp();
  const auto refusal = connection_->ReceiveBody(std::get<RequestHead>(*head));
  ASSERT_TRUE(refusal.has_value());
  EXPECT_EQ(refusal->status, 0);
}

TEST_F(CallConnectionTest, AChunkedBodyIsReadUpToTheLimitAndNoByteFurther) {
  Begin(
      "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n012\r\n7\r\n3456789\r\n"
      "0\r\n\r\nGET");
  EXPECT_FALSE(refusal_.has_value());
  EXPECT_EQ(connection_->body(), "0123456789");
  EXPECT_TRUE(connection_->FinishRequest());
  Begin(
      " / HTTP/1.1\r\nHost: x\r\n\r\nPOST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: "
      "chunked\r\n\r\nb\r\n");
  EXPECT_TRUE(connection_->FinishRequest());
  Begin("");
  ASSERT_TRUE(refusal_.has_value());
  EXPECT_EQ(refusal_->status, 413);
}

TEST_F(CallConnectionTest, AHeadUpToTheLimitIsReadAndALongerOneRefused) {
  const std::string begin = "GET / HTTP/1.1\r\nHost: x\r\nA: ";
  const std::string end = "\r\n\r\n";
  const size_t padding = kRequestHeadBytesMax - begin.size() - end.size();
  Begin(begin + std::string(padding, 'x') + end);
  ReadAll(1000);
  EXPECT_TRUE(connection_->FinishRequest());
  Send(begin + std::string(padding + 1, 'x') + end);
  ASSERT_TRUE(connection_->AwaitRequest());
  const auto refused = connection_->ReceiveHead();
  ASSERT_TRUE(refused.has_value() && std::holds_alternative<RequestRefusal>(*refused));
  EXPECT_EQ(std::get<RequestRefusal>(*refused).status, 431);
}

TEST_F(CallConnectionTest, ACallerThatGoesAwayEndsTheRequestWithoutARefusal) {
  Send("GET / HT");
  ASSERT_TRUE(connection_->AwaitRequest());
  HangUp();
  EXPECT_FALSE(connection_->ReceiveHead().has_value());
}

TEST_F(CallConnectionTest, NoRequestIsAwaitedOnceTheListenerStops) {
  Stop();
  EXPECT_FALSE(connection_->AwaitRequest());
}

TEST_F(CallConnectionTest, AnEvictedConnectionServesWhatHadArrived) {
  Send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  connection_->Evict();
  EXPECT_TRUE(connection_->AwaitRequest());
  EXPECT_TRUE(connection_->ReceiveHead().has_value());
  EXPECT_FALSE(connection_->AwaitRequest());
}

TEST_F(CallConnectionTest, AnEvictedConnectionReceivesNothingOnceItsTimeIsOver) {
  Connect({.evicted = std::chrono::milliseconds(0)});
  Send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  connection_->Evict();
  EXPECT_FALSE(connection_->AwaitRequest());
}

TEST_F(CallConnectionTest, EmptyLinesUpToTheLimitAreSkippedAndMoreAreNoRequest) {
  const std::string lines(CallConnection::kEmptyLineBytesMax, '\n');
  Send(lines + "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_TRUE(connection_->AwaitRequest());
  Connect({});
  Send(lines + "\nGET / HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_FALSE(connection_->AwaitRequest());
}

TEST_F(CallConnectionTest, ARefusalHasTheReasonOfItsStatus) {
  shutdown(caller_, SHUT_WR);
  connection_->Refuse({413, "no"});
  EXPECT_EQ(Receive(),
            "HTTP/1.1 413 Content Too Large\r\nConnection: close\r\nContent-Type: "
            "application/json\r\nContent-Length: 15\r\n\r\n{\"error\":\"no\"}\n");
}

// Sends until the other side has had enough.
std::thread EndlessSender(int fd) {
  return std::thread([fd] {
    const std::string bytes(4096, 'x');
    while (send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL) > 0) continue;
  });
}

TEST_F(CallConnectionTest, WhoNeverCeasesToSendIsReadForAWhileAfterARefusal) {
  Connect({.linger = std::chrono::milliseconds(50)});
  std::thread sender = EndlessSender(caller_);
  connection_->Refuse({413, "no"});  // It would go on for ever.
  connection_.reset();
  sender.join();
}

TEST_F(CallConnectionTest, AStopEndsTheReadingAfterARefusal) {
  Connect({.linger = std::chrono::hours(1)});
  std::thread sender = EndlessSender(caller_);
  Stop();
  connection_->Refuse({413, "no"});  // It would last an hour.
  connection_.reset();
  sender.join();
}

TEST_F(CallConnectionTest, AWaitEndsWithWhicheverComesFirst) {
  const std::shared_ptr<HeldCall> answered = *HeldCall::Create();
  EXPECT_TRUE(answered->Answer({}));
  EXPECT_EQ(connection_->Wait(*answered), HoldEnd::kAnswered);
  const std::shared_ptr<HeldCall> abandoned = *HeldCall::Create();
  HangUp();
  EXPECT_EQ(connection_->Wait(*abandoned), HoldEnd::kHungUp);
  EXPECT_FALSE(abandoned->Answer({}));
}

TEST_F(CallConnectionTest, AnAnswerThatIsThereWinsOverAHangUp) {
  const std::shared_ptr<HeldCall> call = *HeldCall::Create();
  EXPECT_TRUE(call->Answer({}));
  HangUp();
  EXPECT_EQ(connection_->Wait(*call), HoldEnd::kAnswered);
}

TEST_F(CallConnectionTest, AStopEndsAWait) {
  const std::shared_ptr<HeldCall> call = *HeldCall::Create();
  Stop();
  EXPECT_EQ(connection_->Wait(*call), HoldEnd::kStopping);
  EXPECT_FALSE(call->Answer({}));
}

}  // namespace
}  // namespace gangpack::server
