// Pods that are placed one by one: which nodes they may use, and what a bind may take from a hold.
#include "core/single_pods.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/engine_world.h"
#include "tests/support/object_builders.h"

namespace gangpack {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr char kReserved[] = "node is reserved for a forming gang";

Policy PackedByRack() {
  Policy policy;
  policy.default_topology_key = std::string(kRack);
  return policy;
}

// Rack a, held by gang g of two, which is planned on a-1 and a-2, and a standalone pod.
struct HeldRack : EngineWorld {
  explicit HeldRack(int nodes) {
    AddRack("a", nodes);
    AddGang("g", 2);
    Set(PodBuilder("single").Gpus(1).Build());
  }
};

// Gang g is complete on a-1 and a-2 and has the surplus member g-2.
struct WithSurplus : EngineWorld {
  WithSurplus() {
    AddRack("a", 4);
    AddGang("g", 2);
    AddRack("b", 1);
    Set(NodeBuilder("unlabelled").Gpus(1).Build());
    ScheduleMembers("g", 0, 1);
    AddMembers("g", 2, 2);
    TakeBindings();
  }
};

TEST(FilterStandaloneTest, EveryNodeThatNoFormingGangHoldsMayBeUsed) {
  HeldRack world(3);
  world.AddRack("b", 1);
  world.Occupy("b-1", 1);
  world.Set(NodeBuilder("unlabelled").Build());
  EXPECT_EQ(world.Filter("single"), "b-1,unlabelled") << "kube-scheduler judges the room";
  EXPECT_EQ(world.Filter("single", {"a-3"}), absl::StrCat("refused: ", kReserved));
  world.ScheduleMembers("g", 0, 1);
  EXPECT_EQ(world.Filter("single"), "a-1,a-2,a-3,b-1,unlabelled");
}

TEST(FilterStandaloneTest, WhatAnotherSchedulerHasNominatedOnANodeCountsThere) {
  EngineWorld world;
  world.AddRack("a", 2);
  world.Set(PodBuilder("other").Scheduler("other").Gpus(1).Nominated("a-1"));
  world.Set(PodBuilder("single").Gpus(1));
  EXPECT_EQ(world.Filter("single"), "a-2");
  EXPECT_EQ(world.Filter("single", {"a-1"}),
            "refused: node has no room beside the bindings and nominations under way");
  EXPECT_EQ(world.PodViewOf("single").message,
            "node has no room beside the bindings and nominations under way: a-1 short of "
            "nvidia.com/gpu: needs 1, free 0");
  world.Set(PodBuilder("light").CpuMilli(0));
  EXPECT_EQ(world.Filter("light"), "a-1,a-2") << "it takes no GPU";
  world.Set(PodBuilder("other").Scheduler("other").Gpus(1));
  EXPECT_EQ(world.Filter("single"), "a-1,a-2") << "it is nominated no longer";
}

TEST(FilterStandaloneTest, ListsNodesOnlyWhereNotAllAreRefusedForOneReason) {
  HeldRack world(2);
  const FilterDecision one = world.Decide("single", {"a-1", "a-2"});
  ASSERT_EQ(one.refusals.size(), 1u);
  EXPECT_TRUE(one.refusals[0].all_others);
  EXPECT_THAT(one.refusals[0].nodes, IsEmpty());
  const FilterDecision two = world.Decide("single", {"a-1", "unknown", "a-2"});
  ASSERT_EQ(two.refusals.size(), 2u);
  for (const FilterDecision::Refusal& refusal : two.refusals) EXPECT_FALSE(refusal.all_others);
  EXPECT_THAT(two.refusals[0].nodes, ElementsAre(0, 2));
  EXPECT_THAT(two.refusals[1].nodes, ElementsAre(1));
}

TEST(FilterSurplusTest, OnlyNodesOfTheGangsDomainThatNoGangHoldsMayBeUsed) {
  WithSurplus world;
  EXPECT_EQ(world.Filter("g-2"), "a-1,a-2,a-3,a-4");
  EXPECT_EQ(world.Filter("g-2", {"b-1", "unlabelled"}),
            "refused: node not in gang's pinned domain a");
  world.AddGang("h", 2);
  EXPECT_EQ(world.Filter("g-2", {"a-3"}), absl::StrCat("refused: ", kReserved));
}

TEST(FilterSurplusTest, OfAGangWithoutADomainMayUseAnyDomainOfTheKey) {
  WithSurplus world;
  for (const char* member : {"g-0", "g-1"}) {
    world.Set(PodBuilder(member).Gang("g").Gpus(1).Phase(PodPhase::kSucceeded).Build());
  }
  EXPECT_EQ(world.Filter("g-2"), "a-1,a-2,a-3,a-4,b-1") << "the unlabelled node is in none";
  EXPECT_EQ(world.AnswerTo(world.Bind("g-2", "b-1")), "bound");
  world.AddMembers("g", 3, 3);
  EXPECT_EQ(world.Filter("g-3"), "b-1") << "where it now has a member";
}

TEST(RefusedSingleTest, TheMostTellingReasonIsRememberedUntilSomeNodeIsAccepted) {
  WithSurplus world;
  world.AddGang("h", 2);  // holds what is left of rack a
  const auto remembered = [&](const std::vector<std::string>& nodes) {
    world.Decide("g-2", nodes);
    return world.PodViewOf("g-2").message;
  };
  EXPECT_EQ(remembered({"unknown"}), "node is not known yet");
  EXPECT_EQ(remembered({"unknown", "b-1"}), "node not in gang's pinned domain a");
  EXPECT_EQ(remembered({"unknown", "b-1", "a-3"}), absl::StrCat(kReserved, ": a held by ns/h"));
  world.ScheduleMembers("h", 0, 1);
  EXPECT_THAT(world.TakeWoken(), IsEmpty()) << "the rack is full";
  EXPECT_EQ(remembered({"a-3"}), "");
}

TEST(BindTest, StandalonePodsAndSurplusMembersAreBoundAtOnce) {
  WithSurplus world;
  world.Set(PodBuilder("single").Gpus(1).Build());
  world.HoldBindings(true);
  const CallId single = world.Bind("single", "b-1");
  const CallId surplus = world.Bind("g-2", "a-3");
  EXPECT_THAT(world.TakeBindings(), ElementsAre("single@b-1", "g-2@a-3"));
  EXPECT_EQ(world.AnswerTo(single), "held") << "the result is not known yet";
  world.FinishBinding("single", "");
  world.FinishBinding("g-2", "");
  EXPECT_EQ(world.AnswerTo(single), "bound");
  EXPECT_EQ(world.AnswerTo(surplus), "bound");
}

TEST(BindTest, ASurplusMemberIsNotBoundOutsideItsGangsDomain) {
  WithSurplus world;
  for (const char* node : {"b-1", "unlabelled"}) {
    EXPECT_EQ(world.AnswerTo(world.Bind("g-2", node)), "node not in gang's pinned domain a");
  }
  EXPECT_THAT(world.TakeBindings(), IsEmpty());
  EXPECT_EQ(world.AnswerTo(world.Bind("g-2", "a-4")), "bound");
}

TEST(BindOnHeldNodeTest, IsAcceptedIfThePlanStandsOrCanBeRemadeWithoutThatRoom) {
  struct Case {
    int nodes;
    const char* node;
    const char* answer;
    const char* plan;  // where g-0 and g-1 go then
  };
  for (const Case& c : {Case{3, "a-3", "bound", "a-1 a-2"}, Case{3, "a-1", "bound", "a-2 a-3"},
                        Case{2, "a-1", kReserved, "a-1 a-2"}}) {
    HeldRack world(c.nodes);
    EXPECT_EQ(world.AnswerTo(world.Bind("single", c.node)), c.answer);
    EXPECT_EQ(world.NodeOf("single"), c.answer == std::string("bound") ? c.node : "");
    EXPECT_EQ(world.Holds(), "a:g");
    EXPECT_EQ(absl::StrCat(world.Filter("g-0"), " ", world.Filter("g-1")), c.plan);
  }
}

TEST(BindOnHeldNodeTest, NeverTakesTheRoomOfAMemberThatWaits) {
  HeldRack world(3);
  const CallId call = world.Schedule("g-0");
  EXPECT_EQ(world.AnswerTo(world.Bind("single", "a-1")), kReserved);
  EXPECT_EQ(world.AnswerTo(world.Bind("single", "a-2")), "bound");
  EXPECT_EQ(world.AnswerTo(call), "held");
  EXPECT_EQ(world.Filter("g-1"), "a-3");
}

TEST(BindOnHeldNodeTest, TheSameHoldsForSurplusMembersOfOtherGangs) {
  for (const int size : {2, 3}) {
    WithSurplus world;  // three nodes of the rack are left
    world.Set(NodeBuilder("a-5").Rack("a").Gpus(1).Build());
    world.AddGang("h", size);
    EXPECT_EQ(world.Holds(), "a:h");
    EXPECT_EQ(world.AnswerTo(world.Bind("g-2", "a-5")), size == 2 ? "bound" : kReserved);
  }
}

TEST(BindOnHeldNodeTest, EveryGangThatHoldsTheNodeMustBeAbleToSpareIt) {
  for (const bool spare : {true, false}) {
    HeldRack world(2);
    for (int i = 1; i <= (spare ? 3 : 2); ++i) {
      world.Set(NodeBuilder(absl::StrCat("z-", i)).Label("zone", "z").Gpus(1).Build());
    }
    world.AddGang("h", 2);
    world.Set(PodGroupBuilder("h", 2).TopologyKey("zone").Build());
    world.Set(NodeBuilder("z-2").Rack("a").Label("zone", "z").Gpus(1).Build());
    EXPECT_EQ(world.Holds(), "a:g,z:h");
    EXPECT_EQ(world.AnswerTo(world.Bind("single", "z-2")), spare ? "bound" : kReserved);
    EXPECT_EQ(world.Filter("h-1"), spare ? "z-3" : "z-2");
    EXPECT_EQ(world.Filter("g-1"), "a-2");
  }
}

TEST(BindTest, RoomIsCheckedOnlyBesideBindingsThatAreUnderWay) {
  EngineWorld world;
  world.AddRack("a", 1, 2);
  world.Set(NodeBuilder("ports").Build());
  for (const char* pod : {"s-1", "s-2", "s-3"}) world.Set(PodBuilder(pod).Gpus(1).Build());
  for (const char* pod : {"p-1", "p-2"}) world.Set(PodBuilder(pod).HostPort(80).Build());
  world.HoldBindings(true);
  world.Bind("s-1", "a-1");
  world.Bind("s-2", "a-1");
  world.Bind("p-1", "ports");
  for (const auto& [pod, node] : {std::pair("s-3", "a-1"), {"p-2", "ports"}}) {
    EXPECT_EQ(world.AnswerTo(world.Bind(pod, node)),
              "node has no room beside the bindings and nominations under way")
        << "the same whatever the numbers are";
  }
  EXPECT_THAT(world.TakeBindings(), ElementsAre("s-1@a-1", "s-2@a-1", "p-1@ports"));
  for (const char* pod : {"s-1", "s-2", "p-1"}) world.FinishBinding(pod, "");
  world.Bind("s-3", "a-1");
  world.Bind("p-2", "ports");
  EXPECT_THAT(world.TakeBindings(), ElementsAre("s-3@a-1", "p-2@ports"))
      << "kube-scheduler sees the bound pods and has judged the room";
}

TEST(ScoreStandaloneTest, PodsThatRunEverywhereBreakNoDomainAndUnlabelledNodesAreNeutral) {
  EngineWorld world(PackedByRack());
  world.AddRack("daemons", 1, 4);
  world.AddRack("broken", 1, 4);
  world.Set(NodeBuilder("unlabelled").Gpus(4).Build());
  world.Set(PodBuilder("single").Gpus(1).Build());
  world.Set(PodBuilder("daemon").DaemonSet().Gpus(1).On("daemons-1").Build());
  world.Set(PodBuilder("mirror").Mirror().Gpus(1).On("daemons-1").Build());
  world.Occupy("broken-1", 1);
  const std::vector<int64_t> scores =
      world.Prioritize("single", {"daemons-1", "unlabelled", "broken-1", "unknown"});
  ASSERT_EQ(scores.size(), 4u);
  EXPECT_LT(scores[0], scores[1]);
  EXPECT_LT(scores[1], scores[2]);
  EXPECT_EQ(scores[3], scores[1]);
  world.Occupy("daemons-1", 1);
  const std::vector<int64_t> after = world.Prioritize("single", {"daemons-1", "broken-1"});
  EXPECT_GT(after[0], after[1]) << "both are broken, and more GPUs are in use there";
}

TEST(ScoreStandaloneTest, TheScarcestResourceIsTheOneOfWhichThePodAsksForTheLargestShare) {
  for (const int64_t cpu_milli : {499, 501}) {
    EngineWorld world(PackedByRack());
    // 8000 milli and 16 GPUs in all: a pod of one GPU asks for as large a share as one of 500
    // milli.
    for (const char* rack : {"cpu", "gpu"}) {
      world.Set(NodeBuilder(absl::StrCat(rack, "-1")).Rack(rack).CpuMilli(4000).Gpus(8).Build());
    }
    world.Set(PodBuilder("uses-cpu").CpuMilli(3000).On("cpu-1").Build());
    world.Set(PodBuilder("uses-gpu").Gpus(6).On("gpu-1").Build());
    world.Set(PodBuilder("single").CpuMilli(cpu_milli).Gpus(1).Build());
    const std::vector<int64_t> scores = world.Prioritize("single", {"cpu-1", "gpu-1"});
    ASSERT_EQ(scores.size(), 2u);
    EXPECT_EQ(scores[0] > scores[1], cpu_milli > 500);
    EXPECT_NE(scores[0], scores[1]);
  }
}

TEST(FilterSurplusTest, WithoutALiveSiblingAnyNodeOfTheTopologyKeyMayBeUsed) {
  WithSurplus world;
  for (const char* name : {"g-0", "g-1"}) {
    world.Set(PodBuilder(name).Gang("g").Gpus(1).On("a-1").Phase(PodPhase::kSucceeded).Build());
  }
  EXPECT_EQ(world.Filter("g-2", {"a-1", "b-1"}), "a-1,b-1");
  EXPECT_EQ(world.Filter("g-2", {"unlabelled"}), "refused: node has no value of label rack");
  EXPECT_EQ(world.AnswerTo(world.Bind("g-2", "unlabelled")), "node has no value of label rack");
}

}  // namespace
}  // namespace gangpack
