#include "server/simulate/requeue_hints.h"

#include <memory>
#include <string>

#include "gtest/gtest.h"
#include "server/manifest/manifest_cluster.h"
#include "tests/unit/server/manifest/test_objects.h"

namespace gangpack::server {
namespace {

class RequeueHintsTest : public testing::Test {
 protected:
  std::shared_ptr<const NodeObject> Node(const std::string& cpu, const std::string& fields = "") {
    EXPECT_TRUE(cluster_.Apply(NodeNamed("n1", cpu, fields)).empty());
    return cluster_.FindNode("n1");
  }
  QueuedPod Parked(Rejectors rejectors, const std::string& spec = "") {
    EXPECT_TRUE(cluster_.Apply(PodNamed("p", "2", spec)).empty());
    return {cluster_.FindPod({"ns", "p"}), rejectors};
  }
  static SchedulerEvent NodeEvent(std::shared_ptr<const NodeObject> before,
                                  std::shared_ptr<const NodeObject> after) {
    return {SchedulerEventKind::kNode, {std::move(before), std::move(after)}, {}};
  }
  SchedulerEvent PodEvent(SchedulerEventKind kind) {
    EXPECT_TRUE(cluster_.Apply(PodNamed("other", "1")).empty());
    const auto other = cluster_.FindPod({"ns", "other"});
    return {kind, {}, {other, other}};
  }

  TestClock clock_;
  ManifestCluster cluster_{"ours", &clock_};
};

TEST_F(RequeueHintsTest, AnExtendersRefusalIsHelpedByEveryEvent) {
  const QueuedPod parked = Parked(kRejectedByExtender);
  EXPECT_TRUE(Helps(NodeEvent(nullptr, Node("1")), parked));
  EXPECT_TRUE(Helps(PodEvent(SchedulerEventKind::kAssignedAdded), parked));
  EXPECT_TRUE(Helps(PodEvent(SchedulerEventKind::kAssignedUpdated), parked));
  EXPECT_TRUE(Helps(PodEvent(SchedulerEventKind::kAssignedGone), parked));
}

TEST_F(RequeueHintsTest, AnotherPodsOwnUpdateHelpsNobodyElse) {
  const QueuedPod parked = Parked(kRejectedByExtender);
  EXPECT_FALSE(Helps(PodEvent(SchedulerEventKind::kOwnUpdate), parked));
  EXPECT_TRUE(Helps({SchedulerEventKind::kOwnUpdate, {}, {parked.object, parked.object}}, parked));
}

TEST_F(RequeueHintsTest, OwnUpdateDoesNotHelpWhatOnlyInTreeFiltersRefused) {
  const QueuedPod parked = Parked(kRejectedByFit);
  EXPECT_FALSE(Helps({SchedulerEventKind::kOwnUpdate, {}, {parked.object, parked.object}}, parked));
}

TEST_F(RequeueHintsTest, LackOfRoomIsHelpedByAPodThatGoesButNotByOneThatComes) {
  const QueuedPod parked = Parked(kRejectedByFit);
  EXPECT_TRUE(Helps(PodEvent(SchedulerEventKind::kAssignedGone), parked));
  EXPECT_FALSE(Helps(PodEvent(SchedulerEventKind::kAssignedAdded), parked));
}

TEST_F(RequeueHintsTest, LackOfRoomIsHelpedByANodeThatIsLargeEnoughAndGrew) {
  const QueuedPod parked = Parked(kRejectedByFit);
  const auto small = Node("1");
  const auto enough = Node("2");
  const auto labelled = Node("2", "spec: {unschedulable: true}");
  EXPECT_FALSE(Helps(NodeEvent(nullptr, small), parked));
  EXPECT_TRUE(Helps(NodeEvent(nullptr, enough), parked));
  EXPECT_TRUE(Helps(NodeEvent(small, enough), parked));
  EXPECT_FALSE(Helps(NodeEvent(enough, labelled), parked));
}

TEST_F(RequeueHintsTest, ACordonIsHelpedByItsEnd) {
  const QueuedPod parked = Parked(kRejectedByUnschedulable);
  const auto cordoned = Node("4", "spec: {unschedulable: true}");
  const auto open = Node("4");
  EXPECT_TRUE(Helps(NodeEvent(cordoned, open), parked));
  EXPECT_FALSE(Helps(NodeEvent(open, cordoned), parked));
  EXPECT_FALSE(Helps(NodeEvent(open, open), parked));
}

TEST_F(RequeueHintsTest, ATaintIsHelpedWhenItGoes) {
  const QueuedPod parked = Parked(kRejectedByTaints);
  const auto tainted = Node("4", "spec: {taints: [{key: k, effect: NoSchedule}]}");
  const auto open = Node("4");
  EXPECT_TRUE(Helps(NodeEvent(tainted, open), parked));
  EXPECT_FALSE(Helps(NodeEvent(open, tainted), parked));
}

TEST_F(RequeueHintsTest, AnyTaintChangeHelpsWhatOtherPluginsRefused) {
  const auto tainted = Node("1", "spec: {taints: [{key: k, effect: NoSchedule}]}");
  const auto cordoned = Node("1", "spec: {unschedulable: true}");
  const auto open = Node("1");
  for (const Rejectors by :
       {kRejectedByFit, kRejectedByNodeAffinity, kRejectedByPorts, kRejectedByStep}) {
    const QueuedPod parked = Parked(by);
    EXPECT_TRUE(Helps(NodeEvent(open, tainted), parked)) << by;
    EXPECT_TRUE(Helps(NodeEvent(cordoned, open), parked)) << by;
    EXPECT_FALSE(Helps(NodeEvent(open, cordoned), parked)) << by;
  }
  EXPECT_FALSE(Helps(NodeEvent(open, tainted), Parked(kRejectedByUnschedulable)));
}

TEST_F(RequeueHintsTest, PriorityLimitKeepsHigherPodsParked) {
  SchedulerEvent event = PodEvent(SchedulerEventKind::kAssignedGone);
  event.priority_max = 0;
  EXPECT_TRUE(Helps(event, Parked(kRejectedByExtender)));
  ASSERT_TRUE(cluster_.DeletePod({"ns", "p"}).ok());
  EXPECT_FALSE(Helps(event, Parked(kRejectedByExtender, "priority: 1")));
}

TEST_F(RequeueHintsTest, AHeartbeatIsNoChange) {
  const auto before = Node("4");
  const auto again = Node("4");
  const auto grown = Node("5");
  EXPECT_FALSE(ChangesScheduling({before, again}));
  EXPECT_TRUE(ChangesScheduling({before, grown}));
  EXPECT_TRUE(ChangesScheduling({nullptr, before}));
}

TEST_F(RequeueHintsTest, ACordonIsNoChangeButItsEndIs) {
  const auto open = Node("4");
  const auto cordoned = Node("4", "spec: {unschedulable: true}");
  const auto cordoned_and_grown = Node("5", "spec: {unschedulable: true}");
  EXPECT_FALSE(ChangesScheduling({open, cordoned}));
  EXPECT_TRUE(ChangesScheduling({cordoned, open}));
  EXPECT_TRUE(ChangesScheduling({open, cordoned_and_grown}));
}

}  // namespace
}  // namespace gangpack::server
