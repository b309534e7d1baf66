// The small operations that every part of the engine uses.
#include "core/engine_state.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/object_builders.h"

namespace gangpack {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(EngineStateTest, TheDefaultTopologyKeyIsIndexedFromTheStart) {
  Policy policy;
  EXPECT_EQ(EngineState(policy).cluster.topology().keys(), 0u);
  policy.default_topology_key = "rack";
  EXPECT_EQ(EngineState(policy).cluster.topology().FindKey("rack"), 0);
}

TEST(EngineStateTest, TheLimitsOfTheSearchAreThoseOfThePolicy) {
  Policy policy;
  policy.packing_states_max = 1;
  policy.shown_states_max = 2;
  policy.backtrack_members_max = 3;
  policy.lighter_tries_max = 4;
  policy.state_comparisons_max = 5;
  const PackingLimits limits = EngineState(policy).Limits();
  EXPECT_EQ(limits.states_max, 1);
  EXPECT_EQ(limits.shown_states_max, 2);
  EXPECT_EQ(limits.backtrack_members_max, 3);
  EXPECT_EQ(limits.lighter_tries_max, 4);
  EXPECT_EQ(limits.state_comparisons_max, 5);
  EXPECT_EQ(limits.enough, 0) << "what is asked is the caller's matter";
}

TEST(EngineStateTest, TheLimitsOfAPolicyLeftAloneAreThoseOfTheSearchLeftAlone) {
  const PackingLimits limits = EngineState(Policy()).Limits();
  const PackingLimits own;
  EXPECT_EQ(limits.states_max, own.states_max);
  EXPECT_EQ(limits.shown_states_max, own.shown_states_max);
  EXPECT_EQ(limits.backtrack_members_max, own.backtrack_members_max);
  EXPECT_EQ(limits.lighter_tries_max, own.lighter_tries_max);
  EXPECT_EQ(limits.state_comparisons_max, own.state_comparisons_max);
}

TEST(GangOfTest, IsTheGangThatTheLabelNamesInThePodsNamespace) {
  EngineState state{Policy()};
  Gang* const gang = state.GangFor({"ns", "g"});
  EXPECT_EQ(state.GangFor({"ns", "g"}), gang) << "made once";
  EXPECT_EQ(gang->name.ToString(), "ns/g");
  EXPECT_EQ(state.GangOf(PodBuilder("p").Gang("g").Build()), gang);
  EXPECT_EQ(state.GangOf(PodBuilder("p").Gang("g").Namespace("other").Build()), nullptr);
  EXPECT_EQ(state.GangOf(PodBuilder("p").Gang("h").Build()), nullptr) << "nobody made it";
  EXPECT_EQ(state.GangOf(PodBuilder("p").Gang("").Build()), nullptr) << "an empty label is none";
  EXPECT_EQ(state.GangOf(PodBuilder("p").Build()), nullptr);
}

TEST(MarkTest, AGangIsToBeJudgedOnceInTheOrderOfTheFirstMarks) {
  EngineState state{Policy()};
  Gang* const g = state.GangFor({"ns", "g"});
  Gang* const h = state.GangFor({"ns", "h"});
  state.Mark(nullptr);
  EXPECT_THAT(state.marked, IsEmpty());
  state.Mark(h);
  state.Mark(g);
  state.Mark(h);
  EXPECT_THAT(state.marked, ElementsAre(h, g));
  EXPECT_TRUE(g->marked);
}

TEST(MarkHoldersTest, MarksWhoHoldsTheNodesDomainOfAnyKeyAndNobodyElse) {
  EngineState state{Policy()};
  const TopologyKeyIndex rack = state.cluster.AddKey("rack");
  const TopologyKeyIndex row = state.cluster.AddKey("row");
  state.cluster.UpsertNode(NodeBuilder("n-1").Rack("a").Label("row", "x"));
  state.cluster.UpsertNode(NodeBuilder("n-2").Rack("b"));
  Gang* const g = state.GangFor({"ns", "g"});
  Gang* const h = state.GangFor({"ns", "h"});
  Gang* const i = state.GangFor({"ns", "i"});
  const TopologyIndex& topology = state.cluster.topology();
  state.ledger.Hold(topology.FindDomain(rack, "a"), g);
  state.ledger.Hold(topology.FindDomain(row, "x"), h);
  state.ledger.Hold(topology.FindDomain(rack, "b"), i);
  state.MarkHolders(state.cluster.FindNode("n-1"));
  EXPECT_THAT(state.marked, ElementsAre(g, h));
}

TEST(WantTest, AGangIsInTheOrderBetweenGangsOnceAndOutOfItAfterwards) {
  EngineState state{Policy()};
  Gang* const g = state.GangFor({"ns", "g"});
  Gang* const h = state.GangFor({"ns", "h"});
  h->summary.priority = 1;
  state.Want(g);
  state.Want(h);
  state.Want(g);
  EXPECT_THAT(state.wanting, ElementsAre(h, g));
  EXPECT_TRUE(g->wanting);
  state.Unwant(h);
  state.Unwant(h);
  EXPECT_THAT(state.wanting, ElementsAre(g));
  EXPECT_FALSE(h->wanting);
}

TEST(ImprovementsTest, GrowWithRoomAndWithHoldsThatEndAndNotWithWhatTakesRoom) {
  EngineState state{Policy()};
  const int64_t start = state.Improvements();
  state.cluster.UpsertNode(NodeBuilder("n").Gpus(1));
  const int64_t with_node = state.Improvements();
  EXPECT_GT(with_node, start);
  state.cluster.UpsertPod(PodBuilder("p").Gpus(1).On("n"));
  EXPECT_EQ(state.Improvements(), with_node);
  state.cluster.RemovePod({"uid-p"});
  const int64_t without_pod = state.Improvements();
  EXPECT_GT(without_pod, with_node);
  ++state.releases;
  EXPECT_GT(state.Improvements(), without_pod);
}

TEST(TransitionTest, TellsWhatIsKnownOfTheGangAndLeavesTheRestEmpty) {
  EngineState state{Policy()};
  Gang* const gang = state.GangFor({"ns", "g"});
  state.EmitTransition(GangTransitionKind::kForming, *gang, kNoDomain, "why");
  gang->group = PodGroupBuilder("g", 1).Uid("u").Build();
  gang->summary.key = state.cluster.AddKey("rack");
  state.cluster.UpsertNode(NodeBuilder("n").Rack("a"));
  const DomainIndex domain = state.cluster.topology().FindDomain(gang->summary.key, "a");
  state.EmitTransition(GangTransitionKind::kPinned, *gang, domain, "holds a");
  ASSERT_EQ(state.effects.size(), 2u);
  const auto& bare = std::get<GangTransition>(state.effects[0]);
  EXPECT_EQ(bare.kind, GangTransitionKind::kForming);
  EXPECT_EQ(bare.gang.ToString(), "ns/g");
  EXPECT_EQ(bare.text, "why");
  EXPECT_EQ(bare.group_uid + bare.topology_key + bare.domain, "");
  const auto& full = std::get<GangTransition>(state.effects[1]);
  EXPECT_EQ(full.group_uid, "u");
  EXPECT_EQ(full.topology_key, "rack");
  EXPECT_EQ(full.domain, "a");
}

}  // namespace
}  // namespace gangpack
