#include "server/effect_executor.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/held_call.h"
#include "server/mutex.h"
#include "tests/unit/server/extender_world.h"

namespace gangpack::server {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Writes down what it is asked for, and refuses bindings if told so.
class NotedWrites final : public ClusterWriter {
 public:
  explicit NotedWrites(absl::Status bind_status = absl::OkStatus())
      : bind_status_(std::move(bind_status)) {}

  absl::Status Bind(const BindPod& bind) override {
    Note(bind.uid, absl::StrCat("bind to ", bind.node));
    return bind_status_;
  }
  absl::Status Wake(const WakePod& wake) override {
    Note(wake.uid, "wake");
    return absl::NotFoundError("gone");
  }
  absl::Status Clear(const ClearNomination& clear) override {
    Note(clear.uid, "clear");
    return absl::OkStatus();
  }

  std::vector<std::string> Of(const std::string& uid) {
    const MutexLock lock(&mutex_);
    return notes_[uid];
  }

 private:
  void Note(const PodUid& uid, std::string what) {
    const MutexLock lock(&mutex_);
    notes_[uid.value].push_back(std::move(what));
  }

  const absl::Status bind_status_;
  Mutex mutex_;
  std::map<std::string, std::vector<std::string>> notes_ ABSL_GUARDED_BY(mutex_);
};

WakePod Wake(const std::string& uid) { return {{uid}, {"ns", uid}}; }
ClearNomination Clear(const std::string& uid) { return {{uid}, {"ns", uid}}; }
BindPod Bind(const std::string& uid, const std::string& node) { return {{uid}, {"ns", uid}, node}; }
GangTransition Transition(const std::string& text) {
  GangTransition transition;
  transition.text = text;
  return transition;
}

// An executor in front of an engine that knows no pods.
struct Rig {
  explicit Rig(size_t lanes, absl::Status bind_status = absl::OkStatus())
      : writes(std::move(bind_status)),
        executor({.cluster = &writes,
                  .calls = &calls,
                  .on_transition =
                      [this](const GangTransition& transition) {
                        const MutexLock lock(&mutex);
                        transitions.push_back(transition.text);
                      },
                  .lanes = lanes}),
        driver(Policy(), &clock, &executor) {}

  Mutex mutex;
  std::vector<std::string> transitions;
  ManualClock clock;
  NotedWrites writes;
  HeldCalls calls;
  EffectExecutor executor;
  EngineDriver driver;
};

TEST(EffectExecutorTest, EffectsOnOnePodAreCarriedOutInOrderWhateverTheNumberOfLanes) {
  for (const size_t lanes : {1, 2, 5}) {
    Rig rig(lanes);
    rig.executor.Start(&rig.driver);
    for (int round = 0; round < 20; ++round) {
      for (const std::string uid : {"a", "b", "c", "d"}) {
        rig.executor.Push({Clear(uid)});
        rig.executor.Push({Bind(uid, absl::StrCat("n", round))});
      }
    }
    rig.executor.AwaitIdle();
    for (const std::string uid : {"a", "b", "c", "d"}) {
      const std::vector<std::string> notes = rig.writes.Of(uid);
      ASSERT_EQ(notes.size(), 40u) << lanes << " lanes, pod " << uid;
      for (int round = 0; round < 20; ++round) {
        EXPECT_EQ(notes[2 * round], "clear");
        EXPECT_EQ(notes[2 * round + 1], absl::StrCat("bind to n", round));
      }
    }
  }
}

TEST(EffectExecutorTest, WhatIsQueuedIsDoneBeforeWakesAndAPodIsWokenOnceForAllOfItsQueuedWakes) {
  Rig rig(1);
  std::vector<std::string> told;
  EffectExecutor executor(
      {.cluster = &rig.writes, .calls = &rig.calls, .on_effect = [&](const Effect& effect) {
         if (const auto* wake = std::get_if<WakePod>(&effect)) {
           told.push_back("wake " + wake->uid.value);
         } else {
           told.push_back(absl::StrCat(effect.index()));
         }
       }});
  executor.Push({Wake("a"), Wake("b"), Wake("a"), Clear("a"), Bind("c", "n1"), Wake("a")});
  executor.Start(&rig.driver);
  executor.AwaitIdle();
  EXPECT_THAT(told, ElementsAre("3", "0", "wake a", "wake b"));
  executor.Push({Wake("a")});
  executor.AwaitIdle();
  EXPECT_THAT(told, ElementsAre("3", "0", "wake a", "wake b", "wake a")) << "that one was sent";
}

TEST(EffectExecutorTest, APodThatIsBeingBoundIsNotWokenForWhatCameBefore) {
  Rig rig(2);
  rig.executor.Push({Wake("a"), Bind("a", "n1"), Wake("b")});
  rig.executor.Push({Wake("b"), Bind("b", "n1"), Wake("b")});
  rig.executor.Start(&rig.driver);
  rig.executor.AwaitIdle();
  EXPECT_THAT(rig.writes.Of("a"), ElementsAre("bind to n1"));
  EXPECT_THAT(rig.writes.Of("b"), ElementsAre("bind to n1", "wake"));
}

TEST(EffectExecutorTest, AwaitingIdlenessEndsWhenTheTimeIsOver) {
  Rig rig(2);
  EXPECT_TRUE(rig.executor.AwaitIdleFor(absl::ZeroDuration()));
  rig.executor.Push({Clear("a")});
  EXPECT_FALSE(rig.executor.AwaitIdleFor(absl::Milliseconds(1)));
  rig.executor.Start(&rig.driver);
  EXPECT_TRUE(rig.executor.AwaitIdleFor(absl::Seconds(30)));
}

TEST(EffectExecutorTest, TransitionsAreToldInOrder) {
  Rig rig(3);
  rig.executor.Start(&rig.driver);
  rig.executor.Push({Transition("1"), Wake("a"), Transition("2")});
  rig.executor.Push({Transition("3")});
  rig.executor.AwaitIdle();
  EXPECT_THAT(rig.transitions, ElementsAre("1", "2", "3"));
}

TEST(EffectExecutorTest, ListenersAreToldOfEveryEffectAndOfWhatCameOfBindings) {
  Rig rig(1, absl::AbortedError("not now"));
  std::vector<std::string> told;
  EffectExecutor executor(
      {.cluster = &rig.writes,
       .calls = &rig.calls,
       .on_effect = [&](const Effect& effect) { told.push_back(absl::StrCat(effect.index())); },
       .on_bound =
           [&](const BindPod& bind, const absl::Status& status) {
             told.push_back(absl::StrCat(bind.node, ": ", status.message()));
           }});
  executor.Start(&rig.driver);
  executor.Push({Wake("a"), Bind("b", "n1"), Transition("1")});
  executor.AwaitIdle();
  EXPECT_THAT(told, ElementsAre("0", "n1: not now", "5", "2"));
}

TEST(EffectExecutorTest, WithoutAListenerTransitionsAreDropped) {
  Rig rig(1);
  EffectExecutor executor({.cluster = &rig.writes, .calls = &rig.calls, .on_transition = {}});
  executor.Start(&rig.driver);
  executor.Push({Transition("1"), Wake("a")});
  executor.AwaitIdle();
  EXPECT_THAT(rig.writes.Of("a"), ElementsAre("wake"));
}

TEST(EffectExecutorTest, NothingIsCarriedOutBeforeStartAndStopCarriesOutTheRest) {
  Rig rig(2);
  rig.executor.Push({Wake("a"), Clear("a")});
  EXPECT_THAT(rig.writes.Of("a"), ElementsAre());
  rig.executor.Start(&rig.driver);
  rig.executor.Stop();
  EXPECT_THAT(rig.writes.Of("a"), ElementsAre("clear", "wake"));
}

TEST(EffectExecutorTest, WhatComesAfterStopIsDropped) {
  Rig rig(2);
  rig.executor.Start(&rig.driver);
  rig.executor.Push({Wake("a")});
  rig.executor.Stop();
  rig.executor.Push({Clear("a")});
  rig.executor.AwaitIdle();
  rig.executor.Stop();
  EXPECT_THAT(rig.writes.Of("a"), ElementsAre("wake"));
}

// A standalone pod's bind call, down to the answer that its caller reads.
std::string BodyOfBindAnswer(Rig& rig) {
  Node node;
  node.name = "n1";
  node.allocatable = {{"cpu", 1000}, {"pods", 10}};
  Pod pod;
  pod.uid.value = "u";
  pod.name = {"ns", "p"};
  pod.scheduler_name = Policy().scheduler_name;
  rig.executor.Start(&rig.driver);
  rig.driver.Apply({NodeChanged{node}, PodChanged{pod}, Synchronised{}});
  rig.executor.AwaitIdle();
  const auto call = HeldCall::Create();
  EXPECT_TRUE(call.ok());
  const CallId id = rig.calls.Add(*call);
  rig.driver.Bind({.call = id, .uid = pod.uid, .pod = pod.name, .node = "n1"});
  rig.executor.AwaitIdle();
  const std::optional<HttpAnswer> answer = (*call)->TakeAnswer();
  return answer.has_value() ? answer->body : "";
}

TEST(EffectExecutorTest, ABindingThatIsDoneAnswersTheHeldCallWithSuccess) {
  for (const size_t lanes : {1, 3}) {
    Rig rig(lanes);
    EXPECT_EQ(BodyOfBindAnswer(rig), R"({"Error":""})");
    EXPECT_THAT(rig.writes.Of("u"), ElementsAre("wake", "bind to n1"));
  }
}

TEST(EffectExecutorTest, ABindingThatIsRefusedAnswersTheHeldCallWithTheReason) {
  for (const size_t lanes : {1, 3}) {
    Rig rig(lanes, absl::FailedPreconditionError("pod p is being deleted"));
    EXPECT_THAT(BodyOfBindAnswer(rig), HasSubstr("pod p is being deleted"));
  }
}

}  // namespace
}  // namespace gangpack::server
