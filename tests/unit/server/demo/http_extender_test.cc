#include "server/demo/http_extender.h"

#include <map>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/http_server.h"
#include "server/mutex.h"
#include "tests/unit/server/extender_world.h"

namespace gangpack::server {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// What held binds are answered, by call.
class Answers {
 public:
  HttpExtender::BindAnswer Sink() {
    return [this](CallId call, const std::string& error) {
      const MutexLock lock(&mutex_);
      by_call_[call] = error;
      arrived_.Signal();
    };
  }

  std::map<CallId, std::string> Await(size_t count) {
    const MutexLock lock(&mutex_);
    arrived_.WaitFor(&mutex_, std::chrono::seconds(30), [this, count] {
      mutex_.AssertHeld();
      return by_call_.size() >= count;
    });
    return by_call_;
  }

 private:
  Mutex mutex_;
  CondVar arrived_;
  std::map<CallId, std::string> by_call_ ABSL_GUARDED_BY(mutex_);
};

PodObject PodOf(const std::string& name) {
  PodObject object;
  object.pod.uid.value = "u-" + name;
  object.pod.name = {"ns", name};
  return object;
}

ExtenderBind BindOf(CallId call, const std::string& pod, const std::string& node) {
  return {call, {"u-" + pod}, {"ns", pod}, node};
}

class HttpExtenderTest : public testing::Test {
 protected:
  HttpExtenderTest() : extender_(answers_.Sink()) {
    world_.AddNode("a1", "a");
    world_.AddNode("a2", "a");
    world_.AddGroup("g", 2);
    world_.AddPod("w-0", "g");
    world_.AddPod("w-1", "g");
    world_.AddPod("single", "");
    world_.Synchronise();
    server_ = *HttpServer::Start({}, &world_.driver, &world_.calls);
  }

  void Connect() {
    const std::string host = "http://127.0.0.1:";
    extender_.Connect(host + std::to_string(server_->filter_port()),
                      host + std::to_string(server_->bind_port()));
  }

  ExtenderWorld world_;
  Answers answers_;
  HttpExtender extender_;
  std::unique_ptr<HttpServer> server_;  // ends before the extender, whose binds it answers
};

TEST_F(HttpExtenderTest, CallsReachTheEngineAndItsAnswersComeBack) {
  Connect();
  const ExtenderFilterAnswer member = extender_.Filter(PodOf("w-0"), {"a1", "a2"});
  EXPECT_EQ(member.error, "");
  EXPECT_THAT(member.passed, SizeIs(1));
  const ExtenderFilterAnswer single = extender_.Filter(PodOf("single"), {"a1", "a2"});
  EXPECT_THAT(single.passed, IsEmpty());
  EXPECT_EQ(single.refused.begin()->second, "node is reserved for a forming gang");
  EXPECT_THAT(extender_.Prioritize(PodOf("single"), {"a1", "a2"}), SizeIs(2));
}

TEST_F(HttpExtenderTest, BindsStayOpenOnConnectionsOfTheirOwnUntilTheGangIsComplete) {
  Connect();
  const std::string node = extender_.Filter(PodOf("w-0"), {"a1", "a2"}).passed.front();
  extender_.Bind(BindOf(7, "w-0", node));
  const ExtenderFilterAnswer second = extender_.Filter(PodOf("w-1"), {"a1", "a2"});
  ASSERT_EQ(second.error, "") << "filter is answered while a bind is open";
  ASSERT_THAT(second.passed, SizeIs(1));
  extender_.Bind(BindOf(8, "w-1", second.passed.front()));
  EXPECT_THAT(answers_.Await(2), ElementsAre(std::pair(7, ""), std::pair(8, "")));
}

TEST_F(HttpExtenderTest, AServerThatStopsFailsTheOpenBinds) {
  Connect();
  extender_.Bind(BindOf(7, "w-0", "a1"));
  while (world_.calls.size() == 0) std::this_thread::yield();
  server_->Stop();
  EXPECT_THAT(answers_.Await(1)[7], HasSubstr("stopping"));
  EXPECT_THAT(extender_.Filter(PodOf("w-0"), {"a1"}).error, HasSubstr("no answer"));
  EXPECT_THAT(extender_.Prioritize(PodOf("w-0"), {"a1"}), IsEmpty());
}

TEST_F(HttpExtenderTest, BeforeConnectEveryCallFails) {
  EXPECT_THAT(extender_.Filter(PodOf("w-0"), {"a1"}).error, HasSubstr("not connected"));
  EXPECT_THAT(extender_.Prioritize(PodOf("w-0"), {"a1"}), IsEmpty());
}

}  // namespace
}  // namespace gangpack::server
