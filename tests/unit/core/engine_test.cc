// The facade: what is answered before anything is judged, when work is due, and that effects leave
// in order.
#include "core/engine.h"

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/explain.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/engine_world.h"
#include "tests/support/object_builders.h"

namespace gangpack {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

const absl::Time kStart = absl::UnixEpoch() + absl::Hours(24);
constexpr char kUnwound[] = "gang ns/g unwound after a member failed to schedule";
constexpr char kNotSynchronised[] = "the scheduler has not read the whole cluster yet";

// Tells an engine gangs FIRST to FIRST + count - 1 of one member each, without working.
void TellGangs(Engine* engine, int first, int count) {
  for (int i = first; i < first + count; ++i) {
    const std::string gang = absl::StrCat("g", i);
    engine->Apply(PodGroupChanged{PodGroupBuilder(gang, 1).Build()}, kStart);
    engine->Apply(PodChanged{PodBuilder(gang + "-0").Gang(gang).Gpus(1).Build()}, kStart);
  }
}

TEST(Synchronisation, BeforeItEveryFilterAndBindIsRefusedAndNothingIsPlanned) {
  EngineWorld world;
  world.AddRack("a", 1);
  world.AddGang("g", 1);
  world.Set(PodBuilder("single").Gpus(1).Build());
  world.Restart(/*synchronise=*/false);
  world.TakeTransitions();
  EXPECT_FALSE(world.engine().synchronised());
  for (const char* pod : {"g-0", "single", "unknown"}) {
    EXPECT_EQ(world.Filter(pod), absl::StrCat("refused: ", kNotSynchronised));
    EXPECT_EQ(world.AnswerTo(world.Bind(pod, "a-1")), kNotSynchronised);
  }
  EXPECT_EQ(world.Holds(), "");
  EXPECT_EQ(world.engine().NextDeadline(), absl::InfiniteFuture());
  world.Synchronise();
  EXPECT_TRUE(world.engine().synchronised());
  EXPECT_EQ(world.Holds(), "a:g");
  EXPECT_EQ(world.Filter("g-0"), "a-1");
}

TEST(UnknownPod, IsRefusedAndWokenOnceWhenTheWatchShowsIt) {
  EngineWorld world;
  world.AddRack("a", 1);
  EXPECT_EQ(world.Filter("late"), "refused: pod ns/late is not known yet");
  EXPECT_EQ(world.AnswerTo(world.Bind("late", "a-1")), "pod ns/late is not known yet");
  EXPECT_THAT(world.TakeWoken(), IsEmpty());
  world.Set(PodBuilder("late").Build());
  world.Set(PodBuilder("never-asked").Build());
  EXPECT_THAT(world.TakeWoken(), ElementsAre("late"));
  EXPECT_EQ(world.Filter("late"), "a-1");
}

TEST(UnknownPod, NoMoreThanTheLimitAreRememberedAndTheOthersAreToldSo) {
  Policy policy;
  policy.asked_unknown_max = 2;
  Engine engine{policy};
  engine.Apply(Synchronised{}, kStart);
  const auto detail = [&engine](absl::string_view pod) {
    const FilterRequest request{{absl::StrCat("uid-", pod)}, {"ns", std::string(pod)}, {}};
    return DetailedText(engine.Filter(request, kStart).refusals.at(0).reason);
  };
  EXPECT_EQ(detail("p-1"), "pod ns/p-1 is not known yet");
  EXPECT_EQ(detail("p-2"), "pod ns/p-2 is not known yet");
  EXPECT_EQ(
      detail("p-3"),
      "pod ns/p-3 is not known yet: nothing wakes it, since asked_unknown_max pods are waited "
      "for");
  EXPECT_EQ(detail("p-2"), "pod ns/p-2 is not known yet") << "it is remembered already";
  engine.Apply(PodChanged{PodBuilder("p-3").Build()}, kStart);
  EXPECT_THAT(engine.DrainEffects(), IsEmpty());
  engine.Apply(PodChanged{PodBuilder("p-2").Build()}, kStart);
  EXPECT_EQ(engine.DrainEffects().size(), 1u);
}

TEST(OverPod, IsRefusedWithWhatBecameOfIt) {
  EngineWorld world;
  world.AddRack("a", 2);
  world.Set(PodBuilder("bound").On("a-1").Build());
  world.Set(PodBuilder("done").Phase(PodPhase::kSucceeded).Build());
  world.Set(PodBuilder("failed").Phase(PodPhase::kFailed).Build());
  world.Set(PodBuilder("leaving").Terminating().Build());
  world.Set(PodBuilder("pending").Build());
  for (const auto& [pod, note] :
       {std::pair("bound", "it is bound to a-1"), std::pair("done", "it has finished"),
        std::pair("failed", "it has finished"), std::pair("leaving", "it is being deleted")}) {
    const FilterDecision decision = world.Decide(pod, {"a-1", "a-2"});
    EXPECT_THAT(decision.accepted, IsEmpty());
    ASSERT_EQ(decision.refusals.size(), 1u);
    EXPECT_TRUE(decision.refusals[0].all_others);
    EXPECT_EQ(decision.refusals[0].reason.code, ReasonCode::kPodNotPlaceable);
    EXPECT_EQ(decision.refusals[0].reason.note, note);
    EXPECT_EQ(world.AnswerTo(world.Bind(pod, "a-2")),
              absl::StrCat("pod ns/", pod, " is not to be placed: ", note));
    EXPECT_EQ(world.Filter(pod),
              absl::StrCat("refused: pod ns/", pod, " is not to be placed: ", note));
  }
  EXPECT_EQ(world.Filter("pending"), "a-1,a-2");
}

TEST(Filter, PutsEveryOfferedNodeInOnePlace) {
  EngineWorld world;
  world.AddRack("a", 1);
  world.AddGang("g", 1);
  world.AddRack("b", 1);
  world.Set(PodBuilder("single").Gpus(1).Build());
  const FilterDecision decision = world.Decide("single", {"unknown", "b-1", "a-1"});
  EXPECT_THAT(decision.accepted, ElementsAre(1));
  ASSERT_EQ(decision.refusals.size(), 2u);
  EXPECT_THAT(decision.refusals[0].nodes, ElementsAre(2));
  EXPECT_EQ(decision.refusals[0].reason.code, ReasonCode::kNodeReserved);
  EXPECT_THAT(decision.refusals[1].nodes, ElementsAre(0));
  EXPECT_EQ(decision.refusals[1].reason.code, ReasonCode::kNodeUnknown);
}

TEST(Filter, WhileThePodIsBeingBoundAcceptsThatNodeOnly) {
  EngineWorld world;
  world.AddRack("a", 2);
  world.Set(PodBuilder("single").Gpus(1).Build());
  world.HoldBindings(true);
  world.Bind("single", "a-2");
  EXPECT_EQ(world.Filter("single"), "a-2");
  EXPECT_EQ(world.Filter("single", {"a-1"}),
            "refused: pod ns/single is not to be placed: it is bound to a-2");
  world.FinishBinding("single", "etcd is away");
  EXPECT_EQ(world.Filter("single"), "a-1,a-2");
}

TEST(Bind, OfTheSamePodToTheSameNodeIsDoneOnceAndAnsweredEachTime) {
  EngineWorld world;
  world.AddRack("a", 2);
  world.Set(PodBuilder("single").Gpus(1).Build());
  world.HoldBindings(true);
  const CallId first = world.Bind("single", "a-1");
  const CallId second = world.Bind("single", "a-1");
  const CallId other_node = world.Bind("single", "a-2");
  EXPECT_EQ(world.AnswerTo(first), "held");
  EXPECT_EQ(world.AnswerTo(second), "held");
  EXPECT_EQ(world.AnswerTo(other_node), "pod ns/single is not to be placed: it is bound to a-1");
  world.FinishBinding("single", "");
  EXPECT_EQ(world.AnswerTo(first), "bound");
  EXPECT_EQ(world.AnswerTo(second), "bound");
  EXPECT_EQ(world.AnswerTo(world.Bind("single", "a-1")), "bound");
  EXPECT_EQ(world.AnswerTo(world.Bind("single", "a-2")),
            "pod ns/single is not to be placed: it is bound to a-1");
  EXPECT_THAT(world.TakeBindings(), ElementsAre("single@a-1"));
  for (const CallId call : {first, second, other_node}) EXPECT_EQ(world.AnswersTo(call), 1);
}

TEST(Bind, ToANodeThatDoesNotExistIsRefused) {
  EngineWorld world;
  world.AddRack("a", 1);
  world.AddGang("g", 1);
  world.Set(PodBuilder("single").Build());
  world.Set(PodBuilder("on-ghost").On("ghost").Build());
  for (const char* pod : {"single", "g-0"}) {
    EXPECT_EQ(world.AnswerTo(world.Bind(pod, "ghost")), "node ghost is not known yet");
  }
  world.DeleteNode("a-1");
  EXPECT_EQ(world.AnswerTo(world.Bind("single", "a-1")), "node a-1 is not known yet");
  EXPECT_THAT(world.TakeBindings(), IsEmpty());
}

TEST(Call, ThatNamesAnotherPodThanTheOneOfItsUidIsRefusedWithBothNames) {
  EngineWorld world;
  world.AddRack("a", 1);
  world.Set(PodBuilder("single").Build());
  const PodUid uid{"uid-single"};
  for (const NamespacedName& other : {NamespacedName{"ns", "other"}, {"elsewhere", "single"}}) {
    const std::string why = absl::StrCat("pod ", other.ToString(),
                                         " is not to be placed: its UID is that of pod ns/single");
    world.engine().Bind({1000, uid, other, "a-1"}, world.now());
    const std::vector<Effect> effects = world.engine().DrainEffects();
    ASSERT_EQ(effects.size(), 1u);
    EXPECT_EQ(std::get<AnswerCall>(effects[0]).error, why);
    const std::vector<absl::string_view> nodes = {"a-1"};
    const FilterDecision decision = world.engine().Filter({uid, other, nodes}, world.now());
    ASSERT_EQ(decision.refusals.size(), 1u);
    EXPECT_EQ(Text(decision.refusals[0].reason), why);
  }
  EXPECT_EQ(world.Filter("single"), "a-1");
  EXPECT_EQ(world.AnswerTo(world.Bind("single", "a-1")), "bound");
}

TEST(Prioritize, ScoresPodsThatArePackedAndNobodyElse) {
  Policy policy;
  policy.default_topology_key = "rack";
  for (const bool packing : {true, false}) {
    policy.standalone_domain_packing = packing;
    EngineWorld world(policy);
    world.AddRack("a", 1);
    world.AddRack("b", 2);
    world.Occupy("b-1", 1);
    world.Set(PodBuilder("single").Gpus(1).Build());
    world.Set(PodBuilder("member").Gang("g").Gpus(1).Build());
    const std::vector<int64_t> scores = world.Prioritize("single", {"a-1", "b-2"});
    ASSERT_EQ(scores.size(), 2u);
    if (packing) {
      EXPECT_GT(scores[1], scores[0]) << "b is broken already";
    } else {
      EXPECT_THAT(scores, Each(0));
    }
    EXPECT_THAT(world.Prioritize("member", {"a-1", "b-2"}), ElementsAre(0, 0));
    EXPECT_THAT(world.Prioritize("unknown", {"a-1", "b-2"}), ElementsAre(0, 0));
    EXPECT_THAT(world.Prioritize("single", {}), IsEmpty());
  }
}

TEST(NextDeadline, IsAtOnceWhileGangsAreToBeJudgedThenThatOfTheFirstHoldAndElseNever) {
  Engine engine{Policy()};
  engine.Apply(Synchronised{}, kStart);
  EXPECT_EQ(engine.NextDeadline(), absl::InfiniteFuture());
  engine.Apply(NodeChanged{NodeBuilder("a-1").Rack("a").Gpus(1).Build()}, kStart);
  TellGangs(&engine, 0, 1);
  EXPECT_EQ(engine.NextDeadline(), absl::InfinitePast());
  EXPECT_FALSE(engine.Work(kStart));
  EXPECT_EQ(engine.NextDeadline(), kStart + absl::Seconds(600));
  engine.Apply(PodGone{{"uid-g0-0"}}, kStart);
  EXPECT_FALSE(engine.Work(kStart));
  EXPECT_EQ(engine.NextDeadline(), absl::InfiniteFuture());
}

TEST(Tick, EndsEveryHoldThatIsDueAndNoOther) {
  EngineWorld world;
  for (const char* rack : {"a", "b", "c"}) world.AddRack(rack, 2);
  const auto add = [&](absl::string_view gang, int64_t seconds) {
    world.Set(PodGroupBuilder(gang, 2).TimeoutSeconds(seconds).Build());
    world.AddMembers(gang, 0, 1);
  };
  add("g", 60);
  add("h", 60);
  add("i", 61);
  const CallId waits = world.Schedule("g-0");
  world.TakeTransitions();
  world.Advance(absl::Seconds(60) - absl::Nanoseconds(1));
  EXPECT_EQ(world.Holds(), "a:g,b:h,c:i");
  world.Advance(absl::Nanoseconds(1));
  EXPECT_EQ(world.Holds(), "c:i");
  EXPECT_EQ(world.AnswerTo(waits), kUnwound);
  EXPECT_THAT(world.TakeTransitions(), ElementsAre("Unwound g a", "Released h b"));
  EXPECT_EQ(world.ViewOf("h").message,
            "gang ns/h unwound after a member failed to schedule: no member came within 1m, with "
            "0 of 2 placed");
}

TEST(Work, IsDoneInSlicesAndSaysWhenItIsLeft) {
  Policy policy;
  policy.judged_gangs_per_slice = 2;
  Engine engine(policy);
  engine.Apply(Synchronised{}, kStart);
  TellGangs(&engine, 0, 3);
  engine.DrainEffects();
  const auto judged = [&] {
    int count = 0;
    for (const GangView& view : engine.Gangs()) count += view.state == GangState::kBlocked ? 1 : 0;
    return count;
  };
  EXPECT_EQ(judged(), 0);
  EXPECT_TRUE(engine.Work(kStart)) << "the third gang";
  EXPECT_TRUE(engine.Work(kStart)) << "three wanting gangs are to be tried, one was";
  EXPECT_EQ(judged(), 1);
  EXPECT_FALSE(engine.Work(kStart));
  EXPECT_EQ(judged(), 3);
  EXPECT_FALSE(engine.Work(kStart));
}

TEST(Work, AMembersOwnGangIsJudgedBeforeItsAnswerWhateverElseIsLeft) {
  Policy policy;
  policy.judged_gangs_per_slice = 1;
  Engine engine(policy);
  engine.Apply(Synchronised{}, kStart);
  engine.Apply(NodeChanged{NodeBuilder("a-1").Rack("a").Gpus(1).Build()}, kStart);
  TellGangs(&engine, 0, 5);
  const std::vector<absl::string_view> nodes = {"a-1"};
  EXPECT_THAT(engine.Filter({{"uid-g4-0"}, {"ns", "g4-0"}, nodes}, kStart).accepted,
              ElementsAre(0));
  EXPECT_TRUE(engine.Work(kStart));
}

TEST(DrainEffects, MovesThemOutOnceInTheOrderTheyCame) {
  Engine engine{Policy()};
  engine.Apply(Synchronised{}, kStart);
  engine.Apply(NodeChanged{NodeBuilder("a-1").Rack("a").Gpus(1).Build()}, kStart);
  engine.Apply(PodChanged{PodBuilder("single").Gpus(1).Build()}, kStart);
  engine.Bind({1, {"uid-unknown"}, {"ns", "unknown"}, "a-1"}, kStart);
  engine.Bind({2, {"uid-single"}, {"ns", "single"}, "a-1"}, kStart);
  engine.Apply(BindingFinished{{"uid-single"}, ""}, kStart);
  const std::vector<Effect> effects = engine.DrainEffects();
  ASSERT_EQ(effects.size(), 3u);
  EXPECT_EQ(std::get<AnswerCall>(effects[0]).call, 1u);
  EXPECT_EQ(std::get<BindPod>(effects[1]).node, "a-1");
  EXPECT_EQ(std::get<AnswerCall>(effects[2]).call, 2u);
  EXPECT_EQ(std::get<AnswerCall>(effects[2]).error, "");
  EXPECT_THAT(engine.DrainEffects(), IsEmpty());
}

TEST(Construction, StopsOnAPolicyThatIsNotValid) {
  Policy policy;
  policy.judged_gangs_per_slice = 1;
  EXPECT_TRUE(Engine(policy).CheckInvariants().ok());
  policy.judged_gangs_per_slice = 0;
  EXPECT_DEATH(Engine{policy}, "broken invariant");
}

}  // namespace
}  // namespace gangpack
