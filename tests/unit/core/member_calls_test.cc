// What is answered to kube-scheduler's calls for the members that a gang needs.
#include "core/member_calls.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/engine_world.h"
#include "tests/support/object_builders.h"

namespace gangpack {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr char kNotPlanned[] = "node is not the one planned for this member of gang ns/g";
constexpr char kOutside[] = "node not in gang's pinned domain a";

// Rack a, held by gang g, whose members are planned on its first nodes, and rack b, which is free.
struct Pinned : EngineWorld {
  Pinned(int nodes, int members) {
    AddRack("a", nodes);
    AddGang("g", members);
    AddRack("b", nodes);
  }
};

TEST(FilterMemberTest, APlannedMemberGetsItsNodeAndOneEntryRefusesAllOthers) {
  Pinned world(2, 2);
  const FilterDecision decision = world.Decide("g-1", {"unknown", "b-1", "a-1", "a-2"});
  EXPECT_THAT(decision.accepted, ElementsAre(3));
  ASSERT_EQ(decision.refusals.size(), 1u);
  EXPECT_THAT(decision.refusals[0].nodes, IsEmpty());
  EXPECT_TRUE(decision.refusals[0].all_others);
  EXPECT_EQ(decision.refusals[0].reason.code, ReasonCode::kNodeNotPlanned);
}

TEST(FilterMemberTest, ARequestWithoutThePlannedNodeReplansAroundWhatIsOffered) {
  Pinned world(2, 2);
  const FilterDecision decision = world.Decide("g-0", {"b-1", "b-2", "a-2"});
  EXPECT_THAT(decision.accepted, ElementsAre(2));
  ASSERT_EQ(decision.refusals.size(), 1u);
  EXPECT_TRUE(decision.refusals[0].all_others);
  EXPECT_EQ(world.Filter("g-1"), "a-1") << "its sibling has yielded";
  EXPECT_EQ(world.Filter("g-0"), "a-2");
}

TEST(FilterMemberTest, WhereNoOfferedNodeOfTheDomainWillDoThatIsSaidAndThePlanStays) {
  Pinned world(3, 3);
  world.Schedule("g-1");  // waits on a-2, and does not yield
  const FilterDecision decision = world.Decide("g-0", {"b-1", "a-2", "b-2"});
  EXPECT_THAT(decision.accepted, IsEmpty());
  ASSERT_EQ(decision.refusals.size(), 2u);
  EXPECT_THAT(decision.refusals[0].nodes, ElementsAre(1));
  EXPECT_FALSE(decision.refusals[0].all_others);
  EXPECT_EQ(decision.refusals[0].reason.code, ReasonCode::kNoNodeForMember);
  EXPECT_TRUE(decision.refusals[1].all_others);
  EXPECT_EQ(decision.refusals[1].reason.code, ReasonCode::kNodeNotInDomain);
  EXPECT_EQ(world.Filter("g-0", {"a-2"}),
            "refused: pinned domain a has no node feasible for gang member ns/g-0")
      << "no second entry without a node for it";
  EXPECT_EQ(world.Filter("g-0"), "a-1");
  EXPECT_EQ(world.Filter("g-2"), "a-3");
}

TEST(FilterMemberTest, WithoutAnyNodeOfTheDomainEveryNodeIsOutsideIt) {
  Pinned world(2, 2);
  const FilterDecision decision = world.Decide("g-0", {"b-1", "unknown"});
  EXPECT_THAT(decision.accepted, IsEmpty());
  ASSERT_EQ(decision.refusals.size(), 1u);
  EXPECT_TRUE(decision.refusals[0].all_others);
  EXPECT_EQ(world.Filter("g-0", {"b-1"}), std::string("refused: ") + kOutside);
  EXPECT_EQ(world.Filter("g-0"), "a-1");
}

TEST(FilterMemberTest, TheNominatedNodeAloneIsNoSignThatOthersAreNotOffered) {
  for (const bool nominated : {true, false}) {
    Pinned world(3, 2);
    PodBuilder member = PodBuilder("g-0").Gang("g").Gpus(1);
    world.Set(nominated ? member.Nominated("a-3") : member);
    // kube-scheduler first asks for the nominated node alone, then for all.
    EXPECT_EQ(world.Filter("g-0", {"a-3"}),
              nominated ? std::string("refused: ") + kOutside : "a-3");
    EXPECT_EQ(world.Filter("g-0"), nominated ? "a-1" : "a-3");
  }
}

TEST(FilterMemberTest, TheNominatedNodeAloneIsAcceptedIfItIsThePlannedOne) {
  Pinned world(3, 2);
  world.Set(PodBuilder("g-0").Gang("g").Gpus(1).Nominated("a-1").Build());
  EXPECT_EQ(world.Filter("g-0", {"a-1"}), "a-1");
}

TEST(FilterMemberTest, AMemberWaitsForTheSiblingItNeedsWhileThatIsNotPlaced) {
  EngineWorld world;
  world.AddRack("a", 3);
  world.Set(PodGroupBuilder("g", 3).Build());
  world.Set(PodBuilder("worker").Gang("g").Gpus(1).Affinity(TermFor("rack", "role", "leader")));
  world.Set(PodBuilder("leader").Gang("g").Gpus(1).Label("role", "leader").Build());
  world.AddMembers("g", 0, 0);
  const std::string wait = "refused: waiting for gang sibling ns/leader to be placed";
  EXPECT_EQ(world.Filter("worker"), wait);
  const CallId call = world.Schedule("leader");
  EXPECT_THAT(world.TakeWoken(), ElementsAre("worker"));
  EXPECT_EQ(world.Filter("worker"), "a-3");
  world.HangUp(call);
  EXPECT_EQ(world.Filter("worker"), wait) << "the leader is not placed any more";
}

TEST(FilterMemberTest, AskingAgainForAWaitingMemberEndsItsFirstCallAndKeepsItsNode) {
  Pinned world(3, 3);
  const CallId first = world.Schedule("g-1");
  world.Advance(absl::Seconds(500));
  EXPECT_EQ(world.Filter("g-1"), "a-2");
  EXPECT_EQ(world.AnswerTo(first),
            "pod ns/g-1 was to be filtered again, which ended the wait of this bind call");
  EXPECT_EQ(world.ViewOf("g").placed, 0);
  EXPECT_EQ(world.Holds(), "a:g");
  const CallId second = world.Bind("g-1", "a-2");
  EXPECT_EQ(world.engine().NextDeadline(), world.now() + absl::Seconds(600)) << "its own arrival";
  EXPECT_EQ(world.AnswerTo(second), "held");
  EXPECT_EQ(world.AnswersTo(first), 1);
}

TEST(FilterMemberTest, AMemberBeyondThePlanWaitsForTheGangWhateverIsOffered) {
  Pinned world(2, 2);
  world.AddMembers("g", 2, 2);
  const std::string later = "refused: gang ns/g places the members it needs first";
  EXPECT_EQ(world.Filter("g-2"), later);
  EXPECT_EQ(world.Filter("g-2", {"b-1"}), later);
  EXPECT_EQ(world.AnswerTo(world.Bind("g-2", "a-1")),
            "gang ns/g places the members it needs first");
  EXPECT_EQ(world.ViewOf("g").placed, 0);
}

TEST(MemberTest, OfAGangThatIsNotPlacingIsRefusedWithTheGangsReason) {
  EngineWorld world;
  world.AddRack("a", 1);
  world.AddRack("b", 2);
  const auto refused = [&](absl::string_view pod, const std::string& text) {
    const FilterDecision decision = world.Decide(pod, {"a-1", "b-1"});
    EXPECT_THAT(decision.accepted, IsEmpty());
    ASSERT_EQ(decision.refusals.size(), 1u);
    EXPECT_TRUE(decision.refusals[0].all_others);
    EXPECT_EQ(world.Filter(pod), "refused: " + text);
    EXPECT_EQ(world.AnswerTo(world.Bind(pod, "a-1")), text);
  };
  world.Set(PodGroupBuilder("forming", 2).Build());
  world.AddMembers("forming", 0, 0);
  refused("forming-0", "waiting for all PodGroup member templates for ns/forming");
  world.AddGang("blocked", 3);
  refused("blocked-0", "no domain has room for gang ns/blocked");
  world.Set(PodGroupBuilder("broken", 3).Build());
  world.Set(PodBuilder("broken-0").Gang("broken").On("a-1").Build());
  world.Set(PodBuilder("broken-1").Gang("broken").On("b-1").Build());
  world.AddMembers("broken", 2, 2);
  refused("broken-2", "gang ns/broken already has members in multiple topology domains");
  EXPECT_THAT(world.TakeBindings(), IsEmpty());
}

TEST(BindMemberTest, OnAnotherNodeThanThePlannedOneIsRefusedAndNobodyWaits) {
  Pinned world(2, 2);
  EXPECT_EQ(world.AnswerTo(world.Bind("g-0", "a-2")), kNotPlanned);
  EXPECT_EQ(world.AnswerTo(world.Bind("g-0", "b-1")), kOutside);
  EXPECT_EQ(world.ViewOf("g").placed, 0);
  EXPECT_EQ(world.Holds(), "a:g");
  EXPECT_EQ(world.AnswerTo(world.Bind("g-0", "a-1")), "held");
  EXPECT_EQ(world.ViewOf("g").placed, 1);
}

TEST(BindMemberTest, AnotherCallForTheSameNodeTakesOverTheWaitAndTheFirstIsToldSo) {
  Pinned world(3, 2);
  const CallId first = world.Schedule("g-0");
  world.Advance(absl::Seconds(500));
  const CallId second = world.Bind("g-0", "a-1");
  EXPECT_EQ(world.AnswerTo(first), "another bind call for pod ns/g-0 took over the wait");
  EXPECT_EQ(world.AnswerTo(second), "held");
  EXPECT_EQ(world.ViewOf("g").placed, 1);
  EXPECT_EQ(world.Holds(), "a:g");
  EXPECT_EQ(world.engine().NextDeadline(), world.now() + absl::Seconds(600)) << "its own arrival";
  world.Schedule("g-1");
  EXPECT_EQ(world.AnswersTo(first), 1);
  EXPECT_THAT(world.TakeBindings(), ElementsAre("g-0@a-1", "g-1@a-2"));
}

TEST(BindMemberTest, OnAnotherNodeLeavesTheFirstCallOfAWaitingMemberAlone) {
  Pinned world(3, 2);
  const CallId first = world.Schedule("g-0");
  EXPECT_EQ(world.AnswerTo(world.Bind("g-0", "a-2")), kNotPlanned);
  EXPECT_EQ(world.AnswerTo(first), "held");
  EXPECT_EQ(world.ViewOf("g").placed, 1);
}

TEST(BindMemberTest, ChangesThatAreNotJudgedYetAreBeforeTheAnswer) {
  for (const bool has_spare : {false, true}) {
    Pinned world(has_spare ? 3 : 2, 2);
    EXPECT_EQ(world.Filter("g-0"), "a-1");
    world.BeginBatch();
    world.Set(NodeBuilder("a-1").Rack("a").Gpus(1).Cordoned().Build());
    const CallId call = world.Bind("g-0", "a-1");
    world.EndBatch();
    // With a spare node in rack a the gang is replanned there, else it has moved to rack b.
    EXPECT_EQ(world.AnswerTo(call), has_spare ? kNotPlanned : "node not in gang's pinned domain b");
    EXPECT_EQ(world.Filter("g-0"), has_spare ? "a-2" : "b-1");
  }
}

}  // namespace
}  // namespace gangpack
