// Who is looked at again when what the rules between pods count has changed.
#include "core/rule_wakes.h"

#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/engine_world.h"
#include "tests/support/object_builders.h"

namespace gangpack {
namespace {

using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

PodBuilder Shy(const std::string& name) {
  PodBuilder pod(name);
  pod.Label("app", "x").AntiAffinity(TermFor(kHostnameLabel, "app", "x"));
  return pod;
}

TEST(RuleWakesTest, ARefusedPodIsWokenOnceANodeThatChangedInItsEyesTakesIt) {
  EngineWorld world;
  world.AddRack("a", 2);
  for (const char* name : {"a-1", "a-2"}) world.Set(Shy(absl::StrCat("on-", name)).On(name));
  world.Set(Shy("p"));
  world.Set(PodBuilder("q").Label("app", "y").AntiAffinity(TermFor(kHostnameLabel, "app", "z")));
  EXPECT_EQ(world.Filter("p"), "refused: node(s) didn't match pod anti-affinity rules");
  world.TakeWoken();
  world.Set(PodBuilder("other").Label("app", "z").On("a-1"));
  EXPECT_THAT(world.TakeWoken(), IsEmpty()) << "nothing that p looks at";
  world.DeletePod("on-a-2");
  EXPECT_THAT(world.TakeWoken(), UnorderedElementsAre("p"));
  world.DeletePod("on-a-1");
  EXPECT_THAT(world.TakeWoken(), IsEmpty()) << "it is awake";
}

TEST(RuleWakesTest, ANodeThatAHoldKeepsOrThatHasNoRoomWakesNobody) {
  EngineWorld world;
  world.AddRack("a", 2);
  world.AddRack("b", 1);
  world.Set(Shy("on-a").On("a-1"));
  world.Set(Shy("on-b").On("b-1"));
  world.Occupy("b-1", 1);
  world.AddGang("g", 2);
  world.Set(Shy("p").Gpus(1));
  EXPECT_EQ(world.Filter("g-0"), "a-1");
  EXPECT_NE(world.Filter("p"), "b-1");
  world.TakeWoken();
  world.DeletePod("on-b");
  EXPECT_THAT(world.TakeWoken(), IsEmpty()) << "b-1 has no GPU free";
  world.DeletePod("on-a");
  EXPECT_THAT(world.TakeWoken(), IsEmpty()) << "rack a is held";
}

TEST(RuleWakesTest, AllAreWokenHoweverSmallTheSlices) {
  Policy policy;
  policy.views_per_slice = 2;
  EngineWorld world(policy);
  world.AddRack("a", 1);
  world.Set(Shy("runs").On("a-1"));
  std::set<std::string> names;
  for (int i = 0; i < 7; ++i) {
    names.insert(absl::StrCat("p", i));
    world.Set(Shy(absl::StrCat("p", i)));
    EXPECT_NE(world.Filter(absl::StrCat("p", i)), "a-1");
  }
  world.TakeWoken();
  world.DeletePod("runs");
  const std::vector<std::string> woken = world.TakeWoken();
  EXPECT_EQ(std::set<std::string>(woken.begin(), woken.end()), names);
  EXPECT_EQ(woken.size(), names.size());
}

TEST(RuleWakesTest, APlanIsRemadeWhenAPodThatItsMembersShunLandsFarFromTheHold) {
  EngineWorld world;
  for (const char* rack : {"a", "b"}) {
    world.Set(NodeBuilder(absl::StrCat(rack, "-1")).Rack(rack).Label("zone", rack).Gpus(2));
  }
  world.Set(NodeBuilder("far").Label("zone", "a").Gpus(1));
  world.Set(PodGroupBuilder("g", 2).Build());
  for (const char* name : {"g-0", "g-1"}) {
    world.Set(PodBuilder(name).Gang("g").Gpus(1).AntiAffinity(TermFor("zone", "app", "noisy")));
  }
  ASSERT_EQ(world.Holds(), "a:g");
  world.Set(PodBuilder("noisy").Label("app", "noisy").Scheduler("other").On("far"));
  EXPECT_EQ(world.Holds(), "b:g");
}

}  // namespace
}  // namespace gangpack
