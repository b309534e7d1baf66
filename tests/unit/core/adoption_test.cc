// What becomes of the nominations that an earlier run of ours left.
#include "core/adoption.h"

#include <optional>
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

// Racks a with two nodes and b with three, one GPU each: left to itself, a gang of two takes a.
// The engine is told nothing until it starts: what it did before is forgotten.
struct Restarted : EngineWorld {
  Restarted() {
    AddRack("a", 2);
    AddRack("b", 3);
  }
  void AddNominated(absl::string_view pod, absl::string_view node, absl::string_view annotation,
                    absl::string_view gang = "g") {
    Set(PodBuilder(pod).Gang(gang).Gpus(1).Nominated(node, annotation).Build());
  }
  void Start() {
    TakeCleared();
    TakeTransitions();
    Restart();
  }
};

TEST(AdoptionTest, ACompleteSetBecomesTheGangsPlanAndHold) {
  Restarted world;
  world.Set(PodGroupBuilder("g", 2).Build());
  world.AddNominated("g-0", "b-3", "uid-g/7");
  world.AddNominated("g-1", "b-1", "uid-g/7");
  world.Start();
  EXPECT_THAT(world.TakeTransitions(), ElementsAre("Adopted g b"));
  EXPECT_THAT(world.TakeCleared(), IsEmpty());
  EXPECT_EQ(world.Holds(), "b:g");
  ASSERT_EQ(world.engine().Reservations().size(), 1u);
  EXPECT_EQ(world.engine().Reservations()[0].plan_number, 7);
  EXPECT_EQ(world.Filter("g-0"), "b-3");
  EXPECT_EQ(world.Filter("g-1"), "b-1");
}

TEST(AdoptionTest, ASetThatCoversLessThanNeedIsClearedAndTheGangIsPlannedAfresh) {
  Restarted world;
  world.Set(PodGroupBuilder("g", 2).Build());
  world.AddNominated("g-0", "b-3", "uid-g/7");
  world.AddMembers("g", 1, 1);
  world.Start();
  EXPECT_THAT(world.TakeTransitions(), ElementsAre("Pinned g a"));
  EXPECT_THAT(world.TakeCleared(), ElementsAre("g-0"));
}

TEST(AdoptionTest, NeedIsWhatIsLeftBesideTheMembersThatAreBound) {
  for (const int64_t min_member : {2, 3}) {
    Restarted world;
    world.Set(PodGroupBuilder("g", min_member).Build());
    world.Set(PodBuilder("g-0").Gang("g").Gpus(1).On("b-1").Build());
    world.AddNominated("g-1", "b-3", "uid-g/7");
    world.AddMembers("g", 2, 2);
    world.Start();
    EXPECT_EQ(world.Holds(), "b:g") << "in the domain of the bound one, adopted or planned afresh";
    if (min_member == 2) {
      EXPECT_THAT(world.TakeCleared(), IsEmpty());
      EXPECT_EQ(world.engine().Reservations()[0].plan_number, 7);
    } else {
      EXPECT_THAT(world.TakeCleared(), ElementsAre("g-1"));
      EXPECT_EQ(world.engine().Reservations()[0].plan_number, 8);
    }
  }
}

TEST(AdoptionTest, NominationsInAnotherDomainThanTheBoundMembersAreCleared) {
  Restarted world;
  world.Set(PodGroupBuilder("g", 2).Build());
  world.Set(PodBuilder("g-0").Gang("g").Gpus(1).On("a-1").Build());
  world.AddNominated("g-1", "b-3", "uid-g/7");
  world.Start();
  EXPECT_THAT(world.TakeCleared(), ElementsAre("g-1"));
  EXPECT_EQ(world.Holds(), "a:g");
}

TEST(AdoptionTest, NominationsOfAnEarlierPodGroupOfThatNameAreCleared) {
  Restarted world;
  world.Set(PodGroupBuilder("g", 2).Uid("second").Build());
  world.AddNominated("g-0", "b-3", "uid-g/7");
  world.AddNominated("g-1", "b-1", "uid-g/7");
  world.Start();
  EXPECT_THAT(world.TakeCleared(), ElementsAre("g-0", "g-1"));
  EXPECT_EQ(world.Holds(), "a:g");
}

TEST(AdoptionTest, OnlyTheNewestPlanOfAGangIsAdopted) {
  for (const char* old : {"g-0", "g-2"}) {
    Restarted complete;
    complete.Set(PodGroupBuilder("g", 2).Build());
    complete.AddNominated("g-0", "b-1", "uid-g/10");
    complete.AddNominated("g-1", "b-2", "uid-g/10");
    complete.AddNominated("g-2", "b-3", "uid-g/10");
    complete.AddNominated(old, "b-3", "uid-g/9");
    complete.Start();
    EXPECT_THAT(complete.TakeTransitions(), ElementsAre("Adopted g b"));
    EXPECT_THAT(complete.TakeCleared(), ElementsAre(old));
    EXPECT_EQ(complete.engine().Reservations()[0].plan_number, 10);
  }

  Restarted incomplete;
  incomplete.Set(PodGroupBuilder("g", 2).Build());
  incomplete.AddNominated("g-0", "b-1", "uid-g/9");
  incomplete.AddNominated("g-1", "b-2", "uid-g/9");
  incomplete.AddNominated("g-2", "b-3", "uid-g/10");
  incomplete.Start();
  EXPECT_THAT(incomplete.TakeCleared(), ElementsAre("g-0", "g-1", "g-2"))
      << "the old plan was given up when the new one was made";
}

TEST(AdoptionTest, ASetInTwoDomainsIsCleared) {
  Restarted world;
  world.Set(PodGroupBuilder("g", 2).Build());
  world.AddNominated("g-0", "a-1", "uid-g/7");
  world.AddNominated("g-1", "b-1", "uid-g/7");
  world.Start();
  EXPECT_THAT(world.TakeCleared(), ElementsAre("g-0", "g-1"));
  EXPECT_THAT(world.TakeTransitions(), ElementsAre("Pinned g a"));
}

TEST(AdoptionTest, ADomainOrItsNodesAreAdoptedForOneGangOnly) {
  for (const char* key : {"rack", "row"}) {
    SCOPED_TRACE(key);
    Restarted world;
    for (const char* node : {"b-1", "b-2", "b-3"}) {
      world.Set(NodeBuilder(node).Rack("b").Label("row", "x").Gpus(1).Build());
    }
    world.Set(PodGroupBuilder("g", 1).Build());
    world.Set(PodGroupBuilder("h", 1).TopologyKey(key).Build());
    world.AddNominated("g-0", "b-1", "uid-g/7");
    world.AddNominated("h-0", "b-2", "uid-h/6", "h");
    world.Start();
    EXPECT_THAT(world.TakeCleared(), ElementsAre("h-0"));
    EXPECT_THAT(world.TakeTransitions(), ::testing::Contains("Adopted g b"));
    EXPECT_EQ(world.engine().Gangs()[0].domain, "b");
  }
}

TEST(AdoptionTest, ASetIsAdoptedOnlyIfItStillFits) {
  const Node fits = NodeBuilder("b-1").Rack("b").Gpus(2).Build();
  const std::vector<Node> unfit = {
      NodeBuilder("b-1").Rack("b").Gpus(1).Build(),
      NodeBuilder("b-1").Rack("b").Gpus(2).Cordoned().Build(),
      NodeBuilder("b-1").Rack("b").Gpus(2).Tainted("broken").Build(),
      NodeBuilder("b-1").Rack("a").Gpus(2).Build(),
      NodeBuilder("b-1").Gpus(2).Build(),
  };
  const auto adopted = [](const Node& node) {
    Restarted world;
    world.Set(node);
    world.Occupy("b-1", 1);
    world.Set(PodGroupBuilder("g", 2).Build());
    world.AddNominated("g-0", "b-1", "uid-g/7");
    world.AddNominated("g-1", "b-2", "uid-g/7");
    world.Start();
    return world.TakeCleared().empty();
  };
  EXPECT_TRUE(adopted(fits));
  for (size_t i = 0; i < unfit.size(); ++i) EXPECT_FALSE(adopted(unfit[i])) << i;
}

TEST(AdoptionTest, ASetWithANodeThatIsGoneIsClearedIfTheRestIsTooSmall) {
  for (const int64_t min_member : {1, 2}) {
    Restarted world;
    world.Set(PodGroupBuilder("g", min_member).Build());
    world.AddNominated("g-0", "gone", "uid-g/7");
    world.AddNominated("g-1", "b-2", "uid-g/7");
    world.Start();
    if (min_member == 1) {
      EXPECT_THAT(world.TakeCleared(), ElementsAre("g-0"));
      EXPECT_EQ(world.Holds(), "b:g");
    } else {
      EXPECT_THAT(world.TakeCleared(), ElementsAre("g-0", "g-1"));
      EXPECT_EQ(world.Holds(), "a:g");
    }
  }
}

TEST(AdoptionTest, NominationsThatDoNotCarryOurAnnotationAreLeftAlone) {
  Restarted world;
  world.Set(PodGroupBuilder("g", 2).Build());
  world.AddNominated("g-0", "b-3", "");
  world.AddNominated("g-1", "b-1", "");
  world.Set(PodBuilder("annotated").Gang("other").Nominated("", "uid-g/7").Build());
  world.Set(PodBuilder("bound").Nominated("b-1", "uid-g/7").On("b-1").Build());
  world.Set(PodBuilder("done").Nominated("b-1", "uid-g/7").Phase(PodPhase::kSucceeded).Build());
  world.Start();
  EXPECT_THAT(world.TakeCleared(), IsEmpty());
  EXPECT_EQ(world.Holds(), "a:g") << "they are not adopted either";
}

TEST(AdoptionTest, AnnotationsThatNameNoPlanAreCleared) {
  for (const char* annotation : {"uid-g", "uid-g/", "uid-g/0", "uid-g/-7", "uid-g/x", "/7",
                                 "uid-g/7/1", "uid-g/99999999999999999999"}) {
    SCOPED_TRACE(annotation);
    Restarted world;
    world.Set(PodGroupBuilder("g", 1).Build());
    world.AddNominated("g-0", "b-1", annotation);
    world.Start();
    EXPECT_THAT(world.TakeCleared(), ElementsAre("g-0"));
    EXPECT_EQ(world.Holds(), "a:g");
  }
}

TEST(AdoptionTest, NominationsOfPodsWhoseGangCannotBePlannedAreCleared) {
  const auto cleared = [](const std::vector<PodGroup>& groups) {
    Restarted world;
    for (const PodGroup& group : groups) world.Set(group);
    world.AddNominated("g-0", "b-1", "uid-g/7");
    world.AddNominated("single", "b-2", "uid-g/7", "");
    world.Start();
    return world.TakeCleared();
  };
  EXPECT_THAT(cleared({PodGroupBuilder("g", 1)}), ElementsAre("single"));
  EXPECT_THAT(cleared({}), ElementsAre("g-0", "single"));
  EXPECT_THAT(cleared({PodGroupBuilder("g", 0)}), ElementsAre("g-0", "single"));
  EXPECT_THAT(cleared({PodGroupBuilder("g", 1).TopologyKey(std::nullopt)}),
              ElementsAre("g-0", "single"));
  EXPECT_THAT(cleared({PodGroupBuilder("g", 1).Label("ome.io/placement-group", "")}),
              ElementsAre("g-0", "single"));
}

TEST(AdoptionTest, LaterPlansHaveHigherNumbersThanAnyThatWasFound) {
  Restarted world;
  world.Set(PodGroupBuilder("g", 1).Build());
  world.AddNominated("g-0", "b-1", "uid-g/7");
  world.AddNominated("stray", "b-2", "uid-other/41", "other");
  world.Start();
  world.AddGang("h", 2);
  EXPECT_EQ(world.Holds(), "a:h,b:g");
  EXPECT_EQ(world.engine().Reservations()[0].plan_number, 42);
  EXPECT_EQ(world.engine().Reservations()[1].plan_number, 7);
}

}  // namespace
}  // namespace gangpack
