#include "core/gang.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "tests/support/object_builders.h"

namespace gangpack {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

absl::Time Second(int64_t second) { return absl::FromUnixSeconds(second); }

// Nodes a1 and a2 in rack a, b1 in rack b, and none without a rack.
class SummarizeTest : public testing::Test {
 protected:
  SummarizeTest() {
    cluster_.AddKey("rack");
    cluster_.UpsertNode(NodeBuilder("a1").Rack("a"));
    cluster_.UpsertNode(NodeBuilder("a2").Rack("a"));
    cluster_.UpsertNode(NodeBuilder("b1").Rack("b"));
    cluster_.UpsertNode(NodeBuilder("none"));
    gang_.name = {"ns", "g"};
    gang_.group = PodGroupBuilder("g", 3).Created(Second(100)).Build();
  }

  PodRecord* Add(const PodBuilder& pod) {
    PodRecord* const record = cluster_.UpsertPod(pod);
    gang_.members[record->pod.uid] = record;
    return record;
  }
  GangSummary Summary() const { return Summarize(gang_, cluster_, policy_); }
  std::vector<std::string> EligibleNames() const {
    std::vector<std::string> names;
    for (const PodRecord* pod : Summary().eligible) names.push_back(pod->pod.name.name);
    return names;
  }
  std::string DomainName() const {
    const DomainIndex domain = Summary().domain;
    return domain == kNoDomain ? "" : cluster_.topology().domain(domain).name;
  }

  Policy policy_;
  ClusterState cluster_{"ome-scheduler"};
  Gang gang_;
};

TEST_F(SummarizeTest, AnUnplacedMemberIsEligibleAndABoundOneIsPlaced) {
  Add(PodBuilder("w-0"));
  Add(PodBuilder("w-1").On("a1"));
  const GangSummary summary = Summary();
  EXPECT_EQ(summary.members, 2);
  EXPECT_EQ(summary.placed, 1);
  EXPECT_THAT(EligibleNames(), ElementsAre("w-0"));
  ASSERT_EQ(summary.placed_live.size(), 1u);
  EXPECT_EQ(DomainName(), "a");
  EXPECT_FALSE(summary.broken);
}

TEST_F(SummarizeTest, AnAssumedMemberIsPlaced) {
  PodRecord* const pod = Add(PodBuilder("w-0"));
  cluster_.Assume(pod, cluster_.FindNode("b1"));
  EXPECT_EQ(Summary().placed, 1);
  EXPECT_THAT(EligibleNames(), IsEmpty());
  EXPECT_EQ(DomainName(), "b");
}

TEST_F(SummarizeTest, GatedMembersAndThoseOfOtherSchedulersAreMembersButNotEligible) {
  Add(PodBuilder("w-0").Gates(2));
  Add(PodBuilder("w-2").Scheduler("second"));
  Add(PodBuilder("w-1").Scheduler("first"));
  Add(PodBuilder("w-3"));
  Add(PodBuilder("w-4").Scheduler("second"));
  const GangSummary summary = Summary();
  EXPECT_EQ(summary.members, 5);
  EXPECT_EQ(summary.gated, 1);
  EXPECT_THAT(summary.other_schedulers,
              ElementsAre(testing::Pair("first", 1), testing::Pair("second", 2)));
  EXPECT_THAT(EligibleNames(), ElementsAre("w-3"));
}

TEST_F(SummarizeTest, OnceBoundByWhomeverAMemberIsPlaced) {
  Add(PodBuilder("w-0").Scheduler("other").On("a1"));
  EXPECT_EQ(Summary().placed, 1);
  EXPECT_THAT(Summary().other_schedulers, IsEmpty());
}

TEST_F(SummarizeTest, ATerminatingMemberIsNotLiveWhereverItIs) {
  Add(PodBuilder("w-0").Terminating());
  Add(PodBuilder("w-1").Terminating().On("a1"));
  const GangSummary summary = Summary();
  EXPECT_EQ(summary.members, 0);
  EXPECT_EQ(summary.placed, 0);
  EXPECT_THAT(summary.eligible, IsEmpty());
  EXPECT_EQ(summary.domain, kNoDomain);
}

TEST_F(SummarizeTest, AMemberThatSucceededCountsAsPlacedIfItIsNotOlderThanThePodGroup) {
  Add(PodBuilder("w-0").Phase(PodPhase::kSucceeded).On("a1").Created(Second(100)));
  EXPECT_EQ(Summary().placed, 1);
  EXPECT_EQ(Summary().members, 1);
  EXPECT_EQ(Summary().domain, kNoDomain);  // it runs nowhere
  Add(PodBuilder("w-1").Phase(PodPhase::kSucceeded).On("a1").Created(Second(99)));
  EXPECT_EQ(Summary().placed, 1);
  gang_.group.reset();
  EXPECT_EQ(Summary().placed, 0);
}

TEST_F(SummarizeTest, AFailedMemberNeverCounts) {
  Add(PodBuilder("w-0").Phase(PodPhase::kFailed).On("a1").Created(Second(200)));
  EXPECT_EQ(Summary().members, 0);
  EXPECT_EQ(Summary().placed, 0);
}

TEST_F(SummarizeTest, AMemberWhoseNodeIsGoneIsLostAndNotPlaced) {
  Add(PodBuilder("w-0").On("a1"));
  Add(PodBuilder("w-1").On("b1"));
  cluster_.RemoveNode("b1");
  const GangSummary summary = Summary();
  EXPECT_EQ(summary.members, 2);
  EXPECT_EQ(summary.placed, 1);
  EXPECT_THAT(summary.lost_with, ElementsAre(testing::Pair("b1", 1)));
  EXPECT_FALSE(summary.broken);
  EXPECT_EQ(DomainName(), "a");
}

TEST_F(SummarizeTest, LostMembersAreNamedByNodeAndNoMoreNodesThanADetailMayList) {
  Policy policy;
  policy.detail_nodes_max = 2;
  GangSummary summary;
  summary.lost_with = {{"c", 1}, {"a", 2}};
  Reason reason;
  NameLost(summary, policy, &reason);
  ASSERT_EQ(reason.lost.size(), 2u);
  EXPECT_EQ(reason.lost[0].node, "a");
  EXPECT_EQ(reason.lost[0].members, 2);
  EXPECT_EQ(reason.lost_more, 0);
  summary.lost_with["b"] = 1;
  NameLost(summary, policy, &reason);
  EXPECT_EQ(reason.lost.size(), 2u);
  EXPECT_EQ(reason.lost_more, 1);
  NameLost(GangSummary(), policy, &reason);
  EXPECT_THAT(reason.lost, IsEmpty());
  EXPECT_EQ(reason.lost_more, 0);
}

TEST_F(SummarizeTest, MembersInTwoDomainsBreakTheGangAndItThenHasNone) {
  Add(PodBuilder("w-0").On("a1"));
  Add(PodBuilder("w-1").On("a2"));
  EXPECT_FALSE(Summary().broken);
  Add(PodBuilder("w-2").On("b1"));
  const GangSummary summary = Summary();
  EXPECT_TRUE(summary.broken);
  EXPECT_EQ(summary.domain, kNoDomain);
  EXPECT_EQ(summary.broken_detail, "ns/w-0 runs in a, ns/w-2 in b");
  EXPECT_EQ(summary.placed, 3);
}

TEST_F(SummarizeTest, AMemberOnAnUnlabelledNodeBreaksTheGang) {
  Add(PodBuilder("w-0").On("a1"));
  Add(PodBuilder("w-1").On("none"));
  const GangSummary summary = Summary();
  EXPECT_TRUE(summary.broken);
  EXPECT_EQ(summary.domain, kNoDomain);
  EXPECT_EQ(summary.broken_detail, "ns/w-1 runs on none, which has no label rack");
  cluster_.UpsertNode(NodeBuilder("none").Rack(""));
  EXPECT_EQ(Summary().broken_detail, "ns/w-1 runs on none, whose label rack is empty");
  cluster_.UpsertNode(NodeBuilder("none").Rack("a"));
  EXPECT_FALSE(Summary().broken);
  EXPECT_EQ(DomainName(), "a");
}

TEST_F(SummarizeTest, EligibleMembersAreByPriorityThenCreationThenName) {
  Add(PodBuilder("d").Priority(1).Created(Second(1)));
  Add(PodBuilder("c").Priority(1).Created(Second(1)));
  Add(PodBuilder("b").Priority(1).Created(Second(2)));
  Add(PodBuilder("a").Priority(0).Created(Second(0)));
  Add(PodBuilder("e").Priority(2).Created(Second(9)));
  EXPECT_THAT(EligibleNames(), ElementsAre("e", "c", "d", "b", "a"));
}

TEST_F(SummarizeTest, ThePriorityIsTheHighestAmongLiveMembers) {
  EXPECT_EQ(Summary().priority, 0);
  Add(PodBuilder("w-1").Priority(-7));
  Add(PodBuilder("w-2").Priority(-5).On("a1"));
  EXPECT_EQ(Summary().priority, -5);
  Add(PodBuilder("w-3").Priority(9).Terminating());
  Add(PodBuilder("w-4").Priority(9).Phase(PodPhase::kFailed));
  EXPECT_EQ(Summary().priority, -5);
}

TEST_F(SummarizeTest, AMemberThatSucceededDoesNotRaiseANegativePriority) {
  Add(PodBuilder("w-0").Phase(PodPhase::kSucceeded).Created(Second(100)).Priority(9));
  Add(PodBuilder("w-1").Priority(-7));
  EXPECT_EQ(Summary().priority, -7);
}

TEST_F(SummarizeTest, ThePlacementGroupLabelCountsByMerePresenceOnThePodGroupOrALiveMember) {
  EXPECT_FALSE(Summary().placement_group);
  Add(PodBuilder("w-1").Label("ome.io/placement-group", "").Terminating());
  EXPECT_FALSE(Summary().placement_group);
  Add(PodBuilder("w-2").Label("ome.io/placement-group", ""));
  EXPECT_TRUE(Summary().placement_group);
  EXPECT_EQ(Summary().placement_group_on, "pod ns/w-2");
  gang_.group->labels["ome.io/placement-group"] = "x";
  EXPECT_EQ(Summary().placement_group_on, "PodGroup ns/g");
  policy_.placement_group_label = "another";
  EXPECT_FALSE(Summary().placement_group);
}

TEST_F(SummarizeTest, WithoutATopologyKeyThereIsNoDomainAndNothingIsBroken) {
  gang_.group = PodGroupBuilder("g", 2).TopologyKey(std::nullopt).Build();
  Add(PodBuilder("w-0").On("a1"));
  Add(PodBuilder("w-1").On("b1"));
  EXPECT_EQ(Summary().key, -1);
  EXPECT_FALSE(Summary().broken);
  EXPECT_EQ(Summary().domain, kNoDomain);
  policy_.default_topology_key = "rack";
  EXPECT_TRUE(Summary().broken);
}

TEST(TopologyKeyOfTest, TheAnnotationComesFirstThenTheDefault) {
  Policy policy;
  PodGroupBuilder group("g", 2);
  EXPECT_EQ(TopologyKeyOf(group.TopologyKey("zone"), policy), "zone");
  EXPECT_EQ(TopologyKeyOf(group.TopologyKey(std::nullopt), policy), "");
  policy.default_topology_key = "rack";
  EXPECT_EQ(TopologyKeyOf(group, policy), "rack");
  EXPECT_EQ(TopologyKeyOf(group.TopologyKey(""), policy), "rack");
  EXPECT_EQ(TopologyKeyOf(group.TopologyKey("zone"), policy), "zone");
  policy.topology_key_annotation = "example.com/key";
  EXPECT_EQ(TopologyKeyOf(group, policy), "rack");
}

TEST(TimeoutOfTest, OnlyAPositiveNumberOfSecondsReplacesTheDefault) {
  Policy policy;
  policy.permit_timeout = absl::Seconds(50);
  Gang gang;
  EXPECT_EQ(TimeoutOf(gang, policy), absl::Seconds(50));
  const auto timeout = [&](std::optional<int64_t> seconds) {
    gang.group = PodGroupBuilder("g", 2).TimeoutSeconds(seconds).Build();
    return TimeoutOf(gang, policy);
  };
  EXPECT_EQ(timeout(std::nullopt), absl::Seconds(50));
  EXPECT_EQ(timeout(0), absl::Seconds(50));
  EXPECT_EQ(timeout(-1), absl::Seconds(50));
  EXPECT_EQ(timeout(1), absl::Seconds(1));
  EXPECT_EQ(timeout(16 * 60), absl::Minutes(16));  // beyond 15 minutes
  const absl::Time end = Second(0) + timeout(std::numeric_limits<int64_t>::max());
  EXPECT_GT(end, Second(int64_t{1} << 40));
}

class GangOrderTest : public testing::Test {
 protected:
  // True if `a` comes before `b` and not the other way round.
  static bool Before(const Gang& a, const Gang& b) {
    EXPECT_FALSE(GangOrder()(&a, &a));
    return GangOrder()(&a, &b) && !GangOrder()(&b, &a);
  }
  GangOrderTest() {
    first_.name = {"ns", "a"};
    second_.name = {"ns", "b"};
  }
  Gang first_;
  Gang second_;
};

TEST_F(GangOrderTest, AtLastTheNameDecides) {
  EXPECT_TRUE(Before(first_, second_));
  second_.name = {"a", "z"};
  EXPECT_TRUE(Before(second_, first_));
}

TEST_F(GangOrderTest, TheOneThatBecameCompleteFirstIsFirst) {
  first_.complete_since = Second(2);
  second_.complete_since = Second(1);
  first_.complete_sequence = 1;
  second_.complete_sequence = 2;
  EXPECT_TRUE(Before(second_, first_));
  second_.complete_since = Second(2);
  EXPECT_TRUE(Before(first_, second_));
  first_.complete_sequence = 3;
  EXPECT_TRUE(Before(second_, first_));
}

TEST_F(GangOrderTest, AGangThatAlreadyRunsIsBeforeANewOneThatWasCompleteEarlier) {
  first_.complete_since = Second(1);
  second_.complete_since = Second(2);
  second_.summary.placed = 1;
  EXPECT_TRUE(Before(second_, first_));
  first_.summary.placed = 5;  // how many run does not matter
  EXPECT_TRUE(Before(first_, second_));
}

TEST_F(GangOrderTest, HigherPriorityIsBeforeEverythingElse) {
  first_.summary.placed = 1;
  second_.summary.priority = 1;
  EXPECT_TRUE(Before(second_, first_));
  first_.summary.priority = 1;
  EXPECT_TRUE(Before(first_, second_));
  first_.summary.priority = -2147483647 - 1;
  second_.summary.priority = 2147483647;
  EXPECT_TRUE(Before(second_, first_));
}

}  // namespace
}  // namespace gangpack
