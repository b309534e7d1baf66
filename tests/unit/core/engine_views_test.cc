// What pages, the CLI and tests are shown of the state.
#include "core/engine_views.h"

#include <optional>
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

std::vector<std::string> NamesOf(const std::vector<WaiterView>& waiters) {
  std::vector<std::string> names;
  for (const WaiterView& waiter : waiters) {
    names.push_back(absl::StrCat(waiter.pod.name, "@", waiter.node));
  }
  return names;
}

// "key name nodes holder" of every domain.
std::vector<std::string> DomainsOf(const Engine& engine) {
  std::vector<std::string> domains;
  for (const DomainView& view : engine.Domains()) {
    domains.push_back(absl::StrCat(view.topology_key, " ", view.name, " ", view.nodes, " ",
                                   view.held_by.empty() ? "-" : view.held_by));
  }
  return domains;
}

TEST(PodViews, AreOfOurUnfinishedPodsByNamespaceAndName) {
  EngineWorld world;
  world.Set(PodBuilder("b").Namespace("m").Build());
  world.Set(PodBuilder("z").Build());
  world.Set(PodBuilder("a").Terminating().Build());
  world.Set(PodBuilder("other").Scheduler("other").Build());
  world.Set(PodBuilder("succeeded").Phase(PodPhase::kSucceeded).Build());
  world.Set(PodBuilder("failed").Phase(PodPhase::kFailed).Build());
  world.Set(PodBuilder("running").Phase(PodPhase::kRunning).On("a-1").Build());
  std::vector<std::string> names;
  for (const PodView& view : world.engine().Pods()) {
    names.push_back(view.pod.ToString());
    EXPECT_EQ(view.uid.value, absl::StrCat("uid-", view.pod.name));
  }
  EXPECT_THAT(names, ElementsAre("m/b", "ns/a", "ns/running", "ns/z"));
}

TEST(PodViews, TellOfAPodThatIsBeingDeletedJustThatUnlessItIsBound) {
  EngineWorld world;
  world.AddRack("a", 1);
  world.AddGang("g", 2);
  world.Set(PodBuilder("single").Terminating().Build());
  world.Set(PodBuilder("g-0").Gang("g").Terminating().Build());
  world.Set(PodBuilder("bound").On("a-1").Terminating().Build());
  EXPECT_EQ(world.PodViewOf("single").message, "the pod is being deleted");
  EXPECT_EQ(world.PodViewOf("g-0").message, "the pod is being deleted");
  EXPECT_EQ(world.PodViewOf("bound").message, "");
}

TEST(PodViews, TellTheNodeFromTheArrivalAtPermitOn) {
  EngineWorld world;
  world.AddRack("a", 2);
  world.AddGang("g", 2);
  EXPECT_EQ(world.PodViewOf("g-0").state, PodState::kPending);
  EXPECT_EQ(world.PodViewOf("g-0").node, "") << "planned is not placed";
  world.Schedule("g-0");
  EXPECT_EQ(world.PodViewOf("g-0").state, PodState::kWaiting);
  EXPECT_EQ(world.PodViewOf("g-0").node, "a-1");
  EXPECT_EQ(world.PodViewOf("g-1").state, PodState::kPending);
  world.HoldBindings(true);
  world.Schedule("g-1");
  EXPECT_EQ(world.PodViewOf("g-0").state, PodState::kBound) << "from the decision on";
  EXPECT_EQ(world.PodViewOf("g-0").node, "a-1");
  EXPECT_EQ(world.PodViewOf("g-1").gang, "ns/g");
  EXPECT_EQ(world.PodViewOf("g-1").message, "");
}

TEST(PodViews, EveryPendingMemberShowsItsGangsReasonAndASinglePodItsOwnOnceItWasRefused) {
  EngineWorld world;
  world.AddRack("a", 1);
  world.AddGang("h", 1);
  world.Set(PodGroupBuilder("g", 3).Build());
  world.AddMembers("g", 0, 1);
  world.Set(PodBuilder("single").Build());
  for (const char* pod : {"g-0", "g-1"}) {
    EXPECT_EQ(world.PodViewOf(pod).message,
              "waiting for all PodGroup member templates for ns/g: 2 of 3 members exist");
  }
  EXPECT_EQ(world.PodViewOf("single").message, "");
  EXPECT_EQ(world.PodViewOf("single").gang, "");
  world.Filter("single");
  EXPECT_EQ(world.PodViewOf("single").message,
            "node is reserved for a forming gang: a held by ns/h");
}

TEST(PodViews, ASurplusMemberThatWasRefusedShowsItsOwnReason) {
  EngineWorld world;
  world.AddRack("a", 1);
  world.AddRack("b", 1);
  world.AddGang("g", 1);
  world.Schedule("g-0");
  world.AddMembers("g", 1, 1);
  EXPECT_EQ(world.PodViewOf("g-1").message, "");
  world.Filter("g-1", {"b-1"});
  EXPECT_EQ(world.PodViewOf("g-1").message,
            "pinned domain a has no node feasible for gang member ns/g-1: domain a: room for 0 of "
            "1 (a-1 short of nvidia.com/gpu: needs 1, free 0)");
}

TEST(GangViews, AreOfEveryPodGroupThatExistsOrThatAPodNamesByName) {
  EngineWorld world;
  const auto names = [&] {
    std::vector<std::string> all;
    for (const GangView& view : world.engine().Gangs()) all.push_back(view.gang.ToString());
    return all;
  };
  world.Set(PodGroupBuilder("z", 1).Build());
  world.Set(PodGroupBuilder("y", 1).Namespace("m").Build());
  world.AddMembers("named", 0, 1);
  EXPECT_THAT(names(), ElementsAre("m/y", "ns/named", "ns/z"));
  EXPECT_EQ(world.ViewOf("named").members, 2);
  EXPECT_EQ(world.ViewOf("named").state, GangState::kBlocked);
  world.DeletePod("named-0");
  EXPECT_THAT(names(), ElementsAre("m/y", "ns/named", "ns/z"));
  world.DeletePod("named-1");
  world.DeleteGroup("z");
  EXPECT_THAT(names(), ElementsAre("m/y"));
}

TEST(GangViews, PlacedCountsWhoWaitsAndNeedIsWhatIsLeftAndNeverNegative) {
  EngineWorld world;
  world.AddRack("a", 3);
  world.AddGang("g", 2);
  EXPECT_EQ(world.ViewOf("g").placed, 0);
  EXPECT_EQ(world.ViewOf("g").need, 2);
  world.Schedule("g-0");
  EXPECT_EQ(world.ViewOf("g").placed, 1);
  EXPECT_EQ(world.ViewOf("g").need, 1);
  world.Schedule("g-1");
  world.AddMembers("g", 2, 2);
  world.Schedule("g-2");
  EXPECT_EQ(world.ViewOf("g").placed, 3);
  EXPECT_EQ(world.ViewOf("g").need, 0);
  EXPECT_EQ(world.ViewOf("g").members, 3);
}

TEST(GangViews, AMinMemberThatIsAbsentOrNegativeIsShownAsZero) {
  EngineWorld world;
  for (const std::optional<int64_t> min_member :
       {std::optional<int64_t>(-4), std::optional<int64_t>(0), std::optional<int64_t>()}) {
    world.Set(PodGroupBuilder("g", 1).MinMember(min_member).Build());
    EXPECT_EQ(world.ViewOf("g").min_member, 0);
    EXPECT_EQ(world.ViewOf("g").need, 0);
    EXPECT_EQ(world.ViewOf("g").state, GangState::kBlocked);
  }
}

TEST(GangViews, TheDomainIsTheHeldOneAndThenTheOneWhereMembersRun) {
  EngineWorld world;
  world.AddRack("a", 2);
  world.Set(PodGroupBuilder("g", 2).Build());
  world.AddMembers("g", 0, 0);
  EXPECT_EQ(world.ViewOf("g").domain, "");
  world.AddMembers("g", 1, 1);
  EXPECT_EQ(world.Holds(), "a:g");
  EXPECT_EQ(world.ViewOf("g").domain, "a");
  world.ScheduleMembers("g", 0, 1);
  EXPECT_EQ(world.Holds(), "");
  EXPECT_EQ(world.ViewOf("g").domain, "a");
  world.DeletePod("g-0");
  EXPECT_EQ(world.ViewOf("g").state, GangState::kForming);
  EXPECT_EQ(world.ViewOf("g").domain, "a") << "adopted";
  world.DeletePod("g-1");
  EXPECT_EQ(world.ViewOf("g").domain, "");
}

TEST(GangViews, OnlyAGangThatDoesNotProceedHasAMessage) {
  EngineWorld world;
  world.AddRack("a", 1);
  world.AddGang("g", 1);
  EXPECT_EQ(world.ViewOf("g").state, GangState::kPlacing);
  EXPECT_EQ(world.ViewOf("g").message, "");
  world.AddGang("h", 1);
  EXPECT_EQ(world.ViewOf("h").message,
            "no domain has room for gang ns/h: every fitting domain is reserved for a forming "
            "gang: a held by ns/g");
  world.Schedule("g-0");
  EXPECT_EQ(world.ViewOf("g").state, GangState::kComplete);
  EXPECT_EQ(world.ViewOf("g").message, "");
}

TEST(GangViews, LostMembersAreToldWithTheirNodeWhetherTheGangProceedsOrNot) {
  for (const int min_member : {1, 2}) {
    EngineWorld world;
    world.AddRack("a", 2);
    world.Set(PodGroupBuilder("g", min_member).Build());
    world.Set(PodBuilder("g-0").Gang("g").Gpus(1).On("a-1").Build());
    world.Set(PodBuilder("g-1").Gang("g").Gpus(1).On("a-2").Build());
    EXPECT_EQ(world.ViewOf("g").message, "");
    world.DeleteNode("a-2");
    EXPECT_EQ(world.ViewOf("g").state,
              min_member == 1 ? GangState::kComplete : GangState::kForming);
    EXPECT_EQ(world.ViewOf("g").message,
              min_member == 1
                  ? "1 lost with node a-2"
                  : "waiting for all PodGroup member templates for ns/g: 1 of 2 members "
                    "exist; 1 lost with node a-2");
    EXPECT_EQ(world.PodViewOf("g-0").message, "");
    EXPECT_EQ(world.PodViewOf("g-1").message, "node a-2 does not exist");
    world.DeletePod("g-1");
    EXPECT_THAT(world.ViewOf("g").message, ::testing::Not(::testing::HasSubstr("lost")));
  }
}

TEST(GangViews, TheTopologyKeyIsTheAnnotationsAndElseTheDefault) {
  Policy policy;
  policy.default_topology_key = "row";
  EngineWorld world(policy);
  world.Set(PodGroupBuilder("own", 1).TopologyKey("rack").Build());
  world.Set(PodGroupBuilder("default", 1).TopologyKey(std::nullopt).Build());
  world.AddMembers("unknown", 0, 0);
  EXPECT_EQ(world.ViewOf("own").topology_key, "rack");
  EXPECT_EQ(world.ViewOf("default").topology_key, "row");
  EXPECT_EQ(world.ViewOf("unknown").topology_key, "");
}

TEST(DomainViews, AreOfEveryKeyInUseByKeyAndName) {
  EngineWorld world;
  for (const char* name : {"n-1", "n-2", "n-3"}) {
    world.Set(NodeBuilder(name).Rack(name == std::string("n-3") ? "b" : "a").Label("row", "x"));
  }
  EXPECT_THAT(DomainsOf(world.engine()), IsEmpty()) << "no PodGroup uses a key";
  world.Set(PodGroupBuilder("g", 1).TopologyKey("row").Build());
  EXPECT_THAT(DomainsOf(world.engine()), ElementsAre("row x 3 -"));
  world.Set(PodGroupBuilder("h", 1).TopologyKey("rack").Build());
  EXPECT_THAT(DomainsOf(world.engine()), ElementsAre("rack a 2 -", "rack b 1 -", "row x 3 -"));
  world.DeleteNode("n-3");
  EXPECT_THAT(DomainsOf(world.engine()), ElementsAre("rack a 2 -", "row x 2 -"));
  world.DeleteGroup("g");
  EXPECT_THAT(DomainsOf(world.engine()), ElementsAre("rack a 2 -"));
}

TEST(DomainViews, TheDefaultKeyIsAlwaysInUse) {
  Policy policy;
  policy.default_topology_key = "rack";
  EngineWorld world(policy);
  world.AddRack("a", 1);
  world.AddRack("b", 1);
  EXPECT_THAT(DomainsOf(world.engine()), ElementsAre("rack a 1 -", "rack b 1 -"));
  world.AddGang("g", 1);
  EXPECT_THAT(DomainsOf(world.engine()), ElementsAre("rack a 1 ns/g", "rack b 1 -"));
}

TEST(ReservationViews, TellWhoWaitsWhoIsPlannedAndWhenTheHoldEnds) {
  EngineWorld world;
  world.AddRack("a", 4);
  world.Set(PodGroupBuilder("g", 4).Uid("group").TimeoutSeconds(60).Build());
  world.AddMembers("g", 0, 3);
  const absl::Time held = world.now();
  world.Advance(absl::Seconds(10));
  ReservationView view = world.engine().Reservations().at(0);
  EXPECT_EQ(view.topology_key, "rack");
  EXPECT_EQ(view.domain, "a");
  EXPECT_EQ(view.gang.ToString(), "ns/g");
  EXPECT_EQ(view.group_uid, "group");
  EXPECT_EQ(view.plan_number, 1);
  EXPECT_EQ(view.since, held);
  EXPECT_EQ(view.ends, held + absl::Seconds(60));
  EXPECT_THAT(view.waiters, IsEmpty());
  EXPECT_THAT(NamesOf(view.planned), ElementsAre("g-0@a-1", "g-1@a-2", "g-2@a-3", "g-3@a-4"));
  world.Schedule("g-2");
  const absl::Time arrived = world.now();
  world.Advance(absl::Seconds(10));
  world.Schedule("g-1");
  view = world.engine().Reservations().at(0);
  EXPECT_EQ(view.since, held);
  EXPECT_EQ(view.ends, arrived + absl::Seconds(60)) << "with the wait of the first";
  ASSERT_THAT(NamesOf(view.waiters), ElementsAre("g-1@a-2", "g-2@a-3"));
  EXPECT_EQ(view.waiters[0].since, world.now());
  EXPECT_EQ(view.waiters[0].ends, world.now() + absl::Seconds(60));
  EXPECT_EQ(view.waiters[1].since, arrived);
  EXPECT_EQ(view.waiters[1].ends, arrived + absl::Seconds(60));
  ASSERT_THAT(NamesOf(view.planned), ElementsAre("g-0@a-1", "g-3@a-4"));
  EXPECT_EQ(view.planned[0].since, held);
  EXPECT_EQ(view.planned[0].ends, view.ends);
}

TEST(ReservationViews, AreByKeyAndDomainWhateverWasHeldFirst) {
  EngineWorld world;
  world.Set(NodeBuilder("n-1").Label("row", "x").Gpus(1));
  world.Set(PodGroupBuilder("first", 1).TopologyKey("row").Build());
  world.AddMembers("first", 0, 0);
  world.AddRack("b", 1);
  world.AddGang("second", 1);
  world.AddRack("a", 1);
  world.AddGang("third", 1);
  EXPECT_EQ(world.Holds(), "a:third,b:second,x:first");
}

}  // namespace
}  // namespace gangpack
