#include "server/kubernetes/watch_loop.h"

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/server/kubernetes/scripted_transport.h"

namespace gangpack::server {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

constexpr char kPath[] = "/api/v1/namespaces";

std::string Space(const std::string& name, int version) {
  return absl::StrCat(R"({"metadata":{"name":")", name, R"(","uid":"u-)", name,
                      R"(","resourceVersion":")", version, R"("}})");
}

k8s::HttpResponse List(const std::string& items, int version, const std::string& more = "") {
  return {
      200,
      absl::StrCat(R"({"kind":"NamespaceList","apiVersion":"v1","metadata":{"resourceVersion":")",
                   version, R"(","continue":")", more, R"("},"items":[)", items, "]}"),
      {}};
}

std::string Frame(const std::string& type, const std::string& object) {
  return absl::StrCat(R"({"type":")", type, R"(","object":)", object, "}\n");
}

class WatchLoopTest : public testing::Test {
 protected:
  ~WatchLoopTest() override { Stop(); }

  void Start(absl::Duration backoff = absl::Milliseconds(1)) {
    WatchLoop::Options options;
    options.reflector.type = k8s::ResourceType::kNamespaces;
    options.reflector.backoff = {backoff, backoff, absl::Seconds(10)};
    loop_ = std::make_unique<WatchLoop>(
        options, &client_, &clock_,
        WatchLoop::Callbacks{.changes =
                                 [this](std::vector<Fact> facts) {
                                   for (const Fact& fact : facts) Tell(fact);
                                 },
                             .synchronised = [this] { Tell("synchronised"); },
                             .report = [this](const std::string& report) { Tell(report); }});
    loop_->Start();
  }

  void Stop() {
    transport_.Shutdown();
    if (loop_ != nullptr) loop_->Stop();
  }

  void Tell(const Fact& fact) {
    if (const auto* changed = std::get_if<NamespaceChanged>(&fact)) {
      Tell("+" + changed->object.name);
    } else {
      Tell("-" + std::get<NamespaceGone>(fact).name);
    }
  }
  void Tell(std::string text) {
    const MutexLock lock(&mutex_);
    told_.push_back(std::move(text));
    changed_.SignalAll();
  }

  // What was told, once it is so many.
  std::vector<std::string> Told(size_t count) {
    const MutexLock lock(&mutex_);
    changed_.WaitFor(&mutex_, std::chrono::seconds(30), [&] {
      mutex_.AssertHeld();
      return told_.size() >= count;
    });
    return told_;
  }

  k8s::SystemClock clock_;
  ScriptedTransport transport_;
  k8s::ApiClient client_{&transport_};
  Mutex mutex_;
  CondVar changed_;
  std::vector<std::string> told_ ABSL_GUARDED_BY(mutex_);
  std::unique_ptr<WatchLoop> loop_;
};

TEST_F(WatchLoopTest, PagesAreHandedOnThenSynchronisedThenTheWatchFromTheListsVersion) {
  transport_.Script(List(Space("a", 1), 5, "next"));
  transport_.Script(List(Space("b", 2), 5));
  Start();
  ASSERT_TRUE(transport_.AwaitStreams(kPath, 1));
  EXPECT_THAT(Told(3), ElementsAre("+a", "+b", "synchronised"));
  EXPECT_THAT(transport_.Calls(), ElementsAre("GET /api/v1/namespaces?limit=500",
                                              "GET /api/v1/namespaces?limit=500&continue=next"));
  EXPECT_THAT(transport_.Streams().front(), HasSubstr("resourceVersion=5&"));
  transport_.Feed(kPath, Frame("ADDED", Space("c", 6)) + Frame("DELETED", Space("a", 7)));
  EXPECT_THAT(Told(5), ElementsAre("+a", "+b", "synchronised", "+c", "-a"));
}

TEST_F(WatchLoopTest, AnEventThatComesInPiecesIsOneEvent) {
  transport_.Script(List("", 5));
  Start();
  const std::string frame = Frame("ADDED", Space("c", 6));
  transport_.Feed(kPath, frame.substr(0, 20));
  transport_.Feed(kPath, frame.substr(20));
  EXPECT_THAT(Told(2), ElementsAre("synchronised", "+c"));
}

TEST_F(WatchLoopTest, AWatchThatEndsIsResumedFromWhatItShowed) {
  transport_.Script(List("", 5));
  Start();
  transport_.Feed(kPath, Frame("ADDED", Space("c", 8)));
  transport_.End(kPath);
  ASSERT_TRUE(transport_.AwaitStreams(kPath, 2));
  EXPECT_THAT(transport_.Streams().back(), HasSubstr("resourceVersion=8&"));
}

TEST_F(WatchLoopTest, AnExpiredVersionIsFollowedByAListAndItsDifferences) {
  transport_.Script(List(absl::StrCat(Space("a", 1), ",", Space("b", 2)), 5));
  transport_.Script(List(absl::StrCat(Space("b", 2), ",", Space("c", 9)), 9));
  transport_.RefuseStream(kPath, k8s::HttpResponse{410, "", {}});
  Start();
  ASSERT_TRUE(transport_.AwaitStreams(kPath, 2));
  EXPECT_THAT(Told(5), ElementsAre("+a", "+b", "synchronised", "+c", "-a"));
  EXPECT_EQ(loop_->Health().lists_total, 2);
}

TEST_F(WatchLoopTest, TroubleIsReportedOnceToldByHealthAndTriedAgain) {
  const std::string refused = R"({"kind":"Status","reason":"Forbidden","message":"not allowed"})";
  for (int i = 0; i < 3; ++i) transport_.Script(k8s::HttpResponse{403, refused, {}});
  transport_.Script(absl::UnavailableError("connection refused"));
  transport_.SetHandler([](const k8s::HttpRequest&) { return List("", 5); });
  Start();
  EXPECT_THAT(Told(3),
              ElementsAre(AllOf(StartsWith("list of namespaces: "), HasSubstr("not allowed")),
                          HasSubstr("connection refused"), "synchronised"));
  ASSERT_TRUE(transport_.AwaitStreams(kPath, 1));
  const WatchHealth health = loop_->Health();
  EXPECT_EQ(health.resource, "namespaces");
  EXPECT_TRUE(health.synchronised);
  EXPECT_EQ(health.trouble, "");
}

TEST_F(WatchLoopTest, WhatIsForbiddenIsNotSynchronisedAndHealthSaysWhy) {
  transport_.SetHandler([](const k8s::HttpRequest&) {
    return k8s::HttpResponse{403, R"({"kind":"Status","reason":"Forbidden","message":"no"})", {}};
  });
  const absl::Time begin = absl::Now();
  Start();
  ASSERT_TRUE(transport_.AwaitCalls(3));
  const WatchHealth health = loop_->Health();
  EXPECT_FALSE(health.synchronised);
  EXPECT_EQ(health.trouble, "no (HTTP 403 Forbidden)");
  EXPECT_LE(health.last_contact, absl::Now());
  EXPECT_GE(health.last_contact, begin);
}

TEST_F(WatchLoopTest, StopEndsAnOpenWatchAtOnceAndIsNoTrouble) {
  transport_.Script(List("", 5));
  Start();
  transport_.Feed(kPath, Frame("ADDED", Space("c", 6)));
  ASSERT_EQ(Told(2).size(), 2u);
  loop_->Stop();
  EXPECT_EQ(transport_.cancelled(), 1u);
  EXPECT_THAT(Told(2), ElementsAre("synchronised", "+c"));
}

TEST_F(WatchLoopTest, StopEndsAWaitAtOnce) {
  Start(absl::Hours(1));
  ASSERT_TRUE(transport_.AwaitCalls(1));
  Told(1);  // that the list failed
  const absl::Time begin = absl::Now();
  loop_->Stop();
  EXPECT_LT(absl::Now() - begin, absl::Seconds(20));
  EXPECT_EQ(transport_.Calls().size(), 1u);
}

TEST_F(WatchLoopTest, NothingIsAskedForOnceItHasStopped) {
  Start(absl::Hours(1));
  Told(1);
  loop_->Stop();
  EXPECT_THAT(transport_.Streams(), IsEmpty());
  loop_->Stop();
}

}  // namespace
}  // namespace gangpack::server
