#include "core/cluster_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tests/support/object_builders.h"
#include "tests/unit/core/random_cluster.h"

namespace gangpack {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

class ClusterStateTest : public testing::Test {
 protected:
  int64_t UsedCpu(const std::string& node) const { return AmountOf(Record(node).used, kCpuId); }
  int64_t UsedSlots(const std::string& node) const { return AmountOf(Record(node).used, kPodsId); }
  const NodeRecord& Record(const std::string& node) const {
    return cluster_.node(cluster_.FindNode(node));
  }

  ClusterState cluster_{"ome-scheduler"};
  const NodeIndex n1_ = cluster_.UpsertNode(NodeBuilder("n1").CpuMilli(4000));
  const NodeIndex n2_ = cluster_.UpsertNode(NodeBuilder("n2").CpuMilli(4000));
};

TEST_F(ClusterStateTest, ABoundPodUsesItsRequestAndOneSlotUntilItIsGone) {
  cluster_.UpsertPod(PodBuilder("p").CpuMilli(1500).On("n1"));
  EXPECT_EQ(UsedCpu("n1"), 1500);
  EXPECT_EQ(UsedSlots("n1"), 1);
  EXPECT_EQ(AmountOf(Record("n1").free(), kCpuId), 2500);
  EXPECT_EQ(AmountOf(Record("n1").free(), kPodsId), 109);
  EXPECT_EQ(UsedCpu("n2"), 0);
  cluster_.RemovePod({"uid-p"});
  EXPECT_EQ(UsedCpu("n1"), 0);
  EXPECT_EQ(UsedSlots("n1"), 0);
  EXPECT_EQ(cluster_.FindPod({"uid-p"}), nullptr);
}

TEST_F(ClusterStateTest, ATerminatingPodUsesItsNodeAndAFinishedOneDoesNot) {
  PodBuilder pod("p");
  pod.CpuMilli(1500).On("n1").Terminating();
  cluster_.UpsertPod(pod);
  EXPECT_EQ(UsedCpu("n1"), 1500);
  for (const PodPhase phase : {PodPhase::kSucceeded, PodPhase::kFailed}) {
    cluster_.UpsertPod(pod.Phase(phase));
    EXPECT_EQ(UsedCpu("n1"), 0);
    EXPECT_FALSE(cluster_.FindPod({"uid-p"})->placed());
    cluster_.UpsertPod(pod.Phase(PodPhase::kRunning));
    EXPECT_EQ(UsedCpu("n1"), 1500);
  }
  cluster_.UpsertPod(pod.Phase(PodPhase::kUnknown));
  EXPECT_EQ(UsedCpu("n1"), 1500);
}

TEST_F(ClusterStateTest, FreeIsNeverBelowZeroAndOneOverusedResourceLeavesTheOthersAlone) {
  cluster_.UpsertPod(PodBuilder("p").CpuMilli(500).Gpus(2).On("n1"));
  cluster_.UpsertNode(NodeBuilder("n1").CpuMilli(4000).Gpus(1));
  const ResourceVector free = Record("n1").free();
  EXPECT_EQ(AmountOf(free, cluster_.resources().Intern(kGpu)), 0);
  EXPECT_EQ(AmountOf(free, kCpuId), 3500);
}

TEST_F(ClusterStateTest, APodIsTheSameByUidAndAnotherUnderTheSameName) {
  cluster_.UpsertPod(PodBuilder("w-0").Uid("old").CpuMilli(1000).On("n1"));
  cluster_.UpsertPod(PodBuilder("w-0").Uid("new").CpuMilli(1000));
  EXPECT_TRUE(cluster_.FindPod({"old"})->placed());
  EXPECT_FALSE(cluster_.FindPod({"new"})->placed());
  cluster_.RemovePod({"old"});
  EXPECT_EQ(UsedCpu("n1"), 0);
  EXPECT_NE(cluster_.FindPod({"new"}), nullptr);
}

TEST_F(ClusterStateTest, AnAssumedPodCountsUntilItIsBoundOrUnassumed) {
  PodRecord* const pod = cluster_.UpsertPod(PodBuilder("p").CpuMilli(1000));
  cluster_.Assume(pod, n1_);
  EXPECT_EQ(pod->placement, Placement::kAssumed);
  EXPECT_TRUE(pod->placed());
  EXPECT_EQ(UsedCpu("n1"), 1000);
  // The watch still shows it unbound.
  EXPECT_EQ(cluster_.UpsertPod(PodBuilder("p").CpuMilli(1000).Label("a", "b")), pod);
  EXPECT_EQ(pod->placement, Placement::kAssumed);
  EXPECT_EQ(UsedCpu("n1"), 1000);
  cluster_.Unassume(pod);
  EXPECT_EQ(pod->placement, Placement::kNone);
  EXPECT_EQ(UsedCpu("n1"), 0);
  cluster_.Assume(pod, n1_);
  cluster_.UpsertPod(PodBuilder("p").CpuMilli(1000).On("n1"));
  EXPECT_EQ(pod->placement, Placement::kBound);
  EXPECT_EQ(UsedCpu("n1"), 1000);
  EXPECT_EQ(UsedSlots("n1"), 1);
  cluster_.Unassume(pod);  // too late
  EXPECT_EQ(UsedCpu("n1"), 1000);
}

TEST_F(ClusterStateTest, AnAssumedPodThatIsBoundElsewhereCountsThere) {
  PodRecord* const pod = cluster_.UpsertPod(PodBuilder("p").CpuMilli(1000));
  cluster_.Assume(pod, n1_);
  cluster_.UpsertPod(PodBuilder("p").CpuMilli(1000).On("n2"));
  EXPECT_EQ(UsedCpu("n1"), 0);
  EXPECT_EQ(UsedCpu("n2"), 1000);
}

TEST_F(ClusterStateTest, AnotherSchedulersNominationCountsAndOneOfOursDoesNot) {
  cluster_.UpsertPod(PodBuilder("ours").CpuMilli(1000).Nominated("n1"));
  EXPECT_EQ(UsedCpu("n1"), 0);
  PodBuilder other("other");
  other.CpuMilli(300).Scheduler("default-scheduler");
  cluster_.UpsertPod(other.Nominated("n1"));
  EXPECT_EQ(UsedCpu("n1"), 300);
  EXPECT_FALSE(cluster_.FindPod({"uid-other"})->placed());
  cluster_.UpsertPod(other.Nominated(""));
  EXPECT_EQ(UsedCpu("n1"), 0);
  cluster_.UpsertPod(other.Nominated("n1").On("n2"));
  EXPECT_EQ(UsedCpu("n1"), 0);
  EXPECT_EQ(UsedCpu("n2"), 300);
}

TEST_F(ClusterStateTest, AResizedPodUsesItsNewRequest) {
  cluster_.UpsertPod(PodBuilder("p").CpuMilli(1000).On("n1"));
  cluster_.UpsertPod(PodBuilder("p").CpuMilli(3000).On("n1"));
  EXPECT_EQ(UsedCpu("n1"), 3000);
  cluster_.UpsertPod(PodBuilder("p").On("n1"));
  EXPECT_EQ(UsedCpu("n1"), 0);
  EXPECT_EQ(UsedSlots("n1"), 1);
}

TEST_F(ClusterStateTest, HostPortsOfPodsComeAndGoOneByOne) {
  cluster_.UpsertPod(PodBuilder("a").HostPort(80).On("n1"));
  cluster_.UpsertPod(PodBuilder("b").HostPort(80).HostPort(81).On("n1"));
  EXPECT_EQ(Record("n1").used_ports.size(), 3u);
  cluster_.RemovePod({"uid-b"});
  EXPECT_THAT(Record("n1").used_ports, ElementsAre(HostPort{"0.0.0.0", "TCP", 80}));
  cluster_.RemovePod({"uid-a"});
  EXPECT_THAT(Record("n1").used_ports, IsEmpty());
}

TEST_F(ClusterStateTest, DaemonSetAndMirrorPodsBreakNothing) {
  cluster_.UpsertPod(PodBuilder("d").DaemonSet().On("n1"));
  cluster_.UpsertPod(PodBuilder("m").Mirror().On("n1"));
  EXPECT_EQ(Record("n1").breaking_pods, 0);
  cluster_.UpsertPod(PodBuilder("p").On("n1"));
  EXPECT_EQ(Record("n1").breaking_pods, 1);
  cluster_.UpsertPod(PodBuilder("p").On("n1").Mirror());
  EXPECT_EQ(Record("n1").breaking_pods, 0);
}

TEST_F(ClusterStateTest, APodOnANodeThatDoesNotExistYetCountsOnceItDoes) {
  cluster_.UpsertPod(PodBuilder("p").CpuMilli(1000).On("late"));
  EXPECT_EQ(cluster_.FindNode("late"), kNoNode);
  EXPECT_FALSE(cluster_.node(cluster_.FindPod({"uid-p"})->node).exists);
  cluster_.UpsertNode(NodeBuilder("late").CpuMilli(4000));
  EXPECT_EQ(UsedCpu("late"), 1000);
}

TEST_F(ClusterStateTest, ADeletedNodeKeepsItsPodsUntilItReturns) {
  cluster_.UpsertPod(PodBuilder("p").CpuMilli(1000).On("n1"));
  EXPECT_EQ(cluster_.RemoveNode("n1"), n1_);
  EXPECT_EQ(cluster_.RemoveNode("n1"), kNoNode);
  EXPECT_EQ(cluster_.RemoveNode("never"), kNoNode);
  EXPECT_EQ(cluster_.FindNode("n1"), kNoNode);
  EXPECT_EQ(cluster_.node(n1_).object.name, "n1");
  EXPECT_EQ(AmountOf(cluster_.node(n1_).free(), kCpuId), 0);
  EXPECT_EQ(cluster_.UpsertNode(NodeBuilder("n1").CpuMilli(4000)), n1_);
  EXPECT_EQ(AmountOf(Record("n1").free(), kCpuId), 3000);
}

TEST_F(ClusterStateTest, ADeletedNodeIsInNoDomainAndAKeyAddedLaterSeesOnlyNodesThatExist) {
  cluster_.UpsertNode(NodeBuilder("n1").Rack("a"));
  cluster_.UpsertNode(NodeBuilder("n2").Rack("a").Label("zone", "z"));
  const TopologyKeyIndex rack = cluster_.AddKey("rack");
  EXPECT_EQ(cluster_.AddKey("rack"), rack);
  const DomainIndex a = cluster_.topology().FindDomain(rack, "a");
  EXPECT_THAT(cluster_.topology().domain(a).nodes, ElementsAre(n1_, n2_));
  cluster_.RemoveNode("n2");
  EXPECT_THAT(cluster_.topology().domain(a).nodes, ElementsAre(n1_));
  const TopologyKeyIndex zone = cluster_.AddKey("zone");
  EXPECT_THAT(cluster_.topology().DomainsByName(zone), IsEmpty());
}

TEST_F(ClusterStateTest, SumsBeyond64BitsAreSaturatedAndExactAgainWhenTheyShrink) {
  PodBuilder big("big");
  cluster_.UpsertPod(big.CpuMilli(kMax / 4 * 3).On("n1"));
  cluster_.UpsertPod(PodBuilder("too").CpuMilli(kMax / 4 * 3).On("n1"));
  EXPECT_EQ(UsedCpu("n1"), kMax);
  EXPECT_EQ(AmountOf(Record("n1").free(), kCpuId), 0);
  cluster_.RemovePod({"uid-too"});
  EXPECT_EQ(UsedCpu("n1"), kMax / 4 * 3);
  cluster_.RemovePod({"uid-big"});
  EXPECT_EQ(UsedCpu("n1"), 0);
}

// Improvements: what may make a pod fit that did not.

TEST_F(ClusterStateTest, WhatFreesRoomIsAnImprovement) {
  PodBuilder pod("p");
  PodRecord* const record = cluster_.UpsertPod(pod.CpuMilli(1000));
  const auto improves = [this](const auto& change) {
    const int64_t before = cluster_.improvements();
    change();
    return cluster_.improvements() > before;
  };
  EXPECT_FALSE(improves([&] { cluster_.Assume(record, n1_); }));
  EXPECT_FALSE(improves([&] { cluster_.UpsertPod(pod.On("n1")); }));
  EXPECT_FALSE(improves([&] { cluster_.UpsertPod(pod.Label("a", "b")); }));
  EXPECT_TRUE(improves([&] { cluster_.UpsertPod(pod.CpuMilli(900)); }));
  EXPECT_TRUE(improves([&] { cluster_.UpsertPod(pod.Phase(PodPhase::kSucceeded)); }));
  EXPECT_FALSE(improves([&] { cluster_.RemovePod({"uid-p"}); }));
  EXPECT_FALSE(improves([&] { cluster_.RemovePod({"uid-p"}); }));
}

TEST_F(ClusterStateTest, AChangedNodeIsAnImprovementAndAHeartbeatIsNot) {
  const TopologyKeyIndex rack = cluster_.AddKey("rack");
  NodeBuilder node("n1");
  cluster_.UpsertNode(node.Rack("a"));
  const int64_t before = cluster_.improvements();
  const int64_t position = cluster_.topology().Changes(rack).end();
  cluster_.UpsertNode(node);
  EXPECT_EQ(cluster_.improvements(), before);
  EXPECT_EQ(cluster_.topology().Changes(rack).end(), position);
  cluster_.UpsertNode(node.Cordoned());
  EXPECT_GT(cluster_.improvements(), before);
  EXPECT_GT(cluster_.topology().Changes(rack).end(), position);
}

TEST_F(ClusterStateTest, NamespacesWithoutLabelsOrUnknownHaveNone) {
  EXPECT_THAT(cluster_.NamespaceLabels("x"), IsEmpty());
  cluster_.SetNamespace({"x", {{"team", "a"}}});
  EXPECT_EQ(cluster_.NamespaceLabels("x").at("team"), "a");
  cluster_.SetNamespace({"x", {}});
  EXPECT_THAT(cluster_.NamespaceLabels("x"), IsEmpty());
  cluster_.SetNamespace({"x", {{"team", "a"}}});
  cluster_.RemoveNamespace("x");
  EXPECT_THAT(cluster_.NamespaceLabels("x"), IsEmpty());
}

TEST_F(ClusterStateTest, PodsAreListedByNamespaceThenNameThenUid) {
  cluster_.UpsertPod(PodBuilder("b").Uid("1"));
  cluster_.UpsertPod(PodBuilder("a").Uid("4").Namespace("z"));
  cluster_.UpsertPod(PodBuilder("a").Uid("3"));
  cluster_.UpsertPod(PodBuilder("a").Uid("2"));
  std::vector<std::string> uids;
  for (const PodRecord* record : cluster_.PodsSorted()) uids.push_back(record->pod.uid.value);
  EXPECT_THAT(uids, ElementsAre("2", "3", "1", "4"));
}

TEST_F(ClusterStateTest, AMemberIsEligibleIfOurSchedulerWouldTryIt) {
  PodBuilder pod("p");
  const auto eligible = [&] { return cluster_.UpsertPod(pod)->eligible("ome-scheduler"); };
  EXPECT_TRUE(eligible());
  pod.Gates(1);
  EXPECT_FALSE(eligible());
  pod.Gates(0).Terminating();
  EXPECT_FALSE(eligible());
  pod.Terminating(false).Scheduler("other");
  EXPECT_FALSE(eligible());
  pod.Scheduler("ome-scheduler").Phase(PodPhase::kFailed);
  EXPECT_FALSE(eligible());
  pod.Phase(PodPhase::kPending);
  EXPECT_TRUE(eligible());
  pod.On("n1");
  EXPECT_FALSE(eligible());
}

TEST_F(ClusterStateTest, ABoundPodIsNeverAssumed) {
  PodRecord* const pod = cluster_.UpsertPod(PodBuilder("p").On("n1"));
  EXPECT_DEATH(cluster_.Assume(pod, n2_), "broken invariant");
}

class RandomClusterStateTest : public testing::TestWithParam<uint64_t> {};

TEST_P(RandomClusterStateTest, AfterEveryChangeItEqualsAPlainRescanAndARebuild) {
  RandomCluster world(GetParam());
  ClusterState cluster("ome-scheduler");
  std::vector<std::string> keys = {"rack"};
  cluster.AddKey("rack");
  for (int step = 0; step < 3000; ++step) {
    SCOPED_TRACE(absl::StrCat("seed ", GetParam(), " step ", step));
    if (step == 1000) {
      keys.push_back("zone");
      cluster.AddKey("zone");
    }
    world.Step(&cluster);
    const std::string described = RandomCluster::Describe(cluster);
    ASSERT_EQ(described, world.Rescan(keys));
    if (step % 50 != 0) continue;
    ClusterState rebuilt("ome-scheduler");
    world.Rebuild(&rebuilt);
    for (const std::string& key : keys) rebuilt.AddKey(key);
    ASSERT_EQ(described, RandomCluster::Describe(rebuilt));
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomClusterStateTest, testing::Range<uint64_t>(1, 6));

}  // namespace
}  // namespace gangpack
