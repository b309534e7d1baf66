// Which domain and which nodes a gang gets, and whether a plan still stands.
#include "core/gang_plan.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/explain.h"
#include "core/facts_intake.h"
#include "core/gang_life.h"
#include "gtest/gtest.h"
#include "tests/support/object_builders.h"
#include "tests/unit/core/planning.h"

namespace gangpack {
namespace {

TEST(ChoosePlanTest, TheLeastRoomThatHoldsTheGangIsTakenAndAtEqualRoomTheLowestName) {
  Planning planning;
  planning.AddRack("a", 3);
  planning.AddRack("c", 2);
  planning.AddRack("b", 2);
  planning.AddRack("d", 1);
  planning.AddGang("g", 2);
  EXPECT_EQ(planning.Choose(), "b: g-0@b-1 g-1@b-2");
  planning.Occupy("b-1");
  EXPECT_EQ(planning.Choose(), "c: g-0@c-1 g-1@c-2");
  planning.Occupy("c-1");
  EXPECT_EQ(planning.Choose(), "a: g-0@a-1 g-1@a-2");
  planning.Occupy("a-1");
  EXPECT_EQ(planning.Choose(), "a: g-0@a-2 g-1@a-3");
  planning.Occupy("a-2");
  EXPECT_EQ(planning.Choose(), "no domain has room for gang ns/g");
}

TEST(ChoosePlanTest, ADomainForAllUnplacedMembersIsPreferredToASmallerOneForTheNeed) {
  Planning planning;
  planning.AddRack("a", 2);
  planning.AddRack("b", 3);
  planning.AddGang("g", 2, 3);
  EXPECT_EQ(planning.Choose(), "b: g-0@b-1 g-1@b-2 g-2@b-3");
  planning.Occupy("b-1");
  EXPECT_EQ(planning.Choose(), "a: g-0@a-1 g-1@a-2");
}

TEST(ChoosePlanTest, IfNotAllFitTheMembersAreTakenByPriorityThenCreationThenName) {
  Planning planning;
  planning.AddRack("a", 3);
  planning.AddGang("g", 3, 2);
  planning.Set(Member("g-2").Created(absl::UnixEpoch() - absl::Nanoseconds(1)).Build());
  planning.Set(Member("g-3").Created(absl::UnixEpoch() + absl::Hours(1)).Priority(1).Build());
  EXPECT_EQ(planning.Choose(), "a: g-0@a-3 g-2@a-2 g-3@a-1") << "g-1 is left out";
  planning.AddRack("a", 4);
  EXPECT_EQ(planning.Choose(), "a: g-0@a-3 g-1@a-4 g-2@a-2 g-3@a-1");
}

TEST(ChoosePlanTest, MembersThatNeedEachOtherAreTakenTogetherThoughFewerAreNeeded) {
  Planning planning;
  planning.AddRack("a", 1, 2);
  planning.Set(PodGroupBuilder("g", 1).Build());
  const PodBuilder left = Member("left").Label("side", "left");
  const PodBuilder right = Member("right").Label("side", "right");
  planning.Set(PodBuilder(left).Affinity(TermFor(kHostnameLabel, "side", "right")).Build());
  planning.Set(PodBuilder(right).Affinity(TermFor(kHostnameLabel, "side", "left")).Build());
  planning.Set(Member("too-large").Gpus(3).Build());
  EXPECT_EQ(planning.Choose(), "a: left@a-1 right@a-1");
  planning.Occupy("a-1");
  EXPECT_EQ(planning.Choose(), "no domain has room for gang ns/g");
}

TEST(ChoosePlanTest, HeldDomainsAndThoseThatShareANodeWithOneArePassedOver) {
  Planning planning;
  planning.AddRack("a", 2);
  planning.Set(NodeBuilder("a-2").Rack("a").Label("zone", "y").Gpus(1).Build());
  planning.Set(NodeBuilder("b-1").Label("zone", "y").Gpus(1).Build());
  planning.Set(NodeBuilder("c-1").Label("zone", "z").Gpus(2).Build());
  planning.AddGang("g", 2);
  planning.AddGang("h", 2);
  planning.Set(PodGroupBuilder("g", 2).TopologyKey("zone").Build());
  EXPECT_EQ(planning.Choose(), "y: g-0@a-2 g-1@b-1");
  planning.Pin("h");
  EXPECT_EQ(planning.Choose(), "z: g-0@c-1 g-1@c-1") << "h holds rack a, whose a-2 is in y";
  planning.AddGang("i", 2);
  EXPECT_EQ(planning.Choose("i"),
            "no domain has room for gang ns/i: every fitting domain is reserved for a forming "
            "gang");
}

TEST(ChoosePlanTest, AGangWithMembersThatRunIsPlannedInTheirDomainOnly) {
  Planning planning;
  planning.AddRack("a", 2);
  planning.AddRack("b", 5);
  planning.AddGang("g", 3, 4);
  planning.Set(Member("g-0").On("b-1").Build());
  EXPECT_EQ(planning.Choose(), "b: g-1@b-2 g-2@b-3 g-3@b-4");
  planning.Occupy("b-2");
  planning.Occupy("b-3");
  EXPECT_EQ(planning.Choose(), "b: g-1@b-4 g-2@b-5") << "need of them, if not all fit";
  planning.AddGang("h", 1);
  planning.Set(Member("h-0", "h").NodeSelector(kRack, "b").Build());
  planning.Pin("h");
  EXPECT_EQ(planning.Choose(),
            "no domain has room for gang ns/g: every fitting domain is reserved for a forming "
            "gang");
  EndHold(&planning.state, planning.gang("h"));
  planning.Occupy("b-4");
  EXPECT_EQ(planning.Choose(), "adopted domain b cannot fit remaining gang members ns/g")
      << "whatever room there is in a";
}

TEST(CompletePlanTest, FillsInWhoWaitsForWhomIfThePlanFits) {
  for (const bool fits : {true, false}) {
    LeaderAndWorker planning;
    if (!fits) planning.Occupy("a-2");
    Plan plan;
    plan.number = 7;
    plan.domain = planning.state.cluster.topology().DomainOf(planning.gang()->summary.key,
                                                             planning.node("a-1"));
    plan.nodes = {{{"uid-leader"}, planning.node("a-1")}, {{"uid-worker"}, planning.node("a-2")}};
    const std::optional<Plan> complete = CompletePlan(&planning.state, planning.gang(), plan);
    EXPECT_FALSE(planning.gang()->plan.has_value()) << "it is for the caller to take the hold";
    ASSERT_EQ(complete.has_value(), fits);
    if (!fits) continue;
    EXPECT_EQ(complete->number, 7);
    EXPECT_EQ(planning.WaitsFor(*complete, "worker"), "leader");
    EXPECT_EQ(planning.WaitsFor(*complete, "leader"), "");
  }
}

TEST(SiblingToWaitForTest, IsNobodyOnceTheSiblingWaitsOrIsPlacedOrIsGone) {
  for (const char* what : {"nothing", "waits", "is being bound", "is gone"}) {
    LeaderAndWorker planning;
    planning.Pin();
    const Plan plan = *planning.gang()->plan;
    if (what == std::string("waits")) planning.Arrive("leader");
    if (what == std::string("is being bound")) {
      planning.state.cluster.Assume(planning.pod("leader"), planning.node("a-1"));
    }
    if (what == std::string("is gone")) {
      TakeIn(&planning.state, PodGone{{"uid-leader"}}, planning.now);
    }
    EXPECT_EQ(planning.WaitsFor(plan, "worker"), what == std::string("nothing") ? "leader" : "")
        << what;
  }
}

TEST(ReplanTest, WhoWaitsStaysAndTheOthersMoveWithinTheDomain) {
  const auto cordon = [](Planning* planning, absl::string_view node) {
    planning->Set(NodeBuilder(node).Rack("a").Gpus(1).Cordoned().Build());
  };
  Planned free;
  cordon(&free, "a-1");
  EXPECT_EQ(free.Replan(), "a: g-0@a-2 g-1@a-3");
  Planned waiting;
  waiting.Arrive("g-0");
  cordon(&waiting, "a-2");
  EXPECT_EQ(waiting.Replan(), "a: g-0@a-1 g-1@a-3");
  cordon(&waiting, "a-3");
  EXPECT_EQ(waiting.Replan(), "none");
  Planned on_broken_node;
  on_broken_node.Arrive("g-0");
  cordon(&on_broken_node, "a-1");
  EXPECT_EQ(on_broken_node.Replan(), "none") << "though two nodes are free";
}

TEST(ReplanTest, KeepsTheNumberTheTimesAndWhoWaits) {
  Planned planned;
  const absl::Time pinned = planned.now;
  planned.now += absl::Seconds(3);
  planned.Arrive("g-0");
  planned.now += absl::Seconds(4);
  planned.Occupy("a-2");
  const std::optional<Plan> plan = ReplanInHeldDomain(&planned.state, *planned.gang(), nullptr);
  ASSERT_TRUE(plan.has_value());
  EXPECT_EQ(plan->number, 1);
  EXPECT_EQ(plan->since, pinned);
  EXPECT_EQ(plan->last_call, pinned + absl::Seconds(3));
  EXPECT_EQ(plan->arrivals, absl::btree_multiset<absl::Time>({pinned + absl::Seconds(3)}));
  EXPECT_EQ(plan->waiting, 1);
}

TEST(WhyNotKeptTest, TheRoomCountsWhoWaitsAndWhoIsToBePlanned) {
  Planned planned;
  planned.Arrive("g-0");
  planned.Occupy("a-2");
  EXPECT_NE(planned.Replan(), "none");
  planned.Set(NodeBuilder("a-3").Rack("a").Gpus(1).Cordoned());
  ASSERT_EQ(planned.Replan(), "none");
  const Reason why = WhyNotKept(&planned.state, *planned.gang());
  EXPECT_EQ(Text(why), "pinned domain a cannot fit all remaining gang members ns/g");
  EXPECT_EQ(DetailedText(why),
            "pinned domain a cannot fit all remaining gang members ns/g: domain a: room for 1 of 2 "
            "(a-1 taken by members that wait, a-2 short of nvidia.com/gpu: needs 1, free 0, a-3 "
            "cordoned)");
}

TEST(WhyNotKeptTest, WhereNotTheRoomIsTheMatterWhatIsIsTold) {
  struct Case {
    std::function<void(Planned*)> change;
    const char* note;
  };
  const NodeBuilder node = NodeBuilder("a-1").Rack("a").Gpus(1);
  const std::vector<Case> cases = {
      {[&](Planned* p) { p->Set(NodeBuilder(node).Cordoned()); },
       "a member that waits cannot stay: a-1 cordoned"},
      {[](Planned* p) { p->Occupy("a-1"); },
       "a member that waits cannot stay: a-1 short of nvidia.com/gpu: needs 1, free 0"},
      {[&](Planned* p) { p->Set(NodeBuilder(node).Rack("b")); },
       "a member that waits cannot stay: a-1 left the domain"},
      {[](Planned* p) { TakeIn(&p->state, NodeGone{"a-1"}, p->now); },
       "a member that waits cannot stay: a-1 is gone"},
      {[](Planned* p) { p->Set(PodGroupBuilder("g", 2).TopologyKey("zone").Build()); },
       "the topology key is zone now"},
      {[](Planned* p) {
         p->Set(NodeBuilder("b-1").Rack("b").Gpus(1));
         p->Set(Member("g-1").On("b-1").Build());
       },
       "members run in b"},
  };
  for (const Case& c : cases) {
    Planned planned;
    planned.Arrive("g-0");
    c.change(&planned);
    EXPECT_EQ(planned.Replan(), "none") << c.note;
    EXPECT_EQ(DetailedText(WhyNotKept(&planned.state, *planned.gang())),
              absl::StrCat("pinned domain a cannot fit all remaining gang members ns/g: ", c.note));
  }
}

TEST(ReplanTest, UsesNoNodeThatIsInADomainHeldByAnotherGang) {
  for (const bool shared : {false, true}) {
    Planned planned;
    planned.Set(NodeBuilder("z-1").Label("zone", "z").Gpus(1).Build());
    planned.AddGang("h", 1);
    planned.Set(PodGroupBuilder("h", 1).TopologyKey("zone").Build());
    planned.Pin("h");
    NodeBuilder relabelled = NodeBuilder("a-3").Rack("a").Gpus(1);
    planned.Set(relabelled.Label("zone", shared ? "z" : "other"));
    planned.Occupy("a-1");
    EXPECT_EQ(planned.Replan(), shared ? "none" : "a: g-0@a-2 g-1@a-3");
  }
}

TEST(ReplanTest, ARestrictedMemberGetsOneOfItsNodesAndItsSiblingsYield) {
  Planned planned;
  const int64_t spec_id = planned.pod("g-0")->spec_id;
  const NodeIndex a1 = planned.node("a-1");
  const NodeIndex a2 = planned.node("a-2");
  EXPECT_EQ(planned.ReplanWith("g-0", {a2}), "a: g-0@a-2 g-1@a-1");
  EXPECT_EQ(planned.ReplanWith("g-0", {a1, a2}), "a: g-0@a-1 g-1@a-2");
  EXPECT_EQ(planned.ReplanWith("g-0", {}), "none");
  EXPECT_EQ(planned.pod("g-0")->spec_id, spec_id);
  planned.Arrive("g-0");
  EXPECT_EQ(planned.ReplanWith("g-1", {a1}), "none") << "who waits does not yield";
  EXPECT_EQ(planned.ReplanWith("g-1", {planned.node("a-3")}), "a: g-0@a-1 g-1@a-3");
}

// Left and right need each other on one node; a third member is too large for any.
void AddPair(Planning* planning) {
  const auto sided = [](const std::string& name, const std::string& other) {
    return PodBuilder(Member(name).Label("side", name))
        .Affinity(TermFor(kHostnameLabel, "side", other));
  };
  planning->Set(sided("left", "right").Build());
  planning->Set(sided("right", "left").Build());
  planning->Set(PodBuilder(Member("too-large").Gpus(4)).Build());
}

TEST(ChoosePlanTest, WhereFewerThanAllAndMoreThanNeededFitTheyArePlannedInAnAdoptedDomainToo) {
  Planning planning;
  planning.AddRack("a", 1, 3);
  planning.Set(PodGroupBuilder("g", 2).Build());
  planning.Set(Member("first").On("a-1").Build());
  AddPair(&planning);
  EXPECT_EQ(planning.Choose(), "a: left@a-1 right@a-1");
}

TEST(ReplanTest, WhereFewerThanAllAndMoreThanNeededFitTheyArePlanned) {
  Planning planning;
  planning.AddRack("a", 2, 2);
  planning.Set(PodGroupBuilder("g", 1).Build());
  AddPair(&planning);
  planning.Pin();
  planning.Occupy("a-1");
  EXPECT_EQ(planning.Replan(), "a: left@a-2 right@a-2");
}

}  // namespace
}  // namespace gangpack
