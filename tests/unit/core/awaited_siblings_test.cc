// Members that cannot be planned before a sibling that cannot.
#include "core/awaited_siblings.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"
#include "tests/support/engine_world.h"
#include "tests/support/object_builders.h"

namespace gangpack {
namespace {

PodBuilder Role(const std::string& name, const std::string& role) {
  return PodBuilder(name).Label("role", role).Gang("g").Gpus(1);
}

PodBuilder Needs(const std::string& name, const std::string& role, const std::string& needed) {
  return Role(name, role).Affinity(TermFor("rack", "role", needed));
}

struct Siblings {
  ClusterState cluster{"ome-scheduler"};

  std::vector<PodRecord*> Records(const std::vector<PodBuilder>& pods) {
    std::vector<PodRecord*> records;
    for (const PodBuilder& pod : pods) records.push_back(cluster.UpsertPod(pod));
    return records;
  }
  // "member<sibling ..." and then who is left to be planned.
  std::string Take(const std::vector<PodBuilder>& eligible, const std::vector<PodBuilder>& pending,
                   const std::vector<PodBuilder>& placed = {}) {
    std::vector<PodRecord*> members = Records(eligible);
    const std::vector<PodRecord*> others = Records(pending);
    const std::vector<PodRecord*> running = Records(placed);
    std::vector<std::string> words;
    for (const AwaitedSibling& awaited : TakeOutAwaiting(
             {running.begin(), running.end()}, {others.begin(), others.end()}, cluster, &members)) {
      words.push_back(
          absl::StrCat(awaited.member->pod.name.name, "<", awaited.sibling->pod.name.name));
    }
    words.push_back("|");
    for (const PodRecord* member : members) words.push_back(member->pod.name.name);
    return absl::StrJoin(words, " ");
  }
};

TEST(AwaitedSiblingsTest, AMemberAwaitsTheFirstPendingSiblingThatItNeedsUnlessAnotherCanServe) {
  Siblings s;
  EXPECT_EQ(s.Take({Needs("w", "w", "l"), Role("x", "x")}, {Role("l0", "l"), Role("l1", "l")}),
            "w<l0 | x");
  EXPECT_EQ(s.Take({Needs("w", "w", "l"), Role("l2", "l")}, {Role("l0", "l")}), "| w l2");
  EXPECT_EQ(s.Take({Needs("w", "w", "l")}, {Role("l0", "l")}, {Role("l2", "l").On("n")}), "| w");
  EXPECT_EQ(s.Take({Needs("w", "w", "l")}, {Role("y", "y")}), "| w") << "it needs none of the gang";
}

TEST(AwaitedSiblingsTest, WhoeverNeedsAMemberThatAwaitsAwaitsItToo) {
  Siblings s;
  EXPECT_EQ(s.Take({Needs("a", "a", "b"), Needs("b", "b", "l")}, {Role("l", "l")}), "b<l a<b |");
}

TEST(AwaitedSiblingsTest, AMemberThatItsOwnTermSelectsMayBeTheFirstOfItsKind) {
  Siblings s;
  EXPECT_EQ(s.Take({Needs("w", "w", "w")}, {Role("w2", "w")}), "| w");
}

TEST(AwaitedSiblingsTest, EveryTermMustSelectTheSibling) {
  Siblings s;
  const auto two_terms = [] {
    return Needs("w", "w", "l").Affinity(TermFor("rack", "size", "big"));
  };
  EXPECT_EQ(s.Take({two_terms()}, {Role("l", "l")}), "| w");
  EXPECT_EQ(s.Take({two_terms()}, {Role("l", "l").Label("size", "big")}), "w<l |");
}

TEST(AwaitedSiblingsTest, WorkersOfAGatedLeaderArePlacedWithItOnceItsGatesAreGone) {
  EngineWorld world;
  world.AddRack("a", 3);
  world.Set(PodGroupBuilder("g", 2).Build());
  world.Set(Needs("w0", "w", "l").Build());
  world.Set(Needs("w1", "w", "l").Build());
  world.Set(Role("l", "l").Gates(1).Build());
  EXPECT_EQ(world.Filter("w0"), "refused: waiting for gang sibling ns/l to be placed");
  EXPECT_EQ(world.ViewOf("g").message,
            "waiting for gang sibling ns/l to be placed: it has 1 scheduling gate");
  EXPECT_EQ(world.Holds(), "");
  world.Set(Role("l", "l").Build());
  EXPECT_EQ(world.Holds(), "a:g");
  world.Schedule("l");
  world.Schedule("w0");
  EXPECT_NE(world.NodeOf("w0"), "");
}

TEST(AwaitedSiblingsTest, OthersArePlannedWithoutTheMembersThatAwait) {
  EngineWorld world;
  world.AddRack("a", 3);
  world.Set(PodGroupBuilder("g", 1).Build());
  world.Set(Needs("w", "w", "l").Build());
  world.Set(Role("x", "x").Build());
  world.Set(Role("l", "l").Scheduler("default-scheduler").Build());
  EXPECT_EQ(world.Holds(), "a:g");
  EXPECT_EQ(world.Filter("w"), "refused: waiting for gang sibling ns/l to be placed");
  world.Schedule("x");
  EXPECT_EQ(world.Filter("w"), "refused: waiting for gang sibling ns/l to be placed");
  EXPECT_EQ(world.PodViewOf("w").message,
            "waiting for gang sibling ns/l to be placed: it names scheduler default-scheduler");
}

}  // namespace
}  // namespace gangpack
