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

namespace gangpack {
namespace {

PodBuilder Member(absl::string_view name, absl::string_view gang = "g") {
  return PodBuilder(name).Gang(gang).Gpus(1);
}

// The state alone: it is not synchronised, so that facts are judged by nobody.
struct Planning {
  EngineState state{Policy()};
  absl::Time now = absl::UnixEpoch() + absl::Hours(24);

  void Set(const Node& node) { TakeIn(&state, NodeChanged{node}, now); }
  void Set(const Pod& pod) { TakeIn(&state, PodChanged{pod}, now); }
  void Set(const PodGroup& group) { TakeIn(&state, PodGroupChanged{group}, now); }
  void AddRack(absl::string_view rack, int count, int64_t gpus = 1) {
    for (int i = 1; i <= count; ++i) {
      Set(NodeBuilder(absl::StrCat(rack, "-", i)).Rack(rack).Gpus(gpus).Build());
    }
  }
  // With members GANG-0 to GANG-(members - 1), as many as it needs if not told.
  void AddGang(absl::string_view gang, int min_member, int members = -1) {
    Set(PodGroupBuilder(gang, min_member).Build());
    for (int i = 0; i < (members < 0 ? min_member : members); ++i) {
      Set(Member(absl::StrCat(gang, "-", i), gang).Build());
    }
  }
  void Occupy(absl::string_view node) {
    Set(PodBuilder(absl::StrCat("on-", node)).Gpus(1).On(node).Build());
  }

  // The gang with a summary of what is true now.
  Gang* gang(const std::string& name = "g") {
    Gang* const gang = state.gangs.at({"ns", name}).get();
    gang->summary = Summarize(*gang, state.cluster, state.policy);
    return gang;
  }
  PodRecord* pod(absl::string_view name) {
    return state.cluster.FindPod(PodUid{absl::StrCat("uid-", name)});
  }
  NodeIndex node(absl::string_view name) { return state.cluster.FindNode(name); }

  std::string Show(const std::optional<Plan>& plan) {
    if (!plan.has_value()) return "none";
    std::string text = state.cluster.topology().domain(plan->domain).name + ":";
    for (const auto& [uid, node] : plan->nodes) {
      absl::StrAppend(&text, " ", state.cluster.FindPod(uid)->pod.name.name, "@",
                      state.cluster.node(node).object.name);
    }
    return text;
  }
  // "DOMAIN: POD@NODE ..." by name, or the text of the reason.
  std::string Choose(const std::string& name = "g") {
    const PlanChoice choice = ChoosePlan(&state, gang(name));
    return choice.plan.has_value() ? Show(choice.plan) : Text(choice.reason);
  }
  void Pin(const std::string& name = "g") {
    Gang* const chosen = gang(name);
    TakeHold(&state, chosen, ChoosePlan(&state, chosen).plan.value(), GangTransitionKind::kPinned,
             now);
  }
  void Arrive(absl::string_view name) {
    Gang* const of = gang();
    ArriveAtPermit(&state, of, pod(name), Waiter{1, of->plan->nodes.at(pod(name)->pod.uid), now},
                   now);
  }
  bool StillFits() { return PlanStillFits(state, *gang()); }
  std::string Replan() { return Show(ReplanInHeldDomain(&state, *gang(), nullptr)); }
  std::string ReplanWith(absl::string_view member, const std::vector<NodeIndex>& nodes) {
    const MemberRestriction restriction{pod(member), nodes};
    return Show(ReplanInHeldDomain(&state, *gang(), &restriction));
  }
  std::string WaitsFor(const Plan& plan, absl::string_view member) {
    const PodRecord* const sibling = SiblingToWaitFor(state, plan, pod(member)->pod.uid);
    return sibling == nullptr ? "" : sibling->pod.name.name;
  }
};

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

// Gang g of two on a-1 and a-2 of a rack of three.
struct Planned : Planning {
  Planned() {
    AddRack("a", 3);
    AddGang("g", 2);
    Pin();
  }
};

TEST(PlanStillFitsTest, OnlyChangesOfItsNodesItsMembersAndItsKeyBreakAPlan) {
  const NodeBuilder node_1 = NodeBuilder("a-1").Rack("a").Gpus(1);
  const NodeBuilder node_3 = NodeBuilder("a-3").Rack("a").Gpus(1);
  struct Case {
    const char* what;
    std::function<void(Planned*)> change;
    bool fits;
  };
  const std::vector<Case> cases = {
      {"nothing", [](Planned*) {}, true},
      {"free node cordoned", [&](Planned* p) { p->Set(NodeBuilder(node_3).Cordoned()); }, true},
      {"planned node cordoned", [&](Planned* p) { p->Set(NodeBuilder(node_1).Cordoned()); }, false},
      {"another label", [&](Planned* p) { p->Set(NodeBuilder(node_1).Label("x", "y")); }, true},
      {"in another rack", [&](Planned* p) { p->Set(NodeBuilder(node_1).Rack("b")); }, false},
      {"node gone", [](Planned* p) { TakeIn(&p->state, NodeGone{"a-1"}, p->now); }, false},
      {"free node used", [](Planned* p) { p->Occupy("a-3"); }, true},
      {"planned node used", [](Planned* p) { p->Occupy("a-1"); }, false},
      {"one member more", [](Planned* p) { p->Set(Member("g-2").Build()); }, true},
      {"member gone", [](Planned* p) { TakeIn(&p->state, PodGone{{"uid-g-1"}}, p->now); }, false},
      {"member gated", [](Planned* p) { p->Set(Member("g-1").Gates(1).Build()); }, false},
      {"member in h", [](Planned* p) { p->Set(Member("g-1", "h").Build()); }, false},
      {"member bound", [](Planned* p) { p->Set(Member("g-1").On("a-2").Build()); }, false},
      {"key", [](Planned* p) { p->Set(PodGroupBuilder("g", 2).TopologyKey("k")); }, false},
  };
  for (const Case& c : cases) {
    for (const bool waiting : {false, true}) {
      Planned planned;
      if (waiting) planned.Arrive("g-0");
      c.change(&planned);
      EXPECT_EQ(planned.StillFits(), c.fits) << c.what << ", g-0 waiting: " << waiting;
    }
  }
}

TEST(PlanStillFitsTest, MembersOnOneNodeMustHaveRoomThereTogether) {
  for (const int64_t gpus : {2, 3}) {
    Planning planning;
    planning.AddRack("a", 1, gpus);
    planning.AddGang("g", 2);
    planning.Pin();
    EXPECT_TRUE(planning.StillFits());
    planning.Occupy("a-1");
    EXPECT_EQ(planning.StillFits(), gpus == 3);
  }
}

// A worker that needs its leader behind the same switch, planned as leader@a-1 worker@a-2.
struct LeaderAndWorker : Planning {
  LeaderAndWorker() {
    for (const char* name : {"a-1", "a-2"}) Set(Behind(name, "s1"));
    Set(PodGroupBuilder("g", 2).Build());
    Set(Member("leader").Label("role", "leader").Build());
    Set(Member("worker").Affinity(TermFor("switch", "role", "leader")).Build());
  }
  static Node Behind(absl::string_view node, absl::string_view value) {
    return NodeBuilder(node).Rack("a").Gpus(1).Label("switch", value).Build();
  }
};

TEST(PlanStillFitsTest, TheRulesBetweenSiblingsMustBeKept) {
  LeaderAndWorker planning;
  planning.Pin();
  EXPECT_TRUE(planning.StillFits());
  planning.Set(LeaderAndWorker::Behind("a-2", "s2"));
  EXPECT_FALSE(planning.StillFits());
  planning.Set(LeaderAndWorker::Behind("a-1", "s2"));
  EXPECT_TRUE(planning.StillFits());
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
    const std::optional<Plan> complete = CompletePlan(planning.state, planning.gang(), plan);
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
  EXPECT_EQ(plan->first_arrival, pinned + absl::Seconds(3));
  EXPECT_EQ(plan->waiting, 1);
}

TEST(WhyNotKeptTest, TheRoomCountsWhoWaitsAndWhoIsToBePlanned) {
  Planned planned;
  planned.Arrive("g-0");
  planned.Occupy("a-2");
  EXPECT_NE(planned.Replan(), "none");
  planned.Set(NodeBuilder("a-3").Rack("a").Gpus(1).Cordoned());
  ASSERT_EQ(planned.Replan(), "none");
  const Reason why = WhyNotKept(planned.state, *planned.gang());
  EXPECT_EQ(Text(why), "pinned domain a cannot fit all remaining gang members ns/g");
  EXPECT_EQ(DetailedText(why),
            "pinned domain a cannot fit all remaining gang members ns/g: domain a: room for 1 of 2 "
            "(a-1 short of nvidia.com/gpu: needs 1, free 0, a-2 short of nvidia.com/gpu: needs 1, "
            "free 0, a-3 cordoned)");
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
    EXPECT_EQ(DetailedText(WhyNotKept(planned.state, *planned.gang())),
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
