#include "server/demo/demo_scheduler.h"

#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/app.h"
#include "server/cluster_input.h"

namespace gangpack::server {
namespace {

using ::testing::HasSubstr;

constexpr absl::Duration kLong = absl::Seconds(30);
constexpr absl::Duration kShort = absl::Milliseconds(20);

constexpr char kNodeAndGang[] = R"(
apiVersion: v1
kind: Node
metadata: {name: n1, labels: {rack: a}}
status: {capacity: {cpu: "2"}}
---
apiVersion: scheduling.x-k8s.io/v1alpha1
kind: PodGroup
metadata: {namespace: ns, name: g, annotations: {ome.io/topology-key: rack}}
spec: {minMember: 2}
---
apiVersion: v1
kind: Pod
metadata: {namespace: ns, name: w-0, labels: {scheduling.x-k8s.io/pod-group: g}}
spec: {containers: [{name: c}]}
---
apiVersion: v1
kind: Pod
metadata: {namespace: ns, name: w-1, labels: {scheduling.x-k8s.io/pod-group: g}}
spec: {containers: [{name: c}]}
)";
const NamespacedName kFirst = {"ns", "w-0"};
const NamespacedName kSecond = {"ns", "w-1"};

class DemoSchedulerTest : public testing::Test {
 protected:
  DemoSchedulerTest()
      : unserved_(std::make_unique<EmbeddedCluster>("ome-scheduler", &clock_)),
        cluster_(*unserved_),
        scheduler_("ome-scheduler", &cluster_, &clock_,
                   [this](const AttemptOutcome& outcome) { outcomes_.push_back(outcome); }) {}

  void Serve() {
    app_ = *App::Start({}, std::move(unserved_), &clock_);
    scheduler_.Connect(app_->filter_url(), app_->bind_url());
  }

  void Apply(const std::string& manifests) {
    cluster_.Change([&](ManifestCluster& paper) {
      std::istringstream in(manifests);
      EXPECT_TRUE(LoadCluster({"-"}, in, paper).faults.empty());
    });
  }

  std::string NodeOf(const NamespacedName& pod) {
    std::string node;
    cluster_.Change([&](ManifestCluster& paper) { node = paper.FindPod(pod)->pod.node_name; });
    return node;
  }

  PodState StateOf(const NamespacedName& pod) {
    for (const PodView& view : app_->driver().Pods()) {
      if (view.pod == pod) return view.state;
    }
    ADD_FAILURE() << "there is no pod " << pod.ToString();
    return PodState::kPending;
  }

  bool RunUntilBothAreBound() {
    return scheduler_.Run([this] { return NodeOf(kFirst) == "n1" && NodeOf(kSecond) == "n1"; },
                          kLong, clock_.Now() + kLong);
  }

  k8s::SystemClock clock_;
  std::vector<AttemptOutcome> outcomes_;
  std::unique_ptr<EmbeddedCluster> unserved_;
  EmbeddedCluster& cluster_;
  DemoScheduler scheduler_;
  std::unique_ptr<App> app_;
};

TEST_F(DemoSchedulerTest, PodsAreScheduledThroughTheServerAndOutcomesAreTold) {
  Serve();
  Apply(kNodeAndGang);
  EXPECT_TRUE(RunUntilBothAreBound());
  ASSERT_EQ(outcomes_.size(), 2u);
  EXPECT_EQ(outcomes_[0].pod, kFirst);
  EXPECT_EQ(outcomes_[0].kind, AttemptOutcome::Kind::kAssumed);
  EXPECT_EQ(outcomes_[0].node, "n1");
}

TEST_F(DemoSchedulerTest, APausedPodIsNotTriedUntilItIsResumedAndItsSiblingsBindStaysOpen) {
  Serve();
  scheduler_.Pause(kSecond);
  Apply(kNodeAndGang);
  EXPECT_TRUE(scheduler_.Run([this] { return StateOf(kFirst) == PodState::kWaiting; }, kLong,
                             clock_.Now() + kLong));
  EXPECT_EQ(StateOf(kSecond), PodState::kPending);
  EXPECT_EQ(NodeOf(kFirst), "");
  EXPECT_EQ(outcomes_.size(), 1u);
  EXPECT_EQ(scheduler_.open_binds(), 1);
  scheduler_.Resume(kSecond);
  EXPECT_TRUE(
      scheduler_.Run([this] { return scheduler_.open_binds() == 0; }, kLong, clock_.Now() + kLong));
  EXPECT_EQ(NodeOf(kFirst), "n1");
  EXPECT_EQ(NodeOf(kSecond), "n1");
}

TEST_F(DemoSchedulerTest, ARefusedNodeIsNotOfferedForThePod) {
  Serve();
  scheduler_.Refuse({"ns", "p"}, "n1");
  Apply(R"(
apiVersion: v1
kind: Node
metadata: {name: n1}
status: {capacity: {cpu: "2"}}
---
apiVersion: v1
kind: Pod
metadata: {namespace: ns, name: p}
spec: {containers: [{name: c}]}
)");
  EXPECT_TRUE(scheduler_.Run([this] { return !outcomes_.empty(); }, kLong, clock_.Now() + kLong));
  EXPECT_EQ(outcomes_[0].kind, AttemptOutcome::Kind::kUnschedulable);
  EXPECT_EQ(NodeOf({"ns", "p"}), "");
}

TEST_F(DemoSchedulerTest, RunGivesUpWhenNothingHappensAndWhenTheTimeIsOver) {
  Serve();
  EXPECT_FALSE(scheduler_.Run([] { return false; }, kShort, clock_.Now() + kLong));
  EXPECT_FALSE(scheduler_.Run([] { return false; }, kLong, clock_.Now() + kShort));
  EXPECT_TRUE(scheduler_.Run([] { return true; }, absl::ZeroDuration(), clock_.Now()));
}

TEST_F(DemoSchedulerTest, WithoutAServerEveryAttemptFails) {
  Apply(kNodeAndGang);
  EXPECT_TRUE(
      scheduler_.Run([this] { return outcomes_.size() == 2; }, kLong, clock_.Now() + kLong));
  for (const AttemptOutcome& outcome : outcomes_) {
    EXPECT_EQ(outcome.kind, AttemptOutcome::Kind::kFailed);
    EXPECT_THAT(outcome.text, HasSubstr("not connected"));
  }
}

}  // namespace
}  // namespace gangpack::server
