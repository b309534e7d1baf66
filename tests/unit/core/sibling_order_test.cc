#include "core/sibling_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "tests/support/object_builders.h"

namespace gangpack {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

PodBuilder Role(const std::string& name, const std::string& role) {
  return PodBuilder(name).Label("role", role);
}

// A pod of one role that needs a pod of another in its group of `key`.
PodBuilder Needs(const std::string& name, const std::string& role, const std::string& needed,
                 absl::string_view key = "rack") {
  return PodBuilder(name).Label("role", role).Affinity(TermFor(key, "role", needed));
}

// Nodes n0 to n3 in one rack; n0 and n1 share switch s0, n2 and n3 s1.
class SiblingOrderTest : public testing::Test {
 protected:
  SiblingOrderTest() {
    for (int i = 0; i < 4; ++i) {
      nodes_.push_back(cluster_.UpsertNode(
          NodeBuilder("n" + std::to_string(i)).Rack("a").Label("switch", i < 2 ? "s0" : "s1")));
    }
  }

  PodRecord* Pod(const PodBuilder& pod) {
    PodRecord* const record = cluster_.UpsertPod(pod);
    specs_.Intern(record);
    return record;
  }

  // Names of the siblings that each member waits for.
  std::map<std::string, std::vector<std::string>> Order(
      const std::vector<PodBuilder>& members, const std::vector<int>& node_of_member,
      const std::vector<PodBuilder>& placed = {}) {
    std::vector<PodRecord*> records;
    for (const PodBuilder& member : members) records.push_back(Pod(member));
    std::vector<const PodRecord*> siblings;
    for (const PodBuilder& sibling : placed) siblings.push_back(Pod(sibling));
    const GangShape shape = MakeShape(records, siblings, 1, cluster_.AddKey("rack"), cluster_);
    std::vector<FixedSibling> fixed;
    for (size_t i = 0; i < siblings.size(); ++i) {
      fixed.push_back({shape.kind_of_placed[i], siblings[i]->node, false});
    }
    PackingProblem problem = ProblemFor(shape, nodes_, fixed, false, cluster_);
    for (PackingRule& rule : problem.rules) {
      rule.outside = outside_;
      rule.selected_elsewhere = selected_elsewhere_;
    }
    std::map<std::string, std::vector<std::string>> names;
    for (const auto& [uid, others] : SiblingOrder(shape, problem, records, node_of_member)) {
      for (const PodUid& other : others) {
        names[cluster_.FindPod(uid)->pod.name.name].push_back(
            cluster_.FindPod(other)->pod.name.name);
      }
    }
    return names;
  }

  ClusterState cluster_{"ome-scheduler"};
  SpecTable specs_;
  std::vector<NodeIndex> nodes_;
  // Of every rule: the nodes in whose groups a pod outside the gang satisfies it.
  std::vector<uint8_t> outside_;
  bool selected_elsewhere_ = false;
};

TEST_F(SiblingOrderTest, WorkersWaitForTheLeaderTheyNeedAndTheLeaderForNobody) {
  EXPECT_THAT(
      Order({Needs("w0", "worker", "leader"), Role("l", "leader"), Needs("w1", "worker", "leader")},
            {0, 1, 2}),
      UnorderedElementsAre(Pair("w0", ElementsAre("l")), Pair("w1", ElementsAre("l"))));
}

TEST_F(SiblingOrderTest, WithoutAffinityNobodyWaits) {
  PodBuilder apart("a");
  apart.Label("role", "x").AntiAffinity(TermFor("rack", "role", "leader"));
  EXPECT_THAT(Order({apart, Role("l", "leader")}, {0, 1}), IsEmpty());
}

TEST_F(SiblingOrderTest, APlacedLeaderIsNotWaitedFor) {
  EXPECT_THAT(Order({Needs("w0", "worker", "leader"), Role("l2", "leader")}, {0, 1},
                    {Role("l1", "leader").On("n3")}),
              IsEmpty());
}

TEST_F(SiblingOrderTest, APlacedLeaderInAnotherGroupDoesNotHelp) {
  EXPECT_THAT(Order({Needs("w0", "worker", "leader", "switch"), Role("l2", "leader")}, {0, 1},
                    {Role("l1", "leader").On("n3")}),
              UnorderedElementsAre(Pair("w0", ElementsAre("l2"))));
}

TEST_F(SiblingOrderTest, TheSiblingWaitedForIsTheFirstByPreferenceInTheSameGroup) {
  EXPECT_THAT(Order({Role("far", "leader"), Role("near1", "leader"), Role("near2", "leader"),
                     Needs("w", "worker", "leader", "switch")},
                    {2, 1, 0, 0}),
              UnorderedElementsAre(Pair("w", ElementsAre("near1"))));
}

TEST_F(SiblingOrderTest, AtTheLevelOfNodesTheSiblingIsOnTheSameNode) {
  EXPECT_THAT(Order({Role("l0", "leader"), Role("l1", "leader"),
                     Needs("w", "worker", "leader", kHostnameLabel)},
                    {0, 1, 1}),
              UnorderedElementsAre(Pair("w", ElementsAre("l1"))));
}

TEST_F(SiblingOrderTest, MembersThatAreNotPlannedNeitherWaitNorAreWaitedFor) {
  EXPECT_THAT(Order({Role("l0", "leader"), Role("l1", "leader"), Needs("w0", "worker", "leader"),
                     Needs("w1", "worker", "leader")},
                    {-1, 0, 1, -1}),
              UnorderedElementsAre(Pair("w0", ElementsAre("l1"))));
}

TEST_F(SiblingOrderTest, MembersThatNeedEachOtherDoNotWait) {
  EXPECT_THAT(Order({Needs("a", "x", "y"), Needs("b", "y", "x")}, {0, 1}), IsEmpty());
}

TEST_F(SiblingOrderTest, MembersThatNeedTheirOwnKindDoNotWait) {
  EXPECT_THAT(Order({Needs("a", "x", "x"), Needs("b", "x", "x")}, {0, 1}), IsEmpty());
}

TEST_F(SiblingOrderTest, InACircleNobodyWaitsAndWhoNeedsTheCircleDoes) {
  EXPECT_THAT(Order({Needs("a", "a", "b"), Needs("b", "b", "c"), Needs("c", "c", "a"),
                     Needs("d", "d", "a")},
                    {0, 1, 2, 3}),
              UnorderedElementsAre(Pair("d", ElementsAre("a"))));
}

TEST_F(SiblingOrderTest, InAChainEachWaitsForTheNext) {
  EXPECT_THAT(Order({Needs("a", "a", "b"), Needs("b", "b", "c"), Role("c", "c")}, {0, 1, 2}),
              UnorderedElementsAre(Pair("a", ElementsAre("b")), Pair("b", ElementsAre("c"))));
}

TEST_F(SiblingOrderTest, ASiblingOfTheOwnKindIsNoSubstituteForTheOneThatIsFree) {
  // Workers are satisfied by workers and by leaders: the leader goes first all the same.
  PodAffinityTerm either = TermFor("rack", "role", "leader");
  either.selector->requirements[0].values.push_back("worker");
  PodBuilder w0("w0");
  PodBuilder w1("w1");
  w0.Label("role", "worker").Affinity(either);
  w1.Label("role", "worker").Affinity(either);
  EXPECT_THAT(Order({w0, w1, Role("l", "leader")}, {0, 1, 2}),
              UnorderedElementsAre(Pair("w0", ElementsAre("l")), Pair("w1", ElementsAre("l"))));
}

TEST_F(SiblingOrderTest, EachTermHasASiblingToWaitFor) {
  // One sibling must satisfy all terms, in the group of each.
  PodBuilder worker("w");
  worker.Affinity(TermFor("rack", "role", "leader")).Affinity(TermFor("switch", "role", "leader"));
  EXPECT_THAT(Order({Role("far", "leader"), Role("near", "leader"), worker}, {2, 1, 0}),
              UnorderedElementsAre(Pair("w", ElementsAre("far", "near"))));
}

TEST_F(SiblingOrderTest, TheFirstOfItsKindGoesBeforeTheSiblingsItSelectsElsewhere) {
  const auto self = [](const std::string& name) { return Needs(name, "w", "w", "switch"); };
  EXPECT_THAT(Order({Role("p0", "w"), self("p1")}, {2, 0}),
              UnorderedElementsAre(Pair("p0", ElementsAre("p1"))));
  EXPECT_THAT(Order({Role("p0", "w"), self("p1")}, {1, 0}),
              UnorderedElementsAre(Pair("p1", ElementsAre("p0"))))
      << "in its own group p0 serves it";
  EXPECT_THAT(Order({self("p0"), self("p1")}, {1, 0}), IsEmpty()) << "either may be the first";
  EXPECT_THAT(Order({Role("p0", "x"), self("p1")}, {2, 0}), IsEmpty()) << "p0 is not selected";
}

TEST_F(SiblingOrderTest, WhomAPodOutsideTheGangSatisfiesWaitsForNobody) {
  const std::vector<PodBuilder> members = {
      Role("l", "leader"), Needs("w0", "worker", "leader", "switch"), Role("l1", "leader"),
      Needs("w1", "worker", "leader", "switch")};
  EXPECT_THAT(Order(members, {0, 1, 2, 3}),
              UnorderedElementsAre(Pair("w0", ElementsAre("l")), Pair("w1", ElementsAre("l1"))));
  outside_ = {1, 1, 0, 0};
  EXPECT_THAT(Order(members, {0, 1, 2, 3}), UnorderedElementsAre(Pair("w1", ElementsAre("l1"))));
}

TEST_F(SiblingOrderTest, OnceASelectedPodIsPlacedAnywhereNobodyGoesFirst) {
  const std::vector<PodBuilder> members = {Role("p0", "w"), Needs("p1", "w", "w", "switch")};
  EXPECT_THAT(Order(members, {2, 0}), UnorderedElementsAre(Pair("p0", ElementsAre("p1"))));
  selected_elsewhere_ = true;
  EXPECT_THAT(Order(members, {2, 0}), IsEmpty());
}

TEST_F(SiblingOrderTest, ASiblingThatTheFirstOfItsKindWaitsForDoesNotWaitForIt) {
  const auto self = Needs("p1", "w", "w", "switch").Label("also", "l");
  auto leader = Role("p0", "w").Label("also", "l").Affinity(TermFor("rack", "also", "l"));
  const auto order = Order({leader, self}, {2, 0});
  EXPECT_FALSE(order.contains("p0") && order.contains("p1"));
}

}  // namespace
}  // namespace gangpack
