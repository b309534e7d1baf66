// Lists in pages: what one page may cost, in counts, and what all of them together show.
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/engine.h"
#include "core/engine_views.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/engine_world.h"
#include "tests/support/object_builders.h"

namespace gangpack {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Policy Sliced(int views, int judged) {
  Policy policy;
  policy.views_per_slice = views;
  policy.judged_gangs_per_slice = judged;
  return policy;
}

std::vector<PodPage> PodPages(const Engine& engine) {
  std::vector<PodPage> pages = {engine.PodsAfter({})};
  while (pages.back().more) pages.push_back(engine.PodsAfter(pages.back().next));
  return pages;
}

std::vector<GangPage> GangPages(const Engine& engine) {
  std::vector<GangPage> pages = {engine.GangsAfter({})};
  while (pages.back().more) pages.push_back(engine.GangsAfter(pages.back().next));
  return pages;
}

template <typename PageType>
std::vector<int> JudgedIn(const std::vector<PageType>& pages) {
  std::vector<int> judged;
  for (const PageType& page : pages) judged.push_back(page.judged);
  return judged;
}

using Sizes = std::vector<size_t>;

template <typename PageType>
Sizes SizesOf(const std::vector<PageType>& pages) {
  Sizes sizes;
  for (const PageType& page : pages) sizes.push_back(page.views.size());
  return sizes;
}

std::vector<std::string> NamesIn(const PodPage& page) {
  std::vector<std::string> names;
  for (const PodView& view : page.views) names.push_back(view.pod.name);
  return names;
}

// Gangs g0 to g(count - 1) of two, blocked by rack a with one free node of two. Their reasons are
// up to date; Worsen makes them old.
struct BlockedGangs : EngineWorld {
  BlockedGangs(const Policy& policy, int count) : EngineWorld(policy) {
    AddRack("a", 2);
    Occupy("a-1", 1);
    for (int i = 0; i < count; ++i) AddGang(absl::StrCat("g", i), 2);
    PodPages(engine());
  }
  // Takes the last free node: what the gangs lack has become more, and nothing has become better.
  void Worsen() { Occupy("a-2", 1); }
};

TEST(PodPages, LookAtNoMorePodsThanASliceMay) {
  for (const int pods : {2, 3}) {
    EngineWorld world(Sliced(2, 1));
    for (int i = 0; i < pods; ++i) world.Set(PodBuilder(absl::StrCat("p", i)).Build());
    EXPECT_EQ(SizesOf(PodPages(world.engine())), pods == 2 ? Sizes({2}) : Sizes({2, 1}));
  }
}

TEST(PodPages, PodsThatAreNotShownAreLookedAtToo) {
  EngineWorld world(Sliced(2, 1));
  for (const char* other : {"a", "b", "c"}) world.Set(PodBuilder(other).Scheduler("other").Build());
  world.Set(PodBuilder("p").Build());
  EXPECT_THAT(SizesOf(PodPages(world.engine())), ElementsAre(0u, 1u));
}

TEST(PodPages, WorkOutNoMoreReasonsThanASliceMay) {
  for (const int gangs : {2, 3}) {
    BlockedGangs world(Sliced(100, 2), gangs);
    world.Worsen();
    const std::vector<PodPage> pages = PodPages(world.engine());
    EXPECT_EQ(JudgedIn(pages), gangs == 2 ? std::vector<int>({2}) : std::vector<int>({2, 1}));
    EXPECT_EQ(SizesOf(pages), gangs == 2 ? Sizes({4}) : Sizes({4, 2}))
        << "a gang's reason is worked out once, whatever the number of its members";
  }
}

TEST(GangPages, WorkOutNoMoreReasonsThanASliceMayAndLookAtNoMoreGangs) {
  BlockedGangs by_reasons(Sliced(100, 2), 5);
  by_reasons.Worsen();
  EXPECT_THAT(JudgedIn(GangPages(by_reasons.engine())), ElementsAre(2, 2, 1));
  BlockedGangs by_gangs(Sliced(2, 100), 5);
  by_gangs.Worsen();
  EXPECT_THAT(SizesOf(GangPages(by_gangs.engine())), ElementsAre(2u, 2u, 1u));
}

TEST(GangPages, AReasonIsWorkedOutAgainOnlyAfterSomethingThatItDependsOnHasChanged) {
  BlockedGangs world(Sliced(100, 100), 3);
  const auto judged = [&world] { return JudgedIn(GangPages(world.engine()))[0]; };
  EXPECT_EQ(judged(), 0);
  world.Worsen();
  EXPECT_EQ(judged(), 3);
  EXPECT_EQ(judged(), 0) << "nothing has changed since";
  world.Set(NodeBuilder("x-1").Label("row", "x").Gpus(1));
  EXPECT_EQ(judged(), 0) << "all were tried again, since a node may help them";
  world.Occupy("x-1", 1);
  EXPECT_EQ(judged(), 0) << "the node is in no rack";
  world.Set(PodGroupBuilder("other", 1).TopologyKey("row").Build());
  world.Set(PodBuilder("other-0").Gang("other").Build());
  ASSERT_EQ(world.Holds(), "x:other");
  EXPECT_EQ(judged(), 3) << "a hold may overlap";
}

TEST(GangPages, AGangThatIsAdoptedDependsOnItsOwnDomainAlone) {
  EngineWorld world;
  world.AddRack("a", 2);
  world.AddRack("b", 2);
  world.Set(PodBuilder("g-0").Gang("g").Gpus(1).On("a-1").Build());
  world.Occupy("a-2", 1);
  world.Set(PodGroupBuilder("g", 2).Build());
  world.AddMembers("g", 1, 1);
  ASSERT_EQ(world.ViewOf("g").state, GangState::kBlocked);
  const auto judged = [&world] { return JudgedIn(GangPages(world.engine()))[0]; };
  world.Occupy("b-1", 1);
  EXPECT_EQ(judged(), 0);
  world.Set(PodBuilder("small").On("a-2").Build());
  EXPECT_EQ(judged(), 1);
}

TEST(GangPages, AGangThatIsAboutToBeJudgedIsShownAsItWas) {
  BlockedGangs world(Sliced(100, 100), 1);
  world.BeginBatch();
  world.Worsen();
  world.DeletePod("g0-0");
  const GangPage page = world.engine().GangsAfter({});
  EXPECT_EQ(page.judged, 0);
  EXPECT_EQ(page.views.at(0).state, GangState::kBlocked);
  world.EndBatch();
  EXPECT_EQ(world.ViewOf("g0").state, GangState::kForming);
}

TEST(SurplusPages, NumbersOfARefusalAreWorkedOutWhenTheyAreShownWithinTheSlice) {
  EngineWorld world(Sliced(100, 1));
  world.AddRack("a", 1);
  world.AddRack("b", 1);
  world.AddGang("g", 1);
  world.Schedule("g-0");
  world.AddMembers("g", 1, 2);
  EXPECT_THAT(JudgedIn(PodPages(world.engine())), ElementsAre(0)) << "nobody was refused";
  world.Filter("g-1", {"b-1"});
  world.Filter("g-2", {"b-1"});
  const std::vector<PodPage> pages = PodPages(world.engine());
  EXPECT_THAT(JudgedIn(pages), ElementsAre(1, 1));
  EXPECT_THAT(pages[1].views.at(0).message, ::testing::HasSubstr("room for 0 of 1"));
  world.Set(NodeBuilder("a-2").Rack("a").Gpus(1).Build());
  EXPECT_EQ(world.PodViewOf("g-1").message, "") << "it was woken, and not asked about since";
}

TEST(AllPages, AreTheWholeListWhateverASliceMay) {
  std::map<int, std::vector<std::string>> lists;
  for (const int slice : {1, 2, 100}) {
    EngineWorld world(Sliced(slice, slice));
    world.AddRack("a", 2);
    world.AddRack("b", 2);
    world.AddRack("c", 1);
    for (const char* gang : {"g", "h", "i"}) world.AddGang(gang, 2);
    world.Schedule("g-0");
    world.Set(PodBuilder("single").Build());
    std::vector<std::string>& list = lists[slice];
    const Engine& engine = world.engine();
    for (const PodView& view : engine.Pods()) {
      list.push_back(absl::StrCat(view.pod.ToString(), " ", view.node, " ", view.message));
    }
    for (const GangView& view : engine.Gangs()) {
      list.push_back(absl::StrCat(view.gang.ToString(), " ", view.message));
    }
    for (const DomainView& view : engine.Domains()) list.push_back(view.name);
    for (const ReservationView& view : engine.Reservations()) {
      list.push_back(absl::StrCat(view.domain, " ", view.waiters.size(), view.planned.size()));
    }
  }
  EXPECT_EQ(lists[100].size(), 7u + 3u + 3u + 2u);
  EXPECT_EQ(lists[1], lists[100]);
  EXPECT_EQ(lists[2], lists[100]);
}

TEST(PagesOfDomains, LookAtNoMoreThanASliceMayThoughADomainHasLostItsNodes) {
  EngineWorld world(Sliced(2, 1));
  for (const char* rack : {"a", "b", "c"}) world.AddRack(rack, 1);
  world.AddGang("g", 1);
  world.DeleteNode("b-1");
  const DomainPage first = world.engine().DomainsAfter({});
  EXPECT_EQ(first.views.size(), 1u);
  EXPECT_TRUE(first.more);
  const DomainPage second = world.engine().DomainsAfter(first.next);
  ASSERT_EQ(second.views.size(), 1u);
  EXPECT_EQ(second.views[0].name, "c");
  EXPECT_FALSE(second.more);
}

TEST(PagesOfReservations, EndAfterTheHoldThatFillsTheSlice) {
  for (const int slice : {2, 3}) {
    EngineWorld world(Sliced(slice, 100));
    for (const char* rack : {"a", "b"}) world.AddRack(rack, 2);
    for (const char* gang : {"g", "h"}) world.AddGang(gang, 2);
    const ReservationPage page = world.engine().ReservationsAfter({});
    EXPECT_EQ(page.views.size(), slice == 2 ? 1u : 2u) << "holds are not divided";
    EXPECT_EQ(page.more, slice == 2);
  }
}

TEST(ChangesBetweenPages, AnObjectIsListedOnceAtMostAndOneThatStaysIsListed) {
  EngineWorld world(Sliced(2, 1));
  for (const char* pod : {"b", "d", "f", "h"}) world.Set(PodBuilder(pod).Build());
  const PodPage first = world.engine().PodsAfter({});
  EXPECT_THAT(NamesIn(first), ElementsAre("b", "d"));
  world.Set(PodBuilder("a").Build());  // before the position: too late for this list
  world.Set(PodBuilder("e").Build());  // after it
  world.DeletePod("d");                // where the position stands
  world.DeletePod("f");
  const PodPage second = world.engine().PodsAfter(first.next);
  EXPECT_THAT(NamesIn(second), ElementsAre("e", "h"));
  EXPECT_FALSE(second.more);
}

TEST(ChangesBetweenPages, PodsOfOneNameAreToldApartByTheirUids) {
  EngineWorld world(Sliced(1, 1));
  for (const char* uid : {"u1", "u2"}) {
    Pod pod = PodBuilder("p").Build();
    pod.uid = {uid};
    world.Tell(PodChanged{pod});
  }
  std::vector<std::string> uids;
  for (const PodView& view : world.engine().Pods()) uids.push_back(view.uid.value);
  EXPECT_THAT(uids, ElementsAre("u1", "u2"));
}

TEST(EmptyPages, OfNothingThereIsOneAndItIsTheLast) {
  EngineWorld world;
  EXPECT_THAT(world.engine().PodsAfter({}).views, IsEmpty());
  EXPECT_FALSE(world.engine().PodsAfter({}).more);
  EXPECT_FALSE(world.engine().GangsAfter({}).more);
  EXPECT_FALSE(world.engine().DomainsAfter({}).more);
  EXPECT_FALSE(world.engine().ReservationsAfter({}).more);
}

}  // namespace
}  // namespace gangpack
