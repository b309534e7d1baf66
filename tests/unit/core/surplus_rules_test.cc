// The rules between a surplus member and the siblings that run.
#include "core/surplus_rules.h"

#include <string>

#include "absl/strings/str_cat.h"
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

TEST(SurplusRulesTest, ASurplusMemberKeepsAwayFromTheSiblingsThatItRepels) {
  Complete world;
  ASSERT_EQ(world.NodeOf("p0"), "a-1");
  world.Set(Role("s", "x").AntiAffinity(TermFor(kHostnameLabel, "role", "w")).Build());
  EXPECT_EQ(world.Filter("s"), "a-2");
  EXPECT_EQ(world.AnswerTo(world.Bind("s", "a-1")), kNoNode);
  EXPECT_EQ(world.AnswerTo(world.Bind("s", "a-2")), "bound");
}

TEST(SurplusRulesTest, AndFromThoseThatRepelIt) {
  Complete world(Role("p0", "w").AntiAffinity(TermFor(kHostnameLabel, "role", "x")));
  world.Set(Role("s", "x").Build());
  EXPECT_EQ(world.Filter("s"), "a-2");
  world.Set(Role("t", "y").Build());
  EXPECT_EQ(world.Filter("t"), "a-1,a-2");
}

TEST(SurplusRulesTest, ItStaysWithTheSiblingThatItNeeds) {
  Complete world;
  world.Set(Role("s", "x").Affinity(TermFor(kHostnameLabel, "role", "w")).Build());
  EXPECT_EQ(world.Filter("s"), "a-1");
  EXPECT_EQ(world.AnswerTo(world.Bind("s", "a-2")), kNoNode);
}

TEST(SurplusRulesTest, ItWaitsForASiblingThatHasNoNodeYet) {
  Complete world;
  world.Set(Role("s", "x").Affinity(TermFor(kHostnameLabel, "role", "l")).Build());
  EXPECT_EQ(world.Filter("s"), "a-1,a-2") << "nobody in the gang is selected";
  world.Set(Role("l", "l").Build());
  EXPECT_EQ(world.Filter("s"), "refused: waiting for gang sibling ns/l to be placed");
  EXPECT_EQ(world.AnswerTo(world.Bind("s", "a-1")), "waiting for gang sibling ns/l to be placed");
  world.TakeWoken();
  world.Bind("l", "a-2");
  EXPECT_EQ(world.TakeWoken(), std::vector<std::string>{"s"});
  EXPECT_EQ(world.Filter("s"), "a-2");
}

TEST(SurplusRulesTest, WhereTheyExcludeEveryNodeItIsToldAndWokenWhenTheGangChanges) {
  Complete world;
  world.Set(Role("s", "x").AntiAffinity(TermFor(kRack, "role", "w")).Build());
  EXPECT_EQ(world.Filter("s"), absl::StrCat("refused: ", kNoNode));
  EXPECT_EQ(world.PodViewOf("s").message,
            absl::StrCat(kNoNode,
                         ": domain a: room for 0 of 1 (a-1 excluded by affinity or anti-affinity "
                         "between members, a-2 excluded by affinity or anti-affinity between "
                         "members)"));
  world.Set(Role("t", "y").Build());
  world.Bind("t", "a-2");
  EXPECT_EQ(world.TakeWoken(), std::vector<std::string>{"s"});
  EXPECT_EQ(world.Filter("s"), absl::StrCat("refused: ", kNoNode));
  world.DeletePod("p0");
  EXPECT_EQ(world.TakeWoken(), std::vector<std::string>{"s"});
  EXPECT_EQ(world.Filter("s"), "a-1,a-2");
}

TEST(SurplusRulesTest, AMemberWithoutRoomIsToldWhatItLacks) {
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

}  // namespace
}  // namespace gangpack
