#include "server/simulate/kube_scheduler_model.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/unit/server/manifest/test_objects.h"

namespace gangpack::server {
namespace {

// Accepts every node unless told otherwise, and holds every bind.
class FakeExtender final : public Extender {
 public:
  ExtenderFilterAnswer Filter(const PodObject& pod,
                              const std::vector<std::string>& nodes) override {
    offered.push_back(nodes);
    if (answer) return answer(pod, nodes);
    return {"", nodes, {}};
  }
  std::map<std::string, int64_t> Prioritize(const PodObject&,
                                            const std::vector<std::string>&) override {
    ++prioritized;
    return scores;
  }
  void Bind(const ExtenderBind& bind) override { binds.push_back(bind); }

  static ExtenderFilterAnswer RefuseAll(const std::vector<std::string>& nodes,
                                        const std::string& reason) {
    return {"", {}, {{nodes[0], reason}}};
  }

  std::function<ExtenderFilterAnswer(const PodObject&, const std::vector<std::string>&)> answer;
  std::map<std::string, int64_t> scores;
  std::vector<std::vector<std::string>> offered;
  std::vector<ExtenderBind> binds;
  int prioritized = 0;
};

class KubeSchedulerModelTest : public testing::Test {
 protected:
  void Apply(const ManifestObject& object) {
    ASSERT_TRUE(cluster_.Apply(object).empty());
    Deliver();
  }
  void Deliver() {
    for (const ClusterEvent& event : cluster_.DrainEvents()) model_.Observe(event);
  }
  // Attempts until nothing is left to try.
  int RunAll() {
    int tries = 0;
    while (model_.TryOne(/*no_backoff=*/true) && tries < 1000) {
      ++tries;
      Deliver();
    }
    return tries;
  }
  std::shared_ptr<const PodObject> Find(const std::string& name) {
    return cluster_.FindPod({"ns", name});
  }
  AttemptRecord Record(const std::string& name) { return model_.RecordOf(Find(name)->pod.uid); }

  TestClock clock_;
  ManifestCluster cluster_{"ours", &clock_};
  FakeExtender extender_;
  KubeSchedulerModel model_{"ours", {&cluster_, &extender_, &clock_, [](const AttemptOutcome&) {}}};
};

using Offers = std::vector<std::vector<std::string>>;

TEST_F(KubeSchedulerModelTest, OffersFeasibleNodesByNameAndBindsTheOneChosen) {
  Apply(NodeNamed("b"));
  Apply(NodeNamed("a"));
  Apply(NodeNamed("small", "500m"));
  Apply(PodNamed("p"));
  EXPECT_EQ(RunAll(), 1);
  EXPECT_EQ(extender_.offered, Offers({{"a", "b"}}));
  ASSERT_EQ(extender_.binds.size(), 1u);
  EXPECT_EQ(extender_.binds[0].node, "a");
  EXPECT_EQ(extender_.binds[0].uid, Find("p")->pod.uid);
}

TEST_F(KubeSchedulerModelTest, TheHighestScoreWinsAndOneNodeIsNotScored) {
  extender_.scores = {{"b", 5}};
  Apply(NodeNamed("a", "1"));
  Apply(NodeNamed("b", "1"));
  Apply(PodNamed("p"));
  RunAll();
  EXPECT_EQ(extender_.binds[0].node, "b");
  EXPECT_EQ(extender_.prioritized, 1);
  Apply(PodNamed("q"));
  RunAll();
  EXPECT_EQ(extender_.binds[1].node, "a");
  EXPECT_EQ(extender_.prioritized, 1);
}

TEST_F(KubeSchedulerModelTest, ManyBindsAreHeldAtOnceAndAssumedPodsCount) {
  Apply(NodeNamed("a", "2"));
  for (const char* name : {"p", "q", "r"}) Apply(PodNamed(name));
  RunAll();
  EXPECT_EQ(extender_.binds.size(), 2u);
  EXPECT_EQ(Record("r").text,
            "0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate");
}

TEST_F(KubeSchedulerModelTest, InTreeRefusalDoesNotAskTheExtenderAndIsWritten) {
  Apply(NodeNamed("a", "1"));
  Apply(PodNamed("p", "2"));
  EXPECT_EQ(RunAll(), 1);
  EXPECT_TRUE(extender_.offered.empty());
  EXPECT_FALSE(Record("p").extender_asked);
  EXPECT_EQ(Find("p")->scheduled.status, "False");
  EXPECT_EQ(Find("p")->scheduled.reason, "Unschedulable");
  EXPECT_EQ(Find("p")->scheduled.message, Record("p").text);
}

TEST_F(KubeSchedulerModelTest, AChangedTextOfTheExtenderCostsExactlyOneMoreAttempt) {
  extender_.answer = [](const PodObject&, const std::vector<std::string>& nodes) {
    return FakeExtender::RefuseAll(nodes, "waiting");
  };
  Apply(NodeNamed("a"));
  Apply(NodeNamed("b"));
  Apply(PodNamed("p"));
  EXPECT_EQ(RunAll(), 2);
  EXPECT_EQ(Record("p").text, "0/2 nodes are available: 1 waiting. no new claims to deallocate");
  EXPECT_EQ(RunAll(), 0);
}

TEST_F(KubeSchedulerModelTest, ATextThatChangesEachTimeStopsAtTheLimitAndIsNoted) {
  int count = 0;
  extender_.answer = [&count](const PodObject&, const std::vector<std::string>& nodes) {
    return FakeExtender::RefuseAll(nodes, "try " + std::to_string(++count));
  };
  Apply(NodeNamed("a"));
  Apply(PodNamed("p"));
  EXPECT_EQ(RunAll(), KubeSchedulerModel::kTriesMax);
  EXPECT_EQ(model_.exhausted().size(), 1u);
  model_.NoteChange();
  EXPECT_EQ(RunAll(), KubeSchedulerModel::kTriesMax);
}

TEST_F(KubeSchedulerModelTest, WakesAPodThatTheExtenderRefusedOnEventsOfOthers) {
  extender_.answer = [](const PodObject&, const std::vector<std::string>& nodes) {
    return FakeExtender::RefuseAll(nodes, "waiting");
  };
  Apply(NodeNamed("a"));
  Apply(PodNamed("p"));
  RunAll();
  Apply(PodNamed("unscheduled", "1", "schedulerName: other"));
  EXPECT_EQ(RunAll(), 0) << "another unscheduled pod is no event";
  Apply(PodNamed("assigned", "1", "nodeName: a"));
  EXPECT_EQ(RunAll(), 1);
  Apply(NodeNamed("b"));
  EXPECT_EQ(RunAll(), 2) << "once for the node, once for the text, which counts the nodes";
  ASSERT_TRUE(cluster_.Wake({Find("p")->pod.uid, {"ns", "p"}}).ok());
  Deliver();
  EXPECT_EQ(RunAll(), 1);
  ASSERT_TRUE(cluster_.DeletePod({"ns", "assigned"}).ok());
  Deliver();
  EXPECT_EQ(RunAll(), 1);
}

TEST_F(KubeSchedulerModelTest, AWakeDoesNotHelpAPodThatTheExtenderNeverSaw) {
  Apply(NodeNamed("a", "1"));
  Apply(PodNamed("p", "2"));
  RunAll();
  ASSERT_TRUE(cluster_.Wake({Find("p")->pod.uid, {"ns", "p"}}).ok());
  Deliver();
  EXPECT_EQ(RunAll(), 0);
  Apply(NodeNamed("a", "2"));
  EXPECT_EQ(RunAll(), 1);
}

TEST_F(KubeSchedulerModelTest, TriesTheNominatedNodeAloneThenTheFullList) {
  Apply(NodeNamed("a"));
  Apply(NodeNamed("b"));
  Apply(PodNamed("p", "1", "", "status: {nominatedNodeName: b}"));
  RunAll();
  EXPECT_EQ(extender_.offered, Offers({{"b"}}));
  EXPECT_EQ(extender_.binds[0].node, "b");
  extender_.answer = [](const PodObject&, const std::vector<std::string>& nodes) {
    ExtenderFilterAnswer answer;
    if (nodes.size() > 1) answer.passed = {"a"};
    return answer;
  };
  Apply(PodNamed("q", "1", "", "status: {nominatedNodeName: b}"));
  RunAll();
  EXPECT_EQ(extender_.offered, Offers({{"b"}, {"b"}, {"a", "b"}}));
  EXPECT_EQ(extender_.binds[1].node, "a");
}

TEST_F(KubeSchedulerModelTest, AFailedBindForgetsThePodClearsItsNominationAndBacksOff) {
  Apply(NodeNamed("a", "1"));
  Apply(PodNamed("p", "1", "", "status: {nominatedNodeName: a}"));
  Apply(PodNamed("q"));
  RunAll();
  ASSERT_EQ(extender_.binds.size(), 1u);
  model_.AnswerBind(extender_.binds[0].call, "gang unwound");
  Deliver();
  EXPECT_EQ(Find("p")->scheduled.reason, "SchedulerError");
  EXPECT_EQ(Find("p")->scheduled.message, "gang unwound");
  EXPECT_EQ(Find("p")->pod.nominated_node_name, "");
  EXPECT_TRUE(model_.TryOne(/*no_backoff=*/false)) << "the other pod is moved by the failure";
  ASSERT_EQ(extender_.binds.size(), 2u);
  EXPECT_EQ(extender_.binds[1].pod.name, "q");
  EXPECT_FALSE(model_.TryOne(/*no_backoff=*/false)) << "an error backoff is not cut short";
  EXPECT_EQ(model_.NextFlush(), clock_.Now() + absl::Seconds(1));
}

TEST_F(KubeSchedulerModelTest, AnAnswerThatWasLostDoesNotRequeueABoundPod) {
  Apply(NodeNamed("a"));
  Apply(PodNamed("p"));
  RunAll();
  ASSERT_TRUE(cluster_.Bind({Find("p")->pod.uid, {"ns", "p"}, "a"}).ok());
  Deliver();
  model_.FailHeldBinds("EOF");
  Deliver();
  EXPECT_EQ(RunAll(), 0);
  EXPECT_EQ(Find("p")->scheduled.status, "True");
}

TEST_F(KubeSchedulerModelTest, APodDeletedWhileItsBindIsHeldIsForgottenAtOnceButTheCallStays) {
  Apply(NodeNamed("a", "1"));
  Apply(PodNamed("p"));
  Apply(PodNamed("q"));
  RunAll();
  ASSERT_EQ(extender_.binds.size(), 1u);
  ASSERT_TRUE(cluster_.DeletePod({"ns", "p"}).ok());
  Deliver();
  EXPECT_EQ(model_.OrphanedBinds().size(), 1u);
  EXPECT_EQ(RunAll(), 1);
  EXPECT_EQ(extender_.binds[1].pod.name, "q");
  model_.AnswerBind(extender_.binds[0].call, "gone");
  EXPECT_TRUE(model_.OrphanedBinds().empty());
  EXPECT_EQ(RunAll(), 0);
}

TEST_F(KubeSchedulerModelTest, AFailedFilterCallIsAnErrorWithItsText) {
  extender_.answer = [](const PodObject&, const std::vector<std::string>&) {
    ExtenderFilterAnswer answer;
    answer.error = "broken";
    return answer;
  };
  Apply(NodeNamed("a"));
  Apply(PodNamed("p"));
  ASSERT_TRUE(model_.TryOne(true));
  Deliver();
  EXPECT_EQ(Find("p")->scheduled.reason, "SchedulerError");
  EXPECT_EQ(Record("p").text, "broken");
  EXPECT_FALSE(model_.TryOne(false));
}

TEST_F(KubeSchedulerModelTest, ANodeThatWasNotOfferedFailsTheCall) {
  extender_.answer = [](const PodObject&, const std::vector<std::string>&) {
    ExtenderFilterAnswer answer;
    answer.passed = {"elsewhere"};
    return answer;
  };
  Apply(NodeNamed("a"));
  Apply(PodNamed("p"));
  ASSERT_TRUE(model_.TryOne(true));
  EXPECT_NE(Record("p").text.find("not found in the input node list"), std::string::npos);
}

TEST_F(KubeSchedulerModelTest, PausedGatedTerminatingAndForeignPodsAreNotTried) {
  model_.Pause({"ns", "paused"});
  Apply(NodeNamed("a"));
  Apply(PodNamed("paused"));
  Apply(PodNamed("gated", "1", "schedulingGates: [{name: example.com/g}]"));
  Apply(PodNamed("foreign", "1", "schedulerName: other"));
  Apply(
      ParseObject("apiVersion: v1\nkind: Pod\nmetadata: {name: leaving, namespace: ns, "
                  "deletionTimestamp: '2030-01-01T00:00:00Z'}"));
  RunAll();
  EXPECT_TRUE(extender_.offered.empty());
  model_.Resume({"ns", "paused"});
  EXPECT_EQ(RunAll(), 1);
  Apply(PodNamed("gated"));
  EXPECT_EQ(RunAll(), 1);
  EXPECT_EQ(extender_.binds.size(), 2u);
}

TEST_F(KubeSchedulerModelTest, WithoutNodesAPodWaitsForOne) {
  Apply(PodNamed("p"));
  EXPECT_EQ(RunAll(), 1);
  EXPECT_EQ(Record("p").text, "no nodes available to schedule pods");
  Apply(NodeNamed("a"));
  EXPECT_EQ(RunAll(), 1);
  EXPECT_EQ(extender_.binds.size(), 1u);
}

TEST_F(KubeSchedulerModelTest, APodRefusedByAStepIsOfferedTheOtherNodes) {
  model_.Refuse({"ns", "p"}, "a");
  Apply(NodeNamed("a"));
  Apply(NodeNamed("b"));
  Apply(PodNamed("p"));
  RunAll();
  EXPECT_EQ(extender_.offered, Offers({{"b"}}));
}

}  // namespace
}  // namespace gangpack::server
