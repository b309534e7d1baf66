// Each invariant is reported when it is broken, and only then.
#include "core/invariants.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/expectations.h"
#include "core/facts_intake.h"
#include "core/gang_judge.h"
#include "core/gang_life.h"
#include "gtest/gtest.h"
#include "tests/support/object_builders.h"

namespace gangpack {
namespace {

// A state with something of everything: gang g of three holds rack a (a-1 to a-3, one GPU each)
// and its g-0 waits on a-1; h of two holds rack b; w wants a domain and finds none; pod `single`
// was refused; pod `runs` uses a port of c-1, which is in no rack.
struct World {
  EngineState state{Policy()};
  const absl::Time now = absl::UnixEpoch() + absl::Hours(24);

  World() {
    Tell(Synchronised{});
    for (const char* name : {"a-1", "a-2", "a-3"}) {
      Tell(NodeChanged{NodeBuilder(name).Rack("a").Gpus(1).Build()});
    }
    for (const char* name : {"b-1", "b-2"}) {
      Tell(NodeChanged{NodeBuilder(name).Rack("b").Gpus(1).Build()});
    }
    Tell(NodeChanged{NodeBuilder("c-1").Gpus(1).Build()});
    Tell(PodChanged{PodBuilder("runs").CpuMilli(0).HostPort(80).On("c-1").Build()});
    AddGang("g", 3);
    AddGang("h", 2);
    AddGang("w", 1);
    Tell(PodChanged{PodBuilder("single").Gpus(1).Build()});
    while (JudgeSlice(&state, now)) {
    }
    state.refused_singles[PodUid{"uid-single"}] = Reason{};
    ArriveAtPermit(&state, &gang("g"), &pod("g-0"), Waiter{1, NodeOf("g-0"), now}, now);
    Marked("g", false);
  }

  void Tell(const Fact& fact) { TakeIn(&state, fact, now); }
  void AddGang(const std::string& name, int size) {
    Tell(PodGroupChanged{PodGroupBuilder(name, size).Build()});
    for (int i = 0; i < size; ++i) {
      Tell(PodChanged{PodBuilder(absl::StrCat(name, "-", i)).Gang(name).Gpus(1).Build()});
    }
  }

  Gang& gang(const std::string& name) { return *state.gangs.at({"ns", name}); }
  PodRecord& pod(const std::string& name) { return *state.cluster.FindPod({"uid-" + name}); }
  NodeIndex NodeOf(const std::string& pod) {
    return gang(pod.substr(0, 1)).plan->nodes.at({"uid-" + pod});
  }

  // The cluster's model gives no way to break it, so these go behind its back.
  NodeRecord& node(absl::string_view name) {
    return const_cast<NodeRecord&>(state.cluster.node(state.cluster.FindNode(name)));
  }
  TopologyIndex& topology() { return const_cast<TopologyIndex&>(state.cluster.topology()); }
  DomainIndex RackIndex(absl::string_view name) {
    return topology().FindDomain(topology().FindKey(kRack), name);
  }
  Domain& rack(absl::string_view name) {
    return const_cast<Domain&>(topology().domain(RackIndex(name)));
  }

  // Sets the mark of a gang as EngineState::Mark and JudgeIfMarked do.
  void Marked(const std::string& name, bool marked) {
    if (marked) {
      state.Mark(&gang(name));
    } else if (gang(name).marked) {
      gang(name).marked = false;
      state.marked.erase(std::find(state.marked.begin(), state.marked.end(), &gang(name)));
    }
  }

  // 0 if all invariants hold, else the number of the one that is reported.
  int Reported() const {
    const absl::Status status = CheckInvariants(state);
    if (status.ok()) return 0;
    EXPECT_EQ(status.code(), absl::StatusCode::kInternal);
    int number = -1;
    EXPECT_EQ(std::sscanf(std::string(status.message()).c_str(), "invariant %d:", &number), 1)
        << status;
    return number;
  }
};

TEST(InvariantsTest, HoldInAnEmptyStateAndInOneWithSomethingOfEverything) {
  EXPECT_TRUE(CheckInvariants(EngineState{Policy()}).ok());
  World world;
  EXPECT_TRUE(CheckInvariants(world.state).ok()) << CheckInvariants(world.state);
  EXPECT_EQ(world.gang("g").plan->waiting, 1);
  EXPECT_TRUE(world.gang("h").plan.has_value());
  EXPECT_TRUE(world.gang("w").wanting);
}

TEST(InvariantsTest, ReportNamesTheObjectAndTheNumbers) {
  World world;
  ++world.node("c-1").used[kPodsId];
  EXPECT_EQ(CheckInvariants(world.state).message(), "invariant 1: c-1 uses 1 of pods, recorded 2");
}

TEST(InvariantsTest, Number1IsThatANodeUsesWhatItsPodsAddUpTo) {
  World used, ports, other_port, not_listed, breaking, elsewhere, unplaced, finished;
  used.node("a-1").used.resize(1, 1);
  EXPECT_EQ(used.Reported(), 1);
  ports.node("c-1").used_ports.clear();
  EXPECT_EQ(ports.Reported(), 1);
  other_port.node("c-1").used_ports[0].port = 81;
  EXPECT_EQ(other_port.Reported(), 1);
  NodeRecord& forgetful = not_listed.node("c-1");
  forgetful.pods.clear();
  forgetful.used.clear();
  forgetful.used_ports.clear();
  forgetful.breaking_pods = 0;
  EXPECT_EQ(not_listed.Reported(), 1) << "the sums are those of the list, but it is not whole";
  ++breaking.node("c-1").breaking_pods;
  EXPECT_EQ(breaking.Reported(), 1);
  elsewhere.pod("runs").node = 0;
  EXPECT_EQ(elsewhere.Reported(), 1);
  unplaced.pod("runs").placement = Placement::kNone;
  EXPECT_EQ(unplaced.Reported(), 1);
  finished.pod("runs").pod.phase = PodPhase::kSucceeded;
  EXPECT_EQ(finished.Reported(), 1);
}

TEST(InvariantsTest, Number1DoesNotCountDaemonSetAndMirrorPodsAsBreaking) {
  World world;
  world.pod("runs").pod.daemon_set = true;
  EXPECT_EQ(world.Reported(), 1);
  world.node("c-1").breaking_pods = 0;
  EXPECT_EQ(world.Reported(), 0);
}

TEST(InvariantsTest, Number2IsThatANodeIsInTheDomainThatItsLabelSays) {
  World absent, wrong, gone, not_listed, listed_twice, unsorted;
  absent.topology().Remove(0, absent.state.cluster.FindNode("a-3"));
  EXPECT_EQ(absent.Reported(), 2);
  wrong.node("a-3").object.labels["rack"] = "b";
  EXPECT_EQ(wrong.Reported(), 2);
  gone.node("a-3").exists = false;
  EXPECT_EQ(gone.Reported(), 2);
  not_listed.rack("a").nodes.pop_back();
  EXPECT_EQ(not_listed.Reported(), 2);
  listed_twice.rack("b").nodes.push_back(listed_twice.state.cluster.FindNode("c-1"));
  EXPECT_EQ(listed_twice.Reported(), 2);
  std::swap(unsorted.rack("a").nodes[0], unsorted.rack("a").nodes[1]);
  EXPECT_EQ(unsorted.Reported(), 2);
}

TEST(InvariantsTest, Number3IsThatEachPlanHasItsHoldAndEachHoldAPlan) {
  World no_hold, other_holder, no_plan;
  no_hold.state.ledger.Release(no_hold.RackIndex("b"));
  EXPECT_EQ(no_hold.Reported(), 3);
  other_holder.state.ledger.Release(other_holder.RackIndex("b"));
  other_holder.state.ledger.Hold(other_holder.RackIndex("b"), &other_holder.gang("w"));
  EXPECT_EQ(other_holder.Reported(), 3);
  no_plan.Tell(NodeChanged{NodeBuilder("d-1").Rack("d").Build()});
  ASSERT_EQ(no_plan.Reported(), 0);
  no_plan.state.ledger.Hold(no_plan.RackIndex("d"), &no_plan.gang("w"));
  EXPECT_EQ(no_plan.Reported(), 3);
}

TEST(InvariantsTest, Number4IsThatNoNodeIsPlannedByTwoGangsButOneGangMayPlanItTwice) {
  World two_gangs, one_gang;
  two_gangs.gang("h").plan->nodes[PodUid{"uid-h-0"}] = two_gangs.NodeOf("g-2");
  EXPECT_EQ(two_gangs.Reported(), 4);
  one_gang.gang("h").plan->nodes[PodUid{"uid-h-0"}] = one_gang.NodeOf("h-1");
  one_gang.state.cluster.Expect(&one_gang.pod("h-0"), one_gang.NodeOf("h-1"));
  EXPECT_EQ(one_gang.Reported(), 0);
}

TEST(InvariantsTest, Number5IsThatAPlanCountsItsWaitersWhichWaitWhereTheyArePlanned) {
  World too_many, too_few, moved, stranger, planned;
  ++too_many.gang("g").plan->waiting;
  EXPECT_EQ(too_many.Reported(), 5);
  --too_few.gang("g").plan->waiting;
  EXPECT_EQ(too_few.Reported(), 5);
  moved.gang("g").plan->nodes[PodUid{"uid-g-0"}] = moved.NodeOf("g-1");
  EXPECT_EQ(moved.Reported(), 5);
  stranger.state.permits.Arrive({"uid-single"}, Waiter{2, 0, stranger.now});
  EXPECT_EQ(stranger.Reported(), 5);
  planned.state.permits.Arrive({"uid-g-1"}, Waiter{2, planned.NodeOf("g-1"), planned.now});
  EXPECT_EQ(planned.Reported(), 5);
  planned.gang("g").plan->waiting = 2;
  EXPECT_EQ(planned.Reported(), 5) << "since when it waits is not known";
  planned.gang("g").plan->arrivals.insert(planned.now);
  EXPECT_EQ(planned.Reported(), 0);
}

TEST(InvariantsTest, Number6IsThatNobodyWaitsWhileTheGangHasEnoughUnlessItIsMarked) {
  World world;
  world.gang("g").group->min_member = 2;
  EXPECT_EQ(world.Reported(), 0);
  world.gang("g").summary.placed = 1;
  EXPECT_EQ(world.Reported(), 6) << "one placed and one waiting are two";
  world.Marked("g", true);
  EXPECT_EQ(world.Reported(), 0) << "it is about to be judged";
}

TEST(InvariantsTest, Number7IsThatMarkedAndWantingGangsAreListedAndOthersAreNot) {
  World not_wanting, wanting, has_plan, not_marked, marked, other;
  not_wanting.gang("w").wanting = false;
  EXPECT_EQ(not_wanting.Reported(), 7);
  wanting.state.wanting.clear();
  EXPECT_EQ(wanting.Reported(), 7);
  has_plan.state.Want(&has_plan.gang("g"));
  EXPECT_EQ(has_plan.Reported(), 7);
  not_marked.state.marked.push_back(&not_marked.gang("w"));
  EXPECT_EQ(not_marked.Reported(), 7);
  marked.gang("w").marked = true;
  EXPECT_EQ(marked.Reported(), 7);
  marked.state.marked.push_back(&marked.gang("w"));
  EXPECT_EQ(marked.Reported(), 0);
  other.gang("g").marked = true;
  other.state.marked.push_back(&other.gang("w"));
  EXPECT_EQ(other.Reported(), 7) << "as many as there should be, but another";
}

TEST(InvariantsTest, Number8IsThatEachPlanHasADeadlineWhenItsHoldEndsAndNobodyElseHas) {
  World none, moved, late, extra;
  DropDeadline(&none.state, none.gang("h"));
  EXPECT_EQ(none.Reported(), 8);
  moved.gang("h").plan->deadline += absl::Nanoseconds(1);
  EXPECT_EQ(moved.Reported(), 8);
  DropDeadline(&late.state, late.gang("h"));
  late.gang("h").plan->deadline += absl::Nanoseconds(1);
  late.state.deadlines.insert({late.gang("h").plan->deadline, late.gang("h").name});
  EXPECT_EQ(late.Reported(), 8);
  late.Marked("h", true);
  EXPECT_EQ(late.Reported(), 0) << "its timeout may have changed, it is about to be judged";
  extra.state.deadlines.insert({extra.now, extra.gang("w").name});
  EXPECT_EQ(extra.Reported(), 8);
}

TEST(InvariantsTest, Number9IsThatAGangIsPlacingIfAndOnlyIfItHasAPlanUnlessItIsMarked) {
  for (const char* name : {"h", "w"}) {
    SCOPED_TRACE(name);
    World world;
    Gang& gang = world.gang(name);
    gang.state = gang.plan.has_value() ? GangState::kBlocked : GangState::kPlacing;
    EXPECT_EQ(world.Reported(), 9);
    world.Marked(name, true);
    EXPECT_EQ(world.Reported(), 0);
  }
}

TEST(InvariantsTest, Number10IsThatOnlyPodsWithoutANodeAreRememberedAsRefused) {
  World member;
  member.gang("g").refused[PodUid{"uid-g-1"}] = Reason{};
  EXPECT_EQ(member.Reported(), 0);
  member.state.refused_singles[PodUid{"uid-g-1"}] = Reason{};
  EXPECT_EQ(member.Reported(), 10) << "by itself and as a member";
  for (const char* uid : {"uid-g-0", "uid-runs", "uid-gone"}) {
    SCOPED_TRACE(uid);
    World by_itself, as_member;
    by_itself.state.refused_singles[PodUid{uid}] = Reason{};
    EXPECT_EQ(by_itself.Reported(), 10);
    as_member.gang("w").refused[PodUid{uid}] = Reason{};
    EXPECT_EQ(as_member.Reported(), 10);
  }
  World finished;
  finished.pod("single").pod.phase = PodPhase::kFailed;
  EXPECT_EQ(finished.Reported(), 10);
}

TEST(InvariantsTest, Number11IsThatAPodIsExpectedWhereItIsPlannedOrWasAnsweredAndNowhereElse) {
  World planned, answered, neither, both;
  EXPECT_EQ(planned.pod("g-1").expected, planned.NodeOf("g-1"));
  planned.state.cluster.Expect(&planned.pod("g-1"), kNoNode);
  EXPECT_EQ(planned.Reported(), 11);
  ExpectAnswered(&answered.state, &answered.pod("single"), 0, answered.now);
  EXPECT_EQ(answered.Reported(), 0);
  answered.state.cluster.Expect(&answered.pod("single"), kNoNode);
  EXPECT_EQ(answered.Reported(), 11);
  neither.state.cluster.Expect(&neither.pod("single"), 0);
  EXPECT_EQ(neither.Reported(), 11);
  both.state.answers.Note({"uid-g-1"}, both.now);
  EXPECT_EQ(both.Reported(), 11);
}

TEST(InvariantsTest, Number12IsThatTheRulesBetweenPodsCountEveryPodWhereItIsAndNoOther) {
  World moved, gone, unknown;
  PodRules& rules = const_cast<PodRules&>(moved.state.cluster.rules());
  rules.SetPod(moved.pod("runs").pod, kNoNode);
  EXPECT_EQ(moved.Reported(), 12);
  const_cast<PodRules&>(gone.state.cluster.rules()).RemovePod({"uid-single"});
  EXPECT_EQ(gone.Reported(), 12);
  unknown.state.answers.Note({"uid-never-seen"}, unknown.now);
  EXPECT_EQ(unknown.Reported(), 12);
}

}  // namespace
}  // namespace gangpack
