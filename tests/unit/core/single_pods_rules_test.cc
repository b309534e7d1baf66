// Pods that are placed one by one, and the rules between pods.
#include <string>

#include "absl/strings/str_cat.h"
#include "core/single_pods.h"
#include "gtest/gtest.h"
#include "tests/support/engine_world.h"
#include "tests/support/object_builders.h"

namespace gangpack {
namespace {

constexpr char kNoNode[] = "pinned domain a has no node feasible for gang member ns/s";

PodBuilder Role(const std::string& name, const std::string& role) {
  return PodBuilder(name).Label("role", role).Gang("g").Gpus(1);
}

// Gang g is complete with p0 of role w on a-1; rack a has a-1 and a-2, of two GPUs each.
struct Complete : EngineWorld {
  explicit Complete(const PodBuilder& first = Role("p0", "w")) {
    AddRack("a", 2, 2);
    Set(PodGroupBuilder("g", 1).Build());
    Set(first.Build());
    Bind("p0", Filter("p0"));
  }
};

TEST(SinglePodsRulesTest, ASurplusMemberKeepsAwayFromTheSiblingsThatItRepels) {
  Complete world;
  ASSERT_EQ(world.NodeOf("p0"), "a-1");
  world.Set(Role("s", "x").AntiAffinity(TermFor(kHostnameLabel, "role", "w")).Build());
  EXPECT_EQ(world.Filter("s"), "a-2");
  EXPECT_EQ(world.AnswerTo(world.Bind("s", "a-1")), kNoNode);
  EXPECT_EQ(world.AnswerTo(world.Bind("s", "a-2")), "bound");
}

TEST(SinglePodsRulesTest, AndFromThoseThatRepelIt) {
  Complete world(Role("p0", "w").AntiAffinity(TermFor(kHostnameLabel, "role", "x")));
  world.Set(Role("s", "x").Build());
  EXPECT_EQ(world.Filter("s"), "a-2");
  world.Set(Role("t", "y").Build());
  EXPECT_EQ(world.Filter("t"), "a-1,a-2");
}

TEST(SinglePodsRulesTest, ItStaysWithTheSiblingThatItNeeds) {
  Complete world;
  world.Set(Role("s", "x").Affinity(TermFor(kHostnameLabel, "role", "w")).Build());
  EXPECT_EQ(world.Filter("s"), "a-1");
  EXPECT_EQ(world.AnswerTo(world.Bind("s", "a-2")), kNoNode);
}

TEST(SinglePodsRulesTest, ItWaitsForASiblingThatHasNoNodeYet) {
  Complete world;
  world.Set(Role("s", "x").Affinity(TermFor(kHostnameLabel, "role", "l")).Build());
  EXPECT_EQ(world.Filter("s"), absl::StrCat("refused: ", kNoNode)) << "nobody is selected at all";
  world.Set(Role("l", "l").Build());
  EXPECT_EQ(world.Filter("s"), "refused: waiting for gang sibling ns/l to be placed");
  EXPECT_EQ(world.AnswerTo(world.Bind("s", "a-1")), "waiting for gang sibling ns/l to be placed");
  world.TakeWoken();
  world.Bind("l", "a-2");
  EXPECT_EQ(world.TakeWoken(), std::vector<std::string>{"s"});
  EXPECT_EQ(world.Filter("s"), "a-2");
}

TEST(SinglePodsRulesTest, WhereTheyExcludeEveryNodeItIsToldAndWokenWhenTheGangChanges) {
  Complete world;
  world.Set(Role("s", "x").AntiAffinity(TermFor(kRack, "role", "w")).Build());
  EXPECT_EQ(world.Filter("s"), absl::StrCat("refused: ", kNoNode));
  EXPECT_EQ(world.PodViewOf("s").message,
            absl::StrCat(kNoNode,
                         ": domain a: room for 0 of 1 (a-1: its anti-affinity shuns ns/p0 in "
                         "rack=a, a-2: its anti-affinity shuns ns/p0 in rack=a)"));
  world.Set(Role("t", "y").Build());
  world.Bind("t", "a-2");
  EXPECT_EQ(world.TakeWoken(), std::vector<std::string>{"s"});
  EXPECT_EQ(world.Filter("s"), absl::StrCat("refused: ", kNoNode));
  world.DeletePod("p0");
  EXPECT_EQ(world.TakeWoken(), std::vector<std::string>{"s"});
  EXPECT_EQ(world.Filter("s"), "a-1") << "one node is the answer for a pod with such rules";
}

TEST(SinglePodsRulesTest, AMemberWithoutRoomIsToldWhatItLacks) {
  Complete world;
  world.Occupy("a-1", 1);
  world.Occupy("a-2", 1);
  world.AddRack("b", 1);
  world.Set(Role("s", "x").Gpus(2).Build());
  EXPECT_EQ(world.Filter("s", {"b-1"}), "refused: node not in gang's pinned domain a");
  EXPECT_EQ(world.PodViewOf("s").message,
            absl::StrCat(kNoNode,
                         ": domain a: room for 0 of 1 (a-1 short of nvidia.com/gpu: "
                         "needs 2, free 0, a-2 short of nvidia.com/gpu: needs 2, free "
                         "1)"));
}

// Nodes a-1 and a-2 of rack a, b-1 of rack b; pods of app `app`, each repelling those on its host.
struct Hosts : EngineWorld {
  explicit Hosts(Policy policy = Policy()) : EngineWorld(std::move(policy)) {
    AddRack("a", 2, 2);
    AddRack("b", 1, 2);
  }
  void Shy(const std::string& name) {
    Set(PodBuilder(name).Label("app", "x").AntiAffinity(TermFor(kHostnameLabel, "app", "x")));
  }
};

TEST(StandaloneRulesTest, APodWithoutRulesMayUseEveryNodeAndOneWithThemGetsOne) {
  Hosts world;
  world.Set(PodBuilder("plain").Label("app", "y"));
  EXPECT_EQ(world.Filter("plain"), "a-1,a-2,b-1");
  world.Shy("s");
  EXPECT_EQ(world.Filter("s"), "a-1");
  const FilterDecision decision = world.Decide("s", {"b-1", "a-2"});
  EXPECT_EQ(decision.accepted, std::vector<int>{1});
  ASSERT_EQ(decision.refusals.size(), 1u);
  EXPECT_TRUE(decision.refusals[0].all_others);
  EXPECT_EQ(decision.refusals[0].reason.code, ReasonCode::kNodeNotChosen);
}

TEST(StandaloneRulesTest, APodThatAWaitingPodsRuleSelectsGetsOneNodeToo) {
  Hosts world;
  world.Set(PodBuilder("plain").Label("app", "x"));
  EXPECT_EQ(world.Filter("plain"), "a-1,a-2,b-1");
  world.Shy("s");
  EXPECT_EQ(world.Filter("plain"), "a-1");
  EXPECT_EQ(world.Filter("s"), "a-2") << "plain is expected on a-1";
}

TEST(StandaloneRulesTest, PodsThatRepelEachOtherNeverMeetThoughNoBindIsSeen) {
  Hosts world;
  for (const char* name : {"p", "q", "r", "s"}) world.Shy(name);
  EXPECT_EQ(world.Filter("p"), "a-1");
  EXPECT_EQ(world.Filter("q"), "a-2");
  EXPECT_EQ(world.Filter("r"), "b-1");
  EXPECT_EQ(world.Filter("s"), "refused: node(s) didn't match pod anti-affinity rules");
  EXPECT_EQ(world.PodViewOf("s").message,
            "node(s) didn't match pod anti-affinity rules: a-1: its anti-affinity shuns ns/p in "
            "kubernetes.io/hostname=a-1");
}

TEST(StandaloneRulesTest, AnAnswerCountsUntilThePodIsFilteredAgainOrGoneOrItsTimeIsOver) {
  for (const char* end : {"again", "gone", "time"}) {
    Policy policy;
    Hosts world(policy);
    world.Shy("p");
    world.Shy("q");
    EXPECT_EQ(world.Filter("p", {"a-1"}), "a-1");
    EXPECT_NE(world.Filter("q", {"a-1"}), "a-1");
    world.TakeWoken();
    if (end == std::string("again")) {
      EXPECT_EQ(world.Filter("p", {"b-1"}), "b-1");
    } else if (end == std::string("gone")) {
      world.DeletePod("p");
    } else {
      world.Advance(policy.answer_timeout - absl::Nanoseconds(1));
      EXPECT_EQ(world.TakeWoken(), std::vector<std::string>{});
      EXPECT_NE(world.Filter("q", {"a-1"}), "a-1");
      world.Advance(absl::Nanoseconds(1));
    }
    EXPECT_EQ(world.TakeWoken(), std::vector<std::string>{"q"}) << end;
    EXPECT_EQ(world.Filter("q", {"a-1"}), "a-1") << end;
  }
}

TEST(StandaloneRulesTest, TheRulesAreCheckedAgainAtTheBind) {
  Hosts world;
  world.Shy("p");
  world.Shy("q");
  EXPECT_EQ(world.Filter("q", {"a-1"}), "a-1");
  world.Advance(Policy().answer_timeout);
  EXPECT_EQ(world.AnswerTo(world.Bind("p", "a-1")), "bound");
  EXPECT_EQ(world.AnswerTo(world.Bind("q", "a-1")), "node(s) didn't match pod anti-affinity rules");
  EXPECT_EQ(world.AnswerTo(world.Bind("q", "a-2")), "bound");
}

TEST(StandaloneRulesTest, TheAntiAffinityOfAPodThatRunsKeepsOthersOut) {
  Hosts world;
  world.Shy("p");
  world.Schedule("p");
  ASSERT_EQ(world.NodeOf("p"), "a-1");
  world.Set(PodBuilder("x").Label("app", "x"));
  EXPECT_EQ(world.Filter("x", {"a-1"}),
            "refused: node(s) didn't satisfy existing pods anti-affinity rules");
  EXPECT_EQ(world.PodViewOf("x").message,
            "node(s) didn't satisfy existing pods anti-affinity rules: a-1: the anti-affinity of "
            "ns/p in kubernetes.io/hostname=a-1 shuns it");
  world.Set(PodBuilder("y").Label("app", "y"));
  EXPECT_EQ(world.Filter("y", {"a-1"}), "a-1");
}

TEST(StandaloneRulesTest, AffinityWaitsForAPodAndIsWokenWhenOneHasANode) {
  Hosts world;
  world.Set(PodBuilder("near").Affinity(TermFor(kRack, "app", "db")));
  EXPECT_EQ(world.Filter("near"), "refused: node(s) didn't match pod affinity rules");
  EXPECT_EQ(world.PodViewOf("near").message,
            "node(s) didn't match pod affinity rules: a-1: no pod that its affinity selects in "
            "rack=a");
  world.Set(PodBuilder("db").Label("app", "db"));
  world.TakeWoken();
  EXPECT_EQ(world.Filter("db", {"b-1"}), "b-1");
  EXPECT_EQ(world.TakeWoken(), std::vector<std::string>{"near"});
  EXPECT_EQ(world.Filter("near"), "b-1");
}

TEST(StandaloneRulesTest, TheFirstOfItsKindMayGoAnywhereAndTheNextOnesJoinIt) {
  Hosts world;
  for (const char* name : {"p", "q"}) {
    world.Set(PodBuilder(name).Label("app", "x").Affinity(TermFor(kRack, "app", "x")));
  }
  EXPECT_EQ(world.Filter("p", {"b-1"}), "b-1");
  EXPECT_EQ(world.Filter("q"), "b-1");
}

TEST(StandaloneRulesTest, HardSpreadKeepsTheSkew) {
  Hosts world;
  const auto add = [&](const std::string& name) {
    world.Set(PodBuilder(name).Label("app", "x").Spread(SpreadOver(kRack, "app", "x")));
    return world.Filter(name);
  };
  EXPECT_EQ(add("p"), "a-1");
  EXPECT_EQ(add("q"), "b-1") << "one more in rack a would be two more than in b";
  EXPECT_EQ(add("r"), "a-1");
  EXPECT_EQ(add("s"), "b-1");
  EXPECT_EQ(world.Filter("s", {"a-2"}),
            "refused: node(s) didn't match pod topology spread constraints");
  EXPECT_EQ(world.PodViewOf("s").message,
            "node(s) didn't match pod topology spread constraints: a-2: rack=a has 2 of the pods "
            "spread, the least is 1, maxSkew 1");
  world.Set(NodeBuilder("c-1").Gpus(1));
  EXPECT_EQ(world.Filter("s", {"c-1"}),
            "refused: node(s) didn't match pod topology spread constraints (missing required "
            "label)");
}

TEST(StandaloneRulesTest, OfTheNodesAllowedTheEmptiestIsChosenThenTheFirstByName) {
  Hosts world;
  world.Set(NodeBuilder("d-1").CpuMilli(4000));
  world.Set(NodeBuilder("d-2").CpuMilli(4000));
  world.Set(PodBuilder("full").CpuMilli(3000).On("d-1"));
  world.Shy("p");
  EXPECT_EQ(world.Filter("p", {"d-1", "d-2"}), "d-2");
  EXPECT_EQ(world.Filter("p", {"b-1", "a-2", "a-1"}), "a-1");
}

}  // namespace
}  // namespace gangpack
