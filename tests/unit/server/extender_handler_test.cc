#include "server/extender_handler.h"

#include <poll.h>

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "core/engine.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/extender_codec.h"
#include "server/held_call.h"
#include "server/http_message.h"
#include "tests/unit/server/extender_world.h"

namespace gangpack::server {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Optional;
using ::testing::StartsWith;

// Waits as a connection does, or ends otherwise at once.
class ScriptedWaiter final : public CallWaiter {
 public:
  explicit ScriptedWaiter(HoldEnd end) : end_(end) {}

  HoldEnd Wait(HeldCall& call) override {
    if (end_ != HoldEnd::kAnswered) {
      return call.Abandon() ? end_ : HoldEnd::kAnswered;
    }
    pollfd answered = {call.answered_fd(), POLLIN, 0};
    EXPECT_EQ(poll(&answered, 1, 30'000), 1) << "no answer came";
    return HoldEnd::kAnswered;
  }

 private:
  const HoldEnd end_;
};

class ExtenderHandlerTest : public testing::Test {
 protected:
  ExtenderHandlerTest() {
    world_.AddNode("a1", "a");
    world_.AddNode("a2", "a");
    world_.AddNode("b1", "b");
  }

  std::string BindErrorOf(std::string_view pod, std::string_view node, HoldEnd end) {
    ScriptedWaiter waiter(end);
    const HttpAnswer answer = handler_.Bind(ExtenderWorld::BindBody(pod, node), waiter);
    EXPECT_EQ(answer.status, 200);
    const auto result = DecodeExtenderBindingResult(answer.body);
    EXPECT_TRUE(result.ok()) << answer.body;
    return result->error;
  }

  ExtenderWorld world_;
  const ExtenderHandler handler_{&world_.driver, &world_.calls};
};

TEST_F(ExtenderHandlerTest, BeforeTheFirstListsEveryNodeIsRefusedAndNothingFails) {
  world_.AddPod("p", "");
  const HttpAnswer answer = handler_.Filter(ExtenderWorld::ArgsBody("p", {"a1", "b1"}));
  EXPECT_EQ(answer.status, 200);
  const auto result = DecodeExtenderFilterResult(answer.body);
  ASSERT_TRUE(result.ok()) << answer.body;
  EXPECT_THAT(result->node_names, Optional(IsEmpty()));
  EXPECT_EQ(result->failed_and_unresolvable_nodes.size(), 1u);
  EXPECT_EQ(result->error, "");
}

TEST_F(ExtenderHandlerTest, AStandalonePodIsFiltered) {
  world_.AddPod("p", "");
  world_.Synchronise();
  const HttpAnswer answer = handler_.Filter(ExtenderWorld::ArgsBody("p", {"a1", "unheard-of"}));
  const auto result = DecodeExtenderFilterResult(answer.body);
  ASSERT_TRUE(result.ok()) << answer.body;
  EXPECT_THAT(result->node_names, Optional(ElementsAre("a1")));
}

TEST_F(ExtenderHandlerTest, AnUnknownPodIsRefusedWithAReasonThatNamesIt) {
  world_.Synchronise();
  const HttpAnswer answer = handler_.Filter(ExtenderWorld::ArgsBody("ghost", {"a1"}));
  EXPECT_EQ(answer.status, 200);
  const auto result = DecodeExtenderFilterResult(answer.body);
  ASSERT_TRUE(result.ok()) << answer.body;
  EXPECT_THAT(result->node_names, Optional(IsEmpty()));
  ASSERT_EQ(result->failed_and_unresolvable_nodes.size(), 1u);
  EXPECT_THAT(std::string(result->failed_and_unresolvable_nodes[0].reason),
              testing::HasSubstr("ns/ghost"));
  EXPECT_THAT(BindErrorOf("ghost", "a1", HoldEnd::kAnswered), testing::HasSubstr("ns/ghost"));
}

TEST_F(ExtenderHandlerTest, EachOfferedNodeGetsAScoreFrom0To10) {
  world_.AddPod("p", "");
  world_.Synchronise();
  const HttpAnswer answer = handler_.Prioritize(ExtenderWorld::ArgsBody("p", {"a1", "b1"}));
  EXPECT_EQ(answer.status, 200);
  const auto list = DecodeHostPriorityList(answer.body);
  ASSERT_TRUE(list.ok()) << answer.body;
  ASSERT_EQ(list->hosts.size(), 2u);
  EXPECT_EQ(list->hosts[0].host, "a1");
  EXPECT_EQ(list->hosts[1].host, "b1");
  for (const HostPriority& host : list->hosts) {
    EXPECT_GE(host.score, 0);
    EXPECT_LE(host.score, 10);
  }
}

TEST_F(ExtenderHandlerTest, AStandalonePodIsBoundBeforeItsCallIsAnswered) {
  world_.AddPod("p", "");
  world_.Synchronise();
  EXPECT_EQ(BindErrorOf("p", "b1", HoldEnd::kAnswered), "");
  EXPECT_THAT(world_.Bindings(), ElementsAre("p on b1"));
  EXPECT_EQ(world_.calls.size(), 0u);
}

TEST_F(ExtenderHandlerTest, AnUnknownNodeIsABindErrorThatSaysSo) {
  world_.AddPod("p", "");
  world_.Synchronise();
  EXPECT_THAT(BindErrorOf("p", "unheard-of", HoldEnd::kAnswered),
              testing::HasSubstr("node unheard-of is not known yet"));
  EXPECT_THAT(world_.Bindings(), IsEmpty());
}

TEST_F(ExtenderHandlerTest, ARefusedBindingIsABindError) {
  world_.AddPod("p", "");
  world_.Synchronise();
  world_.FailNextBinding("the API server said no");
  EXPECT_THAT(BindErrorOf("p", "b1", HoldEnd::kAnswered),
              testing::HasSubstr("the API server said no"));
}

TEST_F(ExtenderHandlerTest, ACallerThatHangsUpNoLongerWaitsAndMayComeBack) {
  world_.AddGroup("g", 2);
  world_.AddPod("g-0", "g");
  world_.AddPod("g-1", "g");
  world_.Synchronise();
  const HttpAnswer filter = handler_.Filter(ExtenderWorld::ArgsBody("g-0", {"a1", "a2", "b1"}));
  const auto result = DecodeExtenderFilterResult(filter.body);
  ASSERT_TRUE(result.ok() && result->node_names.has_value()) << filter.body;
  ASSERT_EQ(result->node_names->size(), 1u) << filter.body;
  const std::string node(result->node_names->front());
  EXPECT_EQ(BindErrorOf("g-0", node, HoldEnd::kHungUp), "the caller hung up");
  EXPECT_EQ(world_.calls.size(), 0u);
  for (const ReservationView& reservation : world_.driver.Reservations()) {
    EXPECT_THAT(reservation.waiters, IsEmpty());
  }
  EXPECT_EQ(BindErrorOf("g-0", node, HoldEnd::kStopping), "the scheduler extender is stopping");
  EXPECT_THAT(world_.Bindings(), IsEmpty());
}

TEST_F(ExtenderHandlerTest, ABodyThatCannotBeReadIsA400ThatNamesTheField) {
  ScriptedWaiter waiter(HoldEnd::kAnswered);
  EXPECT_EQ(handler_.Filter("{}").status, 400);
  EXPECT_EQ(handler_.Filter("{}").body, "{\"error\":\"Pod: expected an object, found null\"}\n");
  EXPECT_EQ(handler_.Prioritize("[").status, 400);
  EXPECT_THAT(handler_.Prioritize("[").body, StartsWith("{\"error\":\"not JSON"));
  EXPECT_EQ(handler_.Bind(R"({"PodName":1})", waiter).status, 400);
  EXPECT_EQ(handler_.Bind(R"({"PodName":1})", waiter).body,
            "{\"error\":\"PodName: expected a non-empty string, found a number\"}\n");
  EXPECT_EQ(world_.calls.size(), 0u);
}

}  // namespace
}  // namespace gangpack::server
