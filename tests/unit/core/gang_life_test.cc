// What happens in a gang's life: hold, permit wait, completion, failure, wakes.
#include "core/gang_life.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/engine_world.h"
#include "tests/support/object_builders.h"

namespace gangpack {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

constexpr char kUnwound[] = "gang ns/g unwound after a member failed to schedule";

TEST(Hold, BeginsWhenTheLastMemberExistsAndEndsWhenTheLastMemberHasANode) {
  EngineWorld world;
  world.AddRack("a", 2);
  world.Set(PodGroupBuilder("g", 2).Build());
  world.AddMembers("g", 0, 0);
  EXPECT_EQ(world.Holds(), "");
  world.AddMembers("g", 1, 1);
  EXPECT_EQ(world.Holds(), "a:g");
  world.HoldBindings(true);
  world.Schedule("g-0");
  EXPECT_EQ(world.Holds(), "a:g");
  world.Schedule("g-1");
  EXPECT_EQ(world.Holds(), "") << "the bindings have not returned yet";
  EXPECT_THAT(world.TakeBindings(), ElementsAre("g-0@a-1", "g-1@a-2"));
}

TEST(Hold, KeepsOtherGangsOutOfNodesTheGangDoesNotNeed) {
  EngineWorld world;
  world.AddRack("a", 4);
  world.AddGang("g", 2);
  world.AddGang("h", 2);
  EXPECT_EQ(world.Holds(), "a:g");
  EXPECT_EQ(world.Filter("h-0"),
            "refused: no domain has room for gang ns/h: every fitting domain is reserved for a "
            "forming gang");
  world.ScheduleMembers("g", 0, 1);
  EXPECT_EQ(world.Holds(), "a:h");
  EXPECT_THAT(world.TakeWoken(), ElementsAre("h-0"));
}

TEST(Permit, NobodyIsBoundBeforeTheGangIsCompleteAndThenAllAre) {
  EngineWorld world;
  world.AddRack("a", 3);
  world.AddGang("g", 3);
  const CallId first = world.Schedule("g-0");
  const CallId second = world.Schedule("g-1");
  EXPECT_EQ(world.AnswerTo(first), "held");
  EXPECT_THAT(world.TakeBindings(), IsEmpty());
  EXPECT_EQ(world.ViewOf("g").placed, 2);
  const CallId third = world.Schedule("g-2");
  EXPECT_THAT(world.TakeBindings(), ElementsAre("g-0@a-1", "g-1@a-2", "g-2@a-3"));
  for (const CallId call : {first, second, third}) EXPECT_EQ(world.AnswerTo(call), "bound");
  EXPECT_EQ(world.ViewOf("g").state, GangState::kComplete);
}

TEST(Permit, ACallIsAnsweredOnlyAfterItsOwnPodIsBound) {
  EngineWorld world;
  world.AddRack("a", 2);
  world.AddGang("g", 2);
  world.HoldBindings(true);
  const CallId first = world.Schedule("g-0");
  const CallId second = world.Schedule("g-1");
  world.FinishBinding("g-1", "");
  EXPECT_EQ(world.AnswerTo(second), "bound");
  EXPECT_EQ(world.AnswerTo(first), "held");
  world.FinishBinding("g-0", "");
  EXPECT_EQ(world.AnswerTo(first), "bound");
}

TEST(Permit, AWaitingMemberThatAsksTwiceIsCountedOnce) {
  EngineWorld world;
  world.AddRack("a", 4);
  world.AddGang("g", 4);
  const CallId first = world.Schedule("g-0");
  world.Schedule("g-1");
  const CallId again = world.Bind("g-0", "a-1");
  EXPECT_EQ(world.AnswerTo(first), "another bind call for pod ns/g-0 took over the wait");
  EXPECT_EQ(world.AnswerTo(again), "held");
  EXPECT_EQ(world.ViewOf("g").placed, 2);
  world.Schedule("g-0");
  world.Schedule("g-1");
  EXPECT_EQ(world.ViewOf("g").placed, 2);
  EXPECT_THAT(world.TakeBindings(), IsEmpty());
}

TEST(Timeout, EndsTheWaitAtTheDeadlineAndNotANanosecondBefore) {
  EngineWorld world;
  world.AddRack("a", 2);
  world.AddGang("g", 2);
  const CallId call = world.Schedule("g-0");
  EXPECT_EQ(world.engine().NextDeadline(), world.now() + absl::Seconds(600));
  world.Advance(absl::Seconds(600) - absl::Nanoseconds(1));
  EXPECT_EQ(world.AnswerTo(call), "held");
  EXPECT_EQ(world.Holds(), "a:g");
  world.Advance(absl::Nanoseconds(1));
  EXPECT_EQ(world.AnswerTo(call), kUnwound);
  EXPECT_EQ(world.Holds(), "");
  EXPECT_EQ(world.engine().NextDeadline(), absl::InfiniteFuture());
}

TEST(Timeout, CountsFromTheArrivalOfTheMemberThatWaitsLongest) {
  EngineWorld world;
  world.AddRack("a", 3);
  world.AddGang("g", 3);
  world.Advance(absl::Seconds(100));
  const CallId first = world.Schedule("g-0");
  world.Advance(absl::Seconds(500));
  const CallId second = world.Schedule("g-1");
  world.Advance(absl::Seconds(100) - absl::Nanoseconds(1));
  EXPECT_EQ(world.AnswerTo(first), "held");
  world.Advance(absl::Nanoseconds(1));
  EXPECT_EQ(world.AnswerTo(first), kUnwound);
  EXPECT_EQ(world.AnswerTo(second), kUnwound);
}

TEST(Timeout, IsThePodGroupsOwnIfItIsAboveZeroAndTheDefaultOtherwise) {
  struct Case {
    std::optional<int64_t> seconds;
    int64_t expected;
  };
  for (const Case& c :
       {Case{1, 1}, Case{7200, 7200}, Case{0, 600}, Case{-5, 600}, Case{std::nullopt, 600}}) {
    EngineWorld world;
    world.AddRack("a", 2);
    world.AddGang("g", 2);
    world.Set(PodGroupBuilder("g", 2).TimeoutSeconds(c.seconds).Build());
    world.Schedule("g-0");
    EXPECT_EQ(world.engine().NextDeadline(), world.now() + absl::Seconds(c.expected));
  }
}

TEST(Timeout, EndsAHoldWhoseMembersNeverCome) {
  EngineWorld world;
  world.AddRack("a", 2);
  world.AddGang("g", 2);
  world.TakeTransitions();
  world.Advance(absl::Seconds(600) - absl::Nanoseconds(1));
  EXPECT_EQ(world.Holds(), "a:g");
  world.Advance(absl::Nanoseconds(1));
  EXPECT_EQ(world.Holds(), "");
  EXPECT_THAT(world.TakeTransitions(), ElementsAre("Released g a"));
  EXPECT_EQ(world.ViewOf("g").state, GangState::kBlocked);
}

TEST(Timeout, OfAHoldWithoutWaitersCountsFromTheLastCall) {
  EngineWorld world;
  world.AddRack("a", 2);
  world.AddGang("g", 2);
  world.Advance(absl::Seconds(300));
  world.Filter("g-0");
  world.Advance(absl::Seconds(600) - absl::Nanoseconds(1));
  EXPECT_EQ(world.Holds(), "a:g");
  world.Advance(absl::Nanoseconds(1));
  EXPECT_EQ(world.Holds(), "");
}

TEST(HangUp, UnplacesThatMemberOnlyAndTheHoldStays) {
  EngineWorld world;
  world.AddRack("a", 3);
  world.AddGang("g", 3);
  const CallId first = world.Schedule("g-0");
  const CallId second = world.Schedule("g-1");
  world.HangUp(first);
  EXPECT_EQ(world.Holds(), "a:g");
  EXPECT_EQ(world.ViewOf("g").placed, 1);
  EXPECT_EQ(world.AnswersTo(first), 0) << "nobody is there to be answered";
  EXPECT_EQ(world.AnswerTo(second), "held");
  world.Schedule("g-2");
  EXPECT_THAT(world.TakeBindings(), IsEmpty());
  world.Schedule("g-0");
  EXPECT_THAT(world.TakeBindings(), ElementsAre("g-0@a-1", "g-1@a-2", "g-2@a-3"));
}

TEST(HangUp, OfTheOnlyWaiterLeavesAHoldThatEndsAfterTheTimeout) {
  EngineWorld world;
  world.AddRack("a", 2);
  world.AddGang("g", 2);
  const CallId call = world.Schedule("g-0");
  world.Advance(absl::Seconds(599));
  world.HangUp(call);
  world.Advance(absl::Seconds(600) - absl::Nanoseconds(1));
  EXPECT_EQ(world.Holds(), "a:g");
  world.Advance(absl::Nanoseconds(1));
  EXPECT_EQ(world.Holds(), "");
}

TEST(HangUp, DuringTheBindingChangesNothing) {
  EngineWorld world;
  world.AddRack("a", 1);
  world.AddGang("g", 1);
  world.HoldBindings(true);
  const CallId call = world.Schedule("g-0");
  world.HangUp(call);
  world.FinishBinding("g-0", "");
  EXPECT_EQ(world.NodeOf("g-0"), "a-1");
  EXPECT_EQ(world.AnswersTo(call), 0);
}

TEST(Failure, OfABindingRefusesWhoWaitsAndTheRestStaysInTheDomain) {
  EngineWorld world;
  world.AddRack("a", 2);
  world.AddRack("b", 3);
  world.AddGang("g", 2);
  world.HoldBindings(true);
  const CallId first = world.Schedule("g-0");
  const CallId second = world.Schedule("g-1");
  world.FinishBinding("g-0", "");
  world.FinishBinding("g-1", "etcd is away");
  EXPECT_EQ(world.AnswerTo(first), "bound");
  EXPECT_EQ(world.AnswerTo(second), "etcd is away");
  EXPECT_EQ(world.ViewOf("g").placed, 1);
  EXPECT_EQ(world.ViewOf("g").state, GangState::kBlocked);
  world.HoldBindings(false);
  EXPECT_EQ(world.Filter("g-1"), "a-2") << "in the domain of its sibling";
  world.Bind("g-1", "a-2");
  EXPECT_EQ(world.ViewOf("g").state, GangState::kComplete);
}

TEST(Failure, OfASurplusMembersBindingLeavesTheGangComplete) {
  EngineWorld world;
  world.AddRack("a", 3);
  world.AddGang("g", 2);
  world.ScheduleMembers("g", 0, 1);
  world.AddMembers("g", 2, 2);
  world.HoldBindings(true);
  const CallId call = world.Schedule("g-2");
  world.TakeTransitions();
  world.FinishBinding("g-2", "etcd is away");
  EXPECT_EQ(world.AnswerTo(call), "etcd is away");
  EXPECT_EQ(world.ViewOf("g").state, GangState::kComplete);
  EXPECT_THAT(world.TakeTransitions(), IsEmpty());
}

TEST(Failure, OfAWaitingMembersPodUnwindsTheGang) {
  for (const bool terminating : {true, false}) {
    EngineWorld world;
    world.AddRack("a", 3);
    world.AddGang("g", 3);
    world.AddMembers("g", 3, 3);  // one more than needed
    const CallId first = world.Schedule("g-0");
    const CallId second = world.Schedule("g-1");
    if (terminating) {
      world.Set(PodBuilder("g-0").Gang("g").Gpus(1).Terminating().Build());
    } else {
      world.DeletePod("g-0");
    }
    EXPECT_EQ(world.AnswerTo(first), kUnwound);
    EXPECT_EQ(world.AnswerTo(second), kUnwound);
    EXPECT_EQ(world.Holds(), "");
    EXPECT_EQ(world.Filter("g-1"), "a-1") << "planned afresh when a member asks";
  }
}

TEST(Failure, OfAPlannedMemberThatHasNoNodeYetIsReplacedByASpareOne) {
  EngineWorld world;
  world.AddRack("a", 3);
  world.AddGang("g", 3);
  world.AddMembers("g", 3, 3);
  const CallId call = world.Schedule("g-0");
  world.DeletePod("g-1");
  EXPECT_EQ(world.AnswerTo(call), "held");
  EXPECT_EQ(world.Holds(), "a:g");
  world.ScheduleMembers("g", 2, 3);
  EXPECT_THAT(world.TakeBindings(), ElementsAre("g-0@a-1", "g-2@a-2", "g-3@a-3"));
}

TEST(Failure, OfAPlannedMemberWithoutASpareOneRefusesWhoWaits) {
  EngineWorld world;
  world.AddRack("a", 2);
  world.AddGang("g", 2);
  const CallId call = world.Schedule("g-0");
  world.DeletePod("g-1");
  EXPECT_EQ(world.AnswerTo(call), "waiting for all PodGroup member templates for ns/g");
  EXPECT_EQ(world.Holds(), "");
  EXPECT_EQ(world.ViewOf("g").state, GangState::kForming);
}

TEST(Dormancy, AnotherGangThatWaitsGoesFirst) {
  EngineWorld world;
  world.AddRack("a", 2);
  world.AddGang("g", 2);
  world.AddGang("h", 2);
  world.Filter("h-0");
  world.Schedule("g-0");
  world.Advance(absl::Seconds(600));
  EXPECT_EQ(world.Holds(), "a:h");
  EXPECT_THAT(world.TakeWoken(), ElementsAre("h-0"));
  EXPECT_EQ(world.Filter("g-0"),
            "refused: no domain has room for gang ns/g: every fitting domain is reserved for a "
            "forming gang");
}

TEST(Dormancy, EndsWhenAMemberAsksAgain) {
  EngineWorld world;
  world.AddRack("a", 2);
  world.AddGang("g", 2);
  world.Schedule("g-0");
  world.Advance(absl::Seconds(600));
  EXPECT_EQ(world.Holds(), "");
  EXPECT_EQ(world.PodViewOf("g-0").message,
            "gang ns/g unwound after a member failed to schedule: a member waited 10m at Permit "
            "with 1 of 2 placed");
  EXPECT_EQ(world.Filter("g-1"), "a-2");
  EXPECT_EQ(world.Holds(), "a:g");
}

TEST(Dormancy, AStandalonePodThatWaitsIsWokenBeforeTheGangIsPlannedAgain) {
  EngineWorld world;
  world.AddRack("a", 2);
  world.AddGang("g", 2);
  world.Set(PodBuilder("single").Gpus(1).Build());
  EXPECT_EQ(world.Filter("single"), "refused: node is reserved for a forming gang");
  world.Schedule("g-0");
  world.Advance(absl::Seconds(600));
  EXPECT_THAT(world.TakeWoken(), ElementsAre("single"));
  EXPECT_EQ(world.Filter("single"), "a-1,a-2");
}

TEST(Wake, OnlyMembersThatWereRefusedAreWokenAndOnce) {
  EngineWorld world;
  world.AddRack("a", 3);
  world.Set(PodGroupBuilder("g", 3).Build());
  world.AddMembers("g", 0, 1);
  world.Filter("g-0");
  world.Filter("g-0");
  EXPECT_THAT(world.TakeWoken(), IsEmpty());
  world.AddMembers("g", 2, 2);
  EXPECT_THAT(world.TakeWoken(), ElementsAre("g-0")) << "g-1 and g-2 were never refused";
  world.Set(PodGroupBuilder("g", 3).Label("x", "y").Build());
  world.Advance(absl::Seconds(1));
  EXPECT_THAT(world.TakeWoken(), IsEmpty());
}

TEST(Wake, NobodyIsWokenByAChangeThatHelpsNobody) {
  EngineWorld world;
  world.AddRack("a", 1);
  world.AddGang("g", 3);
  world.Filter("g-0");
  world.Filter("g-1");
  world.AddRack("b", 2);
  world.DeleteNode("a-1");
  world.AddMembers("g", 3, 3);
  EXPECT_THAT(world.TakeWoken(), IsEmpty());
  world.AddRack("c", 3);
  EXPECT_THAT(world.TakeWoken(), UnorderedElementsAre("g-0", "g-1"));
}

TEST(Wake, MembersAreNotWokenWhenTheirReasonOnlyChangesToAnother) {
  EngineWorld world;
  world.AddRack("a", 2);
  world.Set(PodGroupBuilder("g", 2).Build());
  world.AddMembers("g", 0, 0);
  world.Filter("g-0");
  world.DeleteGroup("g");
  EXPECT_THAT(world.TakeWoken(), IsEmpty());
  EXPECT_EQ(world.PodViewOf("g-0").message,
            "PodGroup ns/g not resolvable yet: 1 pod names it, but it does not exist");
}

TEST(Wake, SurplusMembersAreWokenWhenTheGangIsComplete) {
  EngineWorld world;
  world.AddRack("a", 2);
  world.AddGang("g", 2);
  world.AddMembers("g", 2, 2);
  EXPECT_EQ(world.Filter("g-2"), "refused: gang ns/g places the members it needs first");
  world.ScheduleMembers("g", 0, 1);
  EXPECT_THAT(world.TakeWoken(), ElementsAre("g-2"));
}

TEST(Wake, ASurplusMemberThatBecomesNeededIsWokenWithThePlan) {
  EngineWorld world;
  world.AddRack("a", 4);
  world.AddGang("g", 2);
  world.ScheduleMembers("g", 0, 1);
  world.AddGang("h", 2);  // holds what is left of the rack
  world.AddMembers("g", 2, 2);
  EXPECT_EQ(world.Filter("g-2", {"a-3"}), "refused: node is reserved for a forming gang");
  world.DeletePod("g-0");
  world.DeleteGroup("h");
  EXPECT_EQ(world.Holds(), "a:g");
  EXPECT_THAT(world.TakeWoken(), ElementsAre("g-2"));
}

TEST(Wake, AStandalonePodIsWokenOnlyByANodeItFits) {
  EngineWorld world;
  world.AddRack("a", 2);
  world.AddRack("b", 2);
  world.AddGang("g", 2);
  world.AddGang("h", 2);
  world.Set(PodBuilder("picky").Gpus(1).NodeSelector(kRack, "b").Build());
  EXPECT_EQ(world.Filter("picky", {"b-1", "b-2"}), "refused: node is reserved for a forming gang");
  world.DeleteGroup("g");
  EXPECT_THAT(world.TakeWoken(), IsEmpty()) << "a is free, but it may not go there";
  world.DeleteGroup("h");
  EXPECT_THAT(world.TakeWoken(), ElementsAre("picky"));
}

TEST(Wake, AStandalonePodIsWokenWhenANodeLeavesTheHeldDomain) {
  EngineWorld world;
  world.AddRack("a", 3);
  world.AddGang("g", 2);
  world.Set(PodBuilder("single").Gpus(1).Build());
  world.Filter("single");
  world.Set(NodeBuilder("a-3").Gpus(1).Build());
  EXPECT_THAT(world.TakeWoken(), ElementsAre("single"));
  EXPECT_EQ(world.Filter("single"), "a-3");
}

TEST(Wake, NobodyWhoIsPlacedMeanwhileIsWoken) {
  EngineWorld world;
  world.AddRack("a", 3);
  world.AddGang("g", 2);
  world.Set(PodBuilder("single").Gpus(1).Build());
  world.Filter("single");
  world.Set(PodBuilder("single").Gpus(1).On("elsewhere").Build());
  world.ScheduleMembers("g", 0, 1);
  EXPECT_THAT(world.TakeWoken(), IsEmpty());
}

TEST(TransitionTest, ANewReasonIsToldByTheNameOfTheStateThatThePageShows) {
  EngineWorld world;
  world.AddRack("a", 1);
  world.AddRack("b", 1);
  world.Set(PodGroupBuilder("g", 2).Build());
  EXPECT_THAT(world.TakeTransitions(), ElementsAre("Forming g"));
  EXPECT_EQ(world.ViewOf("g").state, GangState::kForming);
  world.AddMembers("g", 0, 1);
  EXPECT_THAT(world.TakeTransitions(), ElementsAre("Blocked g"));
  EXPECT_EQ(world.ViewOf("g").state, GangState::kBlocked);
  world.BeginBatch();
  world.Set(PodBuilder("g-0").Gang("g").Gpus(1).On("a-1").Build());
  world.Set(PodBuilder("g-1").Gang("g").Gpus(1).On("b-1").Build());
  world.EndBatch();
  EXPECT_THAT(world.TakeTransitions(), ElementsAre("Broken g"));
  EXPECT_EQ(world.ViewOf("g").state, GangState::kBroken);
}

}  // namespace
}  // namespace gangpack
