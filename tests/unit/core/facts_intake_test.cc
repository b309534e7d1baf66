// What a fact does at once, and what it only marks.
#include "core/facts_intake.h"

#include <string>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/gang_judge.h"
#include "core/gang_life.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/object_builders.h"

namespace gangpack {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr char kUnwound[] = "answer 7 gang ns/g unwound after a member failed to schedule";

PodBuilder Member(absl::string_view name, absl::string_view gang = "g") {
  return PodBuilder(name).Gang(gang).Gpus(1);
}

// The state alone, so that it can be looked at between a fact and what is judged from it.
struct Intake {
  EngineState state{Policy()};
  absl::Time now = absl::UnixEpoch() + absl::Hours(24);

  void Tell(const Fact& fact) { TakeIn(&state, fact, now); }
  void Settle() {
    while (JudgeSlice(&state, now)) {
    }
  }
  void AddNodes(int count) {
    for (int i = 1; i <= count; ++i) {
      Tell(NodeChanged{NodeBuilder(absl::StrCat("a-", i)).Rack("a").Gpus(1).Build()});
    }
  }
  Gang* gang(const std::string& name) { return state.gangs.at({"ns", name}).get(); }
  PodRecord* pod(absl::string_view name) {
    return state.cluster.FindPod(PodUid{absl::StrCat("uid-", name)});
  }

  // "wake POD", "answer CALL TEXT", "bind POD" since the last call, in order.
  std::vector<std::string> TakeEffects() {
    std::vector<std::string> taken;
    for (const Effect& effect : state.effects) {
      if (const auto* wake = std::get_if<WakePod>(&effect)) {
        taken.push_back(absl::StrCat("wake ", wake->pod.name));
      } else if (const auto* answer = std::get_if<AnswerCall>(&effect)) {
        taken.push_back(absl::StrCat("answer ", answer->call, " ", answer->error));
      } else if (const auto* bind = std::get_if<BindPod>(&effect)) {
        taken.push_back(absl::StrCat("bind ", bind->pod.name));
      }
    }
    state.effects.clear();
    return taken;
  }
};

// Synchronised, with a rack of three nodes that gang g of three holds; g-0 waits with call 7.
struct WaitingGang : Intake {
  WaitingGang() {
    Tell(Synchronised{});
    AddNodes(3);
    Tell(PodGroupChanged{PodGroupBuilder("g", 3).Build()});
    for (const char* name : {"g-0", "g-1", "g-2"}) Tell(PodChanged{Member(name).Build()});
    Settle();
    const NodeIndex node = gang("g")->plan->nodes.at({"uid-g-0"});
    ArriveAtPermit(&state, gang("g"), pod("g-0"), Waiter{7, node, now}, now);
    TakeEffects();
  }
  bool waits() const { return state.permits.FindWaiter({"uid-g-0"}) != nullptr; }
};

TEST(FactsIntakeTest, AFactMarksItsGangAndPlansNothing) {
  Intake intake;
  intake.Tell(Synchronised{});
  intake.AddNodes(1);
  intake.Tell(PodGroupChanged{PodGroupBuilder("g", 1).Build()});
  intake.Tell(PodChanged{Member("g-0").Build()});
  EXPECT_THAT(intake.state.marked, ElementsAre(intake.gang("g")));
  EXPECT_FALSE(intake.gang("g")->plan.has_value());
  EXPECT_THAT(intake.state.effects, IsEmpty());
  intake.Settle();
  EXPECT_THAT(intake.state.marked, IsEmpty());
  EXPECT_TRUE(intake.gang("g")->plan.has_value());
}

TEST(FactsIntakeTest, TheSameFactAgainChangesNothing) {
  WaitingGang intake;
  intake.Settle();
  intake.state.effects.clear();
  const int64_t improvements = intake.state.Improvements();
  const int64_t sequence = intake.state.sequence;
  const Plan plan = *intake.gang("g")->plan;
  intake.now += absl::Seconds(5);
  intake.Tell(Synchronised{});
  intake.AddNodes(3);
  EXPECT_THAT(intake.state.marked, IsEmpty()) << "a node's heartbeat is not even judged";
  intake.Tell(PodGroupChanged{PodGroupBuilder("g", 3).Build()});
  for (const char* name : {"g-0", "g-1", "g-2"}) intake.Tell(PodChanged{Member(name).Build()});
  intake.Settle();
  EXPECT_EQ(intake.state.Improvements(), improvements);
  EXPECT_EQ(intake.state.sequence, sequence);
  EXPECT_EQ(intake.gang("g")->plan->nodes, plan.nodes);
  EXPECT_EQ(intake.gang("g")->plan->number, plan.number);
  EXPECT_EQ(intake.gang("g")->plan->deadline, plan.deadline);
  EXPECT_THAT(intake.state.effects, IsEmpty());
}

TEST(FactsIntakeTest, AWaitEndsAtOnceWhenWeCannotBindThePodAnyMore) {
  const std::vector<Fact> facts = {
      PodGone{{"uid-g-0"}},
      PodChanged{Member("g-0").Terminating().Build()},
      PodChanged{Member("g-0").On("elsewhere").Build()},
      PodChanged{Member("g-0").Phase(PodPhase::kFailed).Build()},
      PodChanged{Member("g-0").Phase(PodPhase::kSucceeded).Build()},
      PodChanged{Member("g-0").Gates(1).Build()},
      PodChanged{Member("g-0").Scheduler("other").Build()},
      PodChanged{Member("g-0", "h").Build()},
      PodChanged{Member("g-0", "").Build()},
  };
  for (size_t i = 0; i < facts.size(); ++i) {
    SCOPED_TRACE(i);
    WaitingGang intake;
    intake.Tell(facts[i]);
    EXPECT_FALSE(intake.waits());
    EXPECT_THAT(intake.TakeEffects(), ElementsAre(kUnwound));
    EXPECT_FALSE(intake.gang("g")->plan.has_value()) << "the hold has ended too";
  }
}

TEST(FactsIntakeTest, AWaitIsLeftAloneByChangesThatDoNotConcernItAndByOtherMembers) {
  const std::vector<Fact> facts = {
      PodChanged{Member("g-0").Label("x", "y").Priority(5).Build()},
      PodChanged{Member("g-0").Nominated("a-1", "uid-g/1").Build()},
      PodChanged{Member("g-1").Terminating().Build()},
      PodGone{{"uid-g-2"}},
      PodGone{{"uid-unknown"}},
      NodeGone{"unknown"},
      PodGroupGone{{"ns", "unknown"}},
      CallerGone{8},
  };
  for (size_t i = 0; i < facts.size(); ++i) {
    SCOPED_TRACE(i);
    WaitingGang intake;
    intake.Tell(facts[i]);
    EXPECT_TRUE(intake.waits());
    EXPECT_THAT(intake.TakeEffects(), IsEmpty());
    EXPECT_TRUE(intake.gang("g")->plan.has_value());
  }
}

TEST(FactsIntakeTest, APodGroupWithAnotherUidReleasesTheHoldAtOnceAndAChangedOneDoesNot) {
  WaitingGang changed;
  changed.Tell(PodGroupChanged{PodGroupBuilder("g", 2).Label("x", "y").Build()});
  EXPECT_TRUE(changed.waits());
  WaitingGang recreated;
  recreated.Tell(PodGroupChanged{PodGroupBuilder("g", 3).Uid("second").Build()});
  EXPECT_FALSE(recreated.waits());
  EXPECT_THAT(recreated.TakeEffects(), ElementsAre(kUnwound));
  EXPECT_FALSE(recreated.gang("g")->plan.has_value());
  EXPECT_EQ(recreated.gang("g")->failed_since, absl::InfinitePast())
      << "what happened to the old one is no failure of the new one";
}

TEST(FactsIntakeTest, AChangedTimeoutMovesTheDeadlineOfTheHoldAtOnce) {
  WaitingGang intake;
  const NamespacedName name = {"ns", "g"};
  EXPECT_THAT(intake.state.deadlines,
              ElementsAre(std::make_pair(intake.now + absl::Seconds(600), name)));
  intake.Tell(PodGroupChanged{PodGroupBuilder("g", 3).TimeoutSeconds(30).Build()});
  EXPECT_THAT(intake.state.deadlines,
              ElementsAre(std::make_pair(intake.now + absl::Seconds(30), name)));
}

TEST(FactsIntakeTest, AFinishedBindingAnswersAllItsCallsAndOnlyAFailureTakesThePodOffItsNode) {
  for (const char* error : {"", "etcd is away"}) {
    Intake intake;
    intake.Tell(Synchronised{});
    intake.AddNodes(1);
    intake.Tell(PodChanged{PodBuilder("single").Gpus(1).Build()});
    StartBinding(&intake.state, intake.pod("single"), 0, 3);
    intake.state.permits.JoinBinding({"uid-single"}, 4);
    intake.TakeEffects();
    intake.Tell(BindingFinished{{"uid-single"}, error});
    EXPECT_THAT(intake.TakeEffects(),
                ElementsAre(absl::StrCat("answer 3 ", error), absl::StrCat("answer 4 ", error)));
    EXPECT_EQ(intake.pod("single")->placed(), error[0] == '\0');
    intake.Tell(BindingFinished{{"uid-single"}, error});
    EXPECT_THAT(intake.TakeEffects(), IsEmpty());
  }
}

TEST(FactsIntakeTest, ABindingThatIsToldTwiceCountsAsItWasToldFirst) {
  Intake intake;
  intake.Tell(Synchronised{});
  intake.AddNodes(1);
  intake.Tell(PodChanged{PodBuilder("single").Gpus(1).Build()});
  StartBinding(&intake.state, intake.pod("single"), 0, 3);
  intake.Tell(BindingFinished{{"uid-single"}, ""});
  intake.TakeEffects();
  intake.Tell(BindingFinished{{"uid-single"}, "late"});
  EXPECT_THAT(intake.TakeEffects(), IsEmpty());
  EXPECT_TRUE(intake.pod("single")->placed()) << "the watch is yet to show it";
}

TEST(FactsIntakeTest, AFailedBindingWakesItsPodIfNobodyIsThereToBeAnswered) {
  Intake intake;
  intake.Tell(Synchronised{});
  intake.AddNodes(1);
  intake.Tell(PodChanged{PodBuilder("single").Gpus(1).Build()});
  for (const char* error : {"", "etcd is away"}) {
    StartBinding(&intake.state, intake.pod("single"), 0, 3);
    intake.Tell(CallerGone{3});
    intake.TakeEffects();
    intake.Tell(BindingFinished{{"uid-single"}, error});
    if (error[0] == '\0') {
      EXPECT_THAT(intake.TakeEffects(), IsEmpty());
    } else {
      EXPECT_THAT(intake.TakeEffects(), ElementsAre("wake single"));
    }
  }
}

TEST(FactsIntakeTest, TheTurnOfAMemberCountsFromWhenOurSchedulerWouldFirstTryIt) {
  Intake intake;
  const absl::Time created = intake.now - absl::Hours(1);
  intake.Tell(PodChanged{Member("early").Created(created).Build()});
  EXPECT_EQ(intake.pod("early")->eligible_since, created) << "whatever order the first lists have";
  EXPECT_EQ(intake.pod("early")->eligible_sequence, 1);
  intake.Tell(Synchronised{});
  intake.Tell(PodChanged{Member("late").Created(created).Build()});
  intake.Tell(PodChanged{Member("gated").Created(created).Gates(1).Build()});
  EXPECT_EQ(intake.pod("late")->eligible_since, intake.now);
  EXPECT_EQ(intake.pod("late")->eligible_sequence, 2);
  EXPECT_EQ(intake.pod("gated")->eligible_sequence, 0);
  const absl::Time before = intake.now;
  intake.now += absl::Seconds(1);
  intake.Tell(PodChanged{Member("late").Created(created).Label("x", "y").Build()});
  intake.Tell(PodChanged{Member("gated").Created(created).Build()});
  EXPECT_EQ(intake.pod("late")->eligible_since, before) << "it was eligible all the time";
  EXPECT_EQ(intake.pod("gated")->eligible_since, intake.now);
  EXPECT_EQ(intake.pod("gated")->eligible_sequence, 3);
}

TEST(FactsIntakeTest, AChangedPodGroupLosesItsTurnOnlyIfItsMembersDidNotAllExist) {
  Intake intake;
  intake.Tell(Synchronised{});
  intake.Tell(PodGroupChanged{PodGroupBuilder("g", 2).Build()});
  intake.Tell(PodChanged{Member("g-0").Build()});
  const absl::Time before = intake.now;
  EXPECT_EQ(intake.gang("g")->group_since, before);
  intake.now += absl::Seconds(1);
  intake.Tell(PodGroupChanged{PodGroupBuilder("g", 1).Build()});
  EXPECT_EQ(intake.gang("g")->group_since, intake.now) << "only now it is complete";
  const absl::Time complete = intake.now;
  intake.now += absl::Seconds(1);
  intake.Tell(PodGroupChanged{PodGroupBuilder("g", 3).Build()});
  EXPECT_EQ(intake.gang("g")->group_since, complete) << "it had all it needed";
  intake.Tell(PodGroupChanged{PodGroupBuilder("g", 3).Uid("second").Build()});
  EXPECT_EQ(intake.gang("g")->group_since, intake.now);
}

TEST(FactsIntakeTest, WhoAskedTooEarlyIsWokenOnceUnlessItIsOver) {
  Intake intake;
  intake.Tell(PodChanged{PodBuilder("early").Build()});
  intake.Tell(PodChanged{PodBuilder("bound").On("a-1").Build()});
  for (const char* name : {"early", "bound", "late", "late-bound", "deleted"}) {
    intake.state.asked_unknown.insert(PodUid{absl::StrCat("uid-", name)});
  }
  EXPECT_THAT(intake.TakeEffects(), IsEmpty());
  intake.Tell(Synchronised{});
  EXPECT_THAT(intake.TakeEffects(), ElementsAre("wake early"));
  intake.Tell(PodChanged{PodBuilder("late").Build()});
  intake.Tell(PodChanged{PodBuilder("late-bound").On("a-1").Build()});
  intake.Tell(PodGone{{"uid-deleted"}});
  intake.Tell(PodChanged{PodBuilder("deleted").Build()});
  intake.Tell(PodChanged{PodBuilder("late").Build()});
  EXPECT_THAT(intake.TakeEffects(), ElementsAre("wake late"));
}

TEST(FactsIntakeTest, AtTheFirstSynchronisationEveryPodThatMayPassIsWokenOnce) {
  Intake intake;
  intake.AddNodes(1);
  intake.Tell(PodChanged{PodBuilder("fits").Gpus(1).Build()});
  intake.Tell(PodChanged{PodBuilder("too-large").Gpus(2).Build()});
  intake.Tell(PodChanged{PodBuilder("gated").Gpus(1).Gates(1).Build()});
  intake.Tell(PodChanged{PodBuilder("others").Gpus(1).Scheduler("other").Build()});
  intake.Tell(PodChanged{PodBuilder("bound").On("a-1").Build()});
  intake.Settle();
  EXPECT_THAT(intake.TakeEffects(), IsEmpty());
  intake.Tell(Synchronised{});
  intake.Settle();
  EXPECT_THAT(intake.TakeEffects(), ElementsAre("wake fits"));
  intake.Tell(NodeChanged{NodeBuilder("a-2").Rack("a").Gpus(1).Build()});
  intake.Settle();
  EXPECT_THAT(intake.TakeEffects(), IsEmpty());
}

TEST(FactsIntakeTest, ARefusedMemberIsRememberedByTheGangItMovesToAndWokenIfItMovesToNone) {
  for (const bool to_other : {true, false}) {
    Intake intake;
    intake.Tell(Synchronised{});
    intake.Tell(PodChanged{Member("g-0").Build()});
    intake.Tell(PodChanged{Member("g-1").Build()});
    intake.gang("g")->refused[PodUid{"uid-g-0"}] = Reason{};
    intake.Tell(PodChanged{Member("g-0", to_other ? "h" : "").Build()});
    intake.Tell(PodChanged{Member("g-1", to_other ? "h" : "").Build()});
    EXPECT_THAT(intake.gang("g")->refused, IsEmpty());
    EXPECT_THAT(intake.gang("g")->members, IsEmpty());
    if (to_other) {
      EXPECT_THAT(intake.TakeEffects(), IsEmpty());
      EXPECT_EQ(intake.gang("h")->refused.size(), 1u);
      EXPECT_TRUE(intake.gang("h")->refused.contains(PodUid{"uid-g-0"}));
    } else {
      EXPECT_THAT(intake.TakeEffects(), ElementsAre("wake g-0"));
    }
  }
}

TEST(FactsIntakeTest, ARefusedPodThatIsOverIsForgottenAndOneThatIsNotIsKept) {
  for (const bool over : {true, false}) {
    Intake intake;
    intake.Tell(Synchronised{});
    intake.Tell(PodChanged{Member("g-0").Build()});
    intake.Tell(PodChanged{PodBuilder("single").Build()});
    intake.gang("g")->refused[PodUid{"uid-g-0"}] = Reason{};
    intake.state.refused_singles[PodUid{"uid-single"}] = Reason{};
    intake.Tell(PodChanged{Member("g-0").Label("x", "y").Terminating(over).Build()});
    intake.Tell(PodChanged{PodBuilder("single").On(over ? "elsewhere" : "").Build()});
    EXPECT_EQ(intake.gang("g")->refused.empty(), over);
    EXPECT_EQ(intake.state.refused_singles.empty(), over);
    EXPECT_THAT(intake.TakeEffects(), IsEmpty());
  }
}

TEST(FactsIntakeTest, AChangedPodGroupOrANewMemberEndsTheWaitForACallAfterAFailure) {
  const std::vector<Fact> ends = {PodGroupChanged{PodGroupBuilder("g", 2).Build()},
                                  PodChanged{Member("g-3").Build()}};
  const std::vector<Fact> others = {PodGroupChanged{PodGroupBuilder("g", 3).Build()},
                                    PodChanged{Member("g-1").Label("x", "y").Build()}};
  const auto holds_after = [](const Fact& fact) {
    WaitingGang intake;
    UnwindGang(&intake.state, intake.gang("g"), Reason{}, intake.now);
    intake.Settle();
    EXPECT_FALSE(intake.gang("g")->plan.has_value());
    intake.Tell(fact);
    intake.Settle();
    return intake.gang("g")->plan.has_value();
  };
  for (const Fact& fact : ends) EXPECT_TRUE(holds_after(fact)) << fact.index();
  for (const Fact& fact : others) EXPECT_FALSE(holds_after(fact)) << fact.index();
}

TEST(FactsIntakeTest, ANodesChangeMarksWhoHoldsItAndWhoRunsOnItAndNobodyElse) {
  WaitingGang intake;
  intake.Tell(NodeChanged{NodeBuilder("b-1").Rack("b").Gpus(1).Build()});
  intake.Tell(PodChanged{Member("r-0", "runs-on-b").On("b-1").Build()});
  intake.Tell(PodChanged{Member("o-0", "elsewhere").On("c-1").Build()});
  intake.Settle();
  intake.Tell(NodeChanged{NodeBuilder("a-2").Rack("a").Gpus(1).Cordoned().Build()});
  EXPECT_THAT(intake.state.marked, ElementsAre(intake.gang("g")));
  intake.Settle();
  intake.Tell(NodeGone{"b-1"});
  EXPECT_THAT(intake.state.marked, ElementsAre(intake.gang("runs-on-b")));
}

TEST(FactsIntakeTest, ANamespacesChangeMarksTheGangsInItAndNotThoseOfItsNeighbours) {
  Intake intake;
  intake.Tell(Synchronised{});
  for (const char* name : {"n", "n-1", "n1"}) {
    intake.Tell(PodGroupChanged{PodGroupBuilder("g", 1).Namespace(name).Build()});
  }
  intake.Settle();
  intake.Tell(NamespaceChanged{{"n", {{"team", "a"}}}});
  ASSERT_EQ(intake.state.marked.size(), 1u);
  EXPECT_EQ(intake.state.marked.front()->name.namespace_name, "n");
  intake.Settle();
  intake.Tell(NamespaceGone{"n-1"});
  ASSERT_EQ(intake.state.marked.size(), 1u);
  EXPECT_EQ(intake.state.marked.front()->name.namespace_name, "n-1");
}

}  // namespace
}  // namespace gangpack
