// When a gang is planned, in which order, and what a change makes of a gang that is planned.
#include "core/gang_judge.h"

#include <optional>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/facts_intake.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/engine_world.h"
#include "tests/support/object_builders.h"

namespace gangpack {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr char kPinnedTooSmall[] = "pinned domain a cannot fit all remaining gang members ns/g";

void AddRackAtOnce(EngineWorld* world, absl::string_view rack, int count) {
  world->BeginBatch();
  world->AddRack(rack, count);
  world->EndBatch();
}

Node Cordoned(absl::string_view node) {
  return NodeBuilder(node).Rack("a").Gpus(1).Cordoned().Build();
}

// The state alone, to be looked at between the steps that the engine takes at once.
struct Judged {
  EngineState state{Policy()};
  absl::Time now = absl::UnixEpoch() + absl::Hours(24);

  Judged() { Tell(Synchronised{}); }
  void Tell(const Fact& fact) { TakeIn(&state, fact, now); }
  void AddNode(absl::string_view name) {
    Tell(NodeChanged{NodeBuilder(name).Rack("a").Gpus(1).Build()});
  }
  void AddMember(absl::string_view name) {
    Tell(PodChanged{PodBuilder(name).Gang("g").Gpus(1).Build()});
  }
  void Settle() {
    while (JudgeSlice(&state, now)) {
    }
  }
  Gang* gang() { return state.gangs.at({"ns", "g"}).get(); }
};

TEST(OrderTest, OfTwoThatWantTheOnlyDomainTheHigherPriorityGetsItAndElseTheFirstByName) {
  for (const int32_t priority : {0, 1}) {
    EngineWorld world;
    world.AddGang("h", 2);
    world.AddGang("g", 2);
    world.Set(PodBuilder("h-1").Gang("h").Gpus(1).Priority(priority).Build());
    world.Restart();  // what is read at start counts from its creation, which is the same for all
    AddRackAtOnce(&world, "a", 2);
    EXPECT_EQ(world.Holds(), priority == 0 ? "a:g" : "a:h");
  }
}

TEST(OrderTest, AGangIsCompleteSinceItsLastNeededMemberOrItsPodGroupWhicheverCameLast) {
  struct Case {
    const char* before;  // what of g exists before h is complete
    const char* after;   // what comes later
    const char* first;
  };
  for (const Case& c : {Case{"group g-0 g-1", "", "g"}, Case{"group g-0", "g-1", "h"},
                        Case{"g-0 g-1", "group", "h"}, Case{"group g-0 g-1", "g-2", "g"}}) {
    EngineWorld world;
    const auto add = [&](absl::string_view what) {
      if (absl::StrContains(what, "group")) world.Set(PodGroupBuilder("g", 2).Build());
      for (const int i : {0, 1, 2}) {
        if (absl::StrContains(what, absl::StrCat("g-", i))) world.AddMembers("g", i, i);
      }
    };
    add(c.before);
    world.AddGang("h", 2);
    add(c.after);
    AddRackAtOnce(&world, "a", 2);
    EXPECT_EQ(world.Holds(), absl::StrCat("a:", c.first)) << c.before << ", then " << c.after;
  }
}

TEST(OrderTest, AGangThatDoesNotFitKeepsBackNoneThatDoes) {
  EngineWorld world;
  world.Set(PodGroupBuilder("g", 3).Build());
  world.AddMembers("g", 0, 2);
  world.Set(PodBuilder("g-0").Gang("g").Gpus(1).Priority(9).Build());
  world.AddGang("h", 2);
  AddRackAtOnce(&world, "a", 2);
  EXPECT_EQ(world.Holds(), "a:h");
  AddRackAtOnce(&world, "b", 3);
  EXPECT_EQ(world.Holds(), "a:h,b:g");
}

TEST(OrderTest, AGangThatHadToGiveItsDomainUpIsBehindThoseThatWaitedForIt) {
  EngineWorld world;
  world.AddRack("a", 2);
  world.AddGang("g", 2);
  world.AddGang("h", 2);
  EXPECT_EQ(world.Holds(), "a:g");
  world.Set(Cordoned("a-1"));
  EXPECT_EQ(world.Holds(), "");
  world.AddRack("a", 2);
  EXPECT_EQ(world.Holds(), "a:h");
}

TEST(TryTest, ABlockedGangIsTriedAfterAnImprovementOnlyAndItsReasonIsRefreshedForViews) {
  Judged judged;
  judged.AddNode("a-1");
  judged.AddNode("a-2");
  judged.Tell(PodGroupChanged{PodGroupBuilder("g", 2).Build()});
  judged.AddMember("g-0");
  judged.AddMember("g-1");
  const auto occupy = [&](absl::string_view node) {
    judged.Tell(PodChanged{PodBuilder(absl::StrCat("on-", node)).Gpus(1).On(node).Build()});
    judged.Settle();
  };
  const auto room = [&] { return judged.gang()->reason.domains.at(0).room; };
  occupy("a-1");
  ASSERT_EQ(judged.gang()->state, GangState::kBlocked);
  EXPECT_EQ(room(), 1);
  occupy("a-2");
  TryToPlan(&judged.state, judged.gang(), judged.now);
  EXPECT_EQ(room(), 1) << "nothing improved";
  judged.state.effects.clear();
  ASSERT_TRUE(ReasonIsOld(judged.state, *judged.gang()));
  RefreshReason(&judged.state, judged.gang());
  EXPECT_EQ(room(), 0);
  EXPECT_FALSE(ReasonIsOld(judged.state, *judged.gang())) << "nothing changed since";
  EXPECT_THAT(judged.state.effects, IsEmpty()) << "its situation has not changed";
  judged.AddNode("a-3");
  judged.Settle();
  EXPECT_EQ(room(), 1);
  judged.Tell(PodGone{{"uid-on-a-1"}});
  judged.Settle();
  EXPECT_EQ(judged.gang()->state, GangState::kPlacing);
}

TEST(JudgeTest, AGangOfWhichNothingIsLeftIsForgottenAndOneWithAPodIsNot) {
  Judged judged;
  judged.Tell(PodGroupChanged{PodGroupBuilder("g", 1).Build()});
  judged.AddMember("g-0");
  judged.Settle();
  judged.Tell(PodGroupGone{{"ns", "g"}});
  judged.Settle();
  ASSERT_EQ(judged.state.gangs.size(), 1u);
  EXPECT_EQ(judged.gang()->reason.code, ReasonCode::kPodGroupNotResolvable);
  judged.Tell(PodGone{{"uid-g-0"}});
  judged.Settle();
  EXPECT_THAT(judged.state.gangs, IsEmpty());
}

TEST(JudgeTest, OfSeveralFaultsTheFirstToBeMendedIsTold) {
  EngineWorld world;
  world.AddRack("a", 1);
  world.AddRack("b", 1);
  world.Set(PodBuilder("g-0").Gang("g").Gpus(1).On("a-1").Build());
  world.Set(PodBuilder("g-1").Gang("g").Gpus(1).On("b-1").Build());
  world.AddMembers("g", 2, 2);
  const auto told = [&] { return world.Filter("g-2"); };
  EXPECT_EQ(told(), "refused: PodGroup ns/g not resolvable yet");
  PodGroupBuilder group = PodGroupBuilder("g", 0).TopologyKey(std::nullopt);
  world.Set(PodGroupBuilder(group).Label("ome.io/placement-group", "").Build());
  EXPECT_EQ(told(), "refused: partner placement groups are not supported");
  world.Set(group.Build());
  EXPECT_EQ(told(), "refused: PodGroup ns/g must declare a positive minMember");
  world.Set(group.MinMember(4).Build());
  EXPECT_EQ(told(),
            "refused: PodGroup ns/g must declare ome.io/topology-key or the scheduler must "
            "configure topologyKey");
  world.Set(group.TopologyKey("rack").Build());
  EXPECT_EQ(told(), "refused: gang ns/g already has members in multiple topology domains");
  world.Set(NodeBuilder("b-1").Rack("a").Gpus(1).Build());
  EXPECT_EQ(told(), "refused: waiting for all PodGroup member templates for ns/g");
}

TEST(JudgeTest, ABrokenGangIsExtendedOnlyAfterItsLabelsCameBack) {
  EngineWorld world;
  world.AddRack("a", 3);
  world.AddRack("b", 3);
  world.Set(PodGroupBuilder("g", 2).Build());
  world.Set(PodBuilder("g-0").Gang("g").Gpus(1).On("a-1").Build());
  world.Set(PodBuilder("g-1").Gang("g").Gpus(1).On("a-2").Build());
  world.AddMembers("g", 2, 2);
  EXPECT_EQ(world.ViewOf("g").state, GangState::kComplete);
  world.Set(NodeBuilder("a-2").Gpus(1).Build());
  EXPECT_EQ(world.ViewOf("g").state, GangState::kBroken) << "though it has all it needs";
  EXPECT_EQ(world.Filter("g-2"),
            "refused: gang ns/g already has members in multiple topology domains");
  world.AddRack("a", 3);
  EXPECT_EQ(world.ViewOf("g").state, GangState::kComplete);
  EXPECT_THAT(world.TakeWoken(), ElementsAre("g-2"));
  EXPECT_EQ(world.Filter("g-2", {"a-3", "b-1"}), "a-3");
}

TEST(JudgeTest, AFaultOfItsPodGroupEndsTheHoldAndRefusesWhoWaitsWithIt) {
  EngineWorld world;
  world.AddRack("a", 2);
  world.AddGang("g", 2);
  const CallId call = world.Schedule("g-0");
  world.Set(PodGroupBuilder("g", 2).TopologyKey(std::nullopt).Build());
  EXPECT_EQ(world.Holds(), "");
  EXPECT_EQ(world.AnswerTo(call),
            "PodGroup ns/g must declare ome.io/topology-key or the scheduler must configure "
            "topologyKey");
  world.Set(PodGroupBuilder("g", 2).Build());
  EXPECT_EQ(world.Holds(), "a:g") << "planned again without waiting for a call";
}

TEST(MinMemberTest, LoweredToThoseWhoWaitCompletesTheGangAtOnce) {
  EngineWorld world;
  world.AddRack("a", 4);
  world.AddGang("g", 4);
  world.ScheduleMembers("g", 0, 1);
  world.Set(PodGroupBuilder("g", 3).Build());
  EXPECT_THAT(world.TakeBindings(), IsEmpty());
  EXPECT_EQ(world.Holds(), "a:g");
  world.Set(PodGroupBuilder("g", 2).Build());
  EXPECT_THAT(world.TakeBindings(), ElementsAre("g-0@a-1", "g-1@a-2"));
  EXPECT_EQ(world.Holds(), "");
}

TEST(MinMemberTest, RaisedTheGangIsReplannedInItsDomainIfItHasRoomAndElseMoved) {
  for (const int nodes : {2, 3}) {
    EngineWorld world;
    world.AddRack("a", nodes);
    world.AddGang("g", 2);
    AddRackAtOnce(&world, "b", 3);
    const CallId call = world.Schedule("g-0");
    world.AddMembers("g", 2, 2);
    EXPECT_EQ(world.Filter("g-2"), "refused: gang ns/g places the members it needs first");
    world.Set(PodGroupBuilder("g", 3).Build());
    EXPECT_EQ(world.AnswerTo(call), nodes == 3 ? "held" : kPinnedTooSmall);
    EXPECT_EQ(world.Filter("g-2"), nodes == 3 ? "a-3" : "b-3");
    EXPECT_THAT(world.TakeWoken(), ElementsAre("g-2"));
  }
}

TEST(BreakTest, WhoWaitsStaysIfTheDomainStillFitsElseAllMoveAtOnceElseTheGangIsBlocked) {
  for (const char* has_room : {"a", "b", "c"}) {
    EngineWorld world;
    world.AddRack("a", 3);
    world.AddGang("g", 2);
    const CallId call = world.Schedule("g-0");
    if (*has_room != 'a') world.Occupy("a-3", 1);
    if (*has_room == 'b') world.AddRack("b", 2);
    world.TakeTransitions();
    world.Set(Cordoned("a-2"));
    if (*has_room == 'a') {
      EXPECT_EQ(world.AnswerTo(call), "held");
      EXPECT_EQ(world.Filter("g-1"), "a-3");
      EXPECT_THAT(world.TakeTransitions(), IsEmpty());
      continue;
    }
    EXPECT_EQ(world.AnswerTo(call), kPinnedTooSmall);
    if (*has_room == 'b') {
      EXPECT_THAT(world.TakeTransitions(), ElementsAre("Unwound g a", "Moved g b"));
    } else {
      EXPECT_THAT(world.TakeTransitions(), ElementsAre("Unwound g a", "Blocked g"));
      world.AddRack("c", 2);
      EXPECT_EQ(world.Holds(), "c:g") << "without waiting for a call";
    }
  }
}

TEST(BreakTest, WhoWaitsIsBoundWhenOthersBoundEnoughMembersIfItStillFits) {
  for (const bool fits : {true, false}) {
    EngineWorld world;
    world.AddRack("a", 4);
    world.AddGang("g", 3);
    const CallId call = world.Schedule("g-0");
    world.BeginBatch();
    for (const int i : {1, 2, 3}) {
      world.Set(PodBuilder(absl::StrCat("g-", i)).Gang("g").On(absl::StrCat("a-", i + 1)).Build());
    }
    if (!fits) world.Occupy("a-1", 1);
    world.EndBatch();
    EXPECT_EQ(world.AnswerTo(call), fits ? "bound" : kPinnedTooSmall);
    EXPECT_EQ(world.Holds(), "");
    EXPECT_EQ(world.ViewOf("g").state, GangState::kComplete);
  }
}

TEST(SurplusTest, RefusedMembersOfACompleteGangAreWokenWhenItsDomainIsAnother) {
  for (const char* rack : {"a", "b"}) {
    EngineWorld world;
    world.AddRack("a", 2);
    world.AddGang("g", 2);
    world.ScheduleMembers("g", 0, 1);
    world.AddRack("b", 1);
    world.AddMembers("g", 2, 2);
    EXPECT_EQ(world.Filter("g-2", {"b-1"}), "refused: node not in gang's pinned domain a");
    world.BeginBatch();
    for (const char* node : {"a-1", "a-2"}) {
      world.Set(NodeBuilder(node).Rack(rack).Label("x", "y").Gpus(1).Build());
    }
    world.EndBatch();
    if (*rack == 'a') {
      EXPECT_THAT(world.TakeWoken(), IsEmpty());
    } else {
      EXPECT_THAT(world.TakeWoken(), ElementsAre("g-2"));
      EXPECT_EQ(world.Filter("g-2", {"b-1"}), "b-1");
    }
  }
}

TEST(RefreshTest, AFailedGangThatNobodyAsksForShowsWhatKeepsItNowOrElseItsFailure) {
  EngineWorld world;
  world.AddRack("a", 2);
  world.AddGang("g", 2);
  world.Schedule("g-0");
  world.Advance(Policy().permit_timeout);
  const std::string failed = "gang ns/g unwound after a member failed to schedule";
  EXPECT_TRUE(absl::StartsWith(world.ViewOf("g").message, failed)) << "it could be planned again";
  world.Occupy("a-1", 1);
  EXPECT_EQ(world.ViewOf("g").message,
            "no domain has room for gang ns/g: domain a: room for 1 of 2 (a-1 short of "
            "nvidia.com/gpu: needs 1, free 0)");
  world.DeletePod("on-a-1");
  EXPECT_TRUE(absl::StartsWith(world.ViewOf("g").message, failed)) << "it has room again";
}

}  // namespace
}  // namespace gangpack
