#include "server/demo/narrator.h"

#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "core/pod.h"
#include "gtest/gtest.h"
#include "tests/unit/server/extender_world.h"

namespace gangpack::server {
namespace {

using PodPointer = std::shared_ptr<const PodObject>;

PodPointer PodOf(const std::string& name, const std::string& node, const std::string& gang = "") {
  auto object = std::make_shared<PodObject>();
  object->pod.name = {"ns", name};
  object->pod.node_name = node;
  if (!gang.empty()) object->pod.labels[std::string(kPodGroupLabel)] = gang;
  return object;
}

std::shared_ptr<const NodeObject> NodeOf(const std::string& name, bool unschedulable) {
  auto object = std::make_shared<NodeObject>();
  object->node.name = name;
  object->node.unschedulable = unschedulable;
  return object;
}

AttemptOutcome Failure(const std::string& pod, const std::string& text) {
  return {AttemptOutcome::Kind::kUnschedulable, {"ns", pod}, "", text};
}

GangTransition TransitionOf(GangTransitionKind kind, const std::string& text) {
  GangTransition transition;
  transition.kind = kind;
  transition.gang = {"ns", "g"};
  transition.text = text;
  return transition;
}

class NarratorTest : public testing::Test {
 protected:
  // What was told since the last call.
  std::string Told() {
    std::string text = out_.str();
    out_.str("");
    return text;
  }

  std::ostringstream out_;
  ManualClock clock_;
  Narrator narrator_{&out_, &clock_};
};

TEST_F(NarratorTest, EachLineHasTheTimeSinceTheStartAndWhoDoesIt) {
  narrator_.Title("First");
  clock_.Advance(absl::Milliseconds(1'042));
  narrator_.Attempt({AttemptOutcome::Kind::kAssumed, {"ns", "p"}, "n1", ""});
  narrator_.Transition(TransitionOf(GangTransitionKind::kPinned, "holds a for 2 of 2 members"));
  narrator_.Events({Change<PodObject>{nullptr, PodOf("p", "")}});
  narrator_.Events({Change<PodObject>{PodOf("p", ""), PodOf("p", "n1")}});
  narrator_.Events({Change<PodObject>{PodOf("p", "n1"), PodOf("p", "n1")}});
  narrator_.Events({Change<PodObject>{PodOf("p", "n1"), nullptr}});
  narrator_.Say("demo", "done");
  EXPECT_EQ(Told(),
            "\n-- First\n"
            "  1.042s  kube-scheduler  ns/p -> n1, calls bind\n"
            "  1.042s  gangpack        gang ns/g Pinned: holds a for 2 of 2 members\n"
            "  1.042s  cluster         pod ns/p is created\n"
            "  1.042s  cluster         ns/p is bound to n1\n"
            "  1.042s  cluster         pod ns/p is deleted\n"
            "  1.042s  demo            done\n");
}

TEST_F(NarratorTest, AReasonIsToldOnceUnderOneTitle) {
  narrator_.Attempt(Failure("p", "no room"));
  narrator_.Attempt(Failure("q", "no room"));
  narrator_.Attempt({AttemptOutcome::Kind::kFailed, {"ns", "q"}, "", "stopping"});
  narrator_.LeftOut();
  narrator_.Title("Second");
  narrator_.Attempt(Failure("p", "no room"));
  narrator_.LeftOut();
  EXPECT_EQ(Told(),
            "  0.000s  kube-scheduler  ns/p FailedScheduling: no room\n"
            "  0.000s  kube-scheduler  ns/q SchedulerError: stopping\n"
            "  0.000s  demo            left out: 1 line like these about other pods and attempts\n"
            "\n-- Second\n"
            "  0.000s  kube-scheduler  ns/p FailedScheduling: no room\n");
}

TEST_F(NarratorTest, WhatEveryMemberGoesThroughIsToldOfTwoOfEachGang) {
  std::vector<ClusterEvent> created;
  for (const std::string gang : {"g", "h"}) {
    for (const std::string pod : {"0", "1", "2"}) {
      created.push_back(Change<PodObject>{nullptr, PodOf(gang + pod, "", gang)});
    }
  }
  narrator_.Events(created);
  Told();
  for (const std::string pod : {"g0", "g1", "g2", "h0", "h1", "h2"}) {
    narrator_.Attempt({AttemptOutcome::Kind::kAssumed, {"ns", pod}, "n", ""});
    narrator_.Events({Change<PodObject>{PodOf(pod, ""), PodOf(pod, "n")}});
  }
  const std::string told = Told();
  for (const std::string pod : {"g0", "g1", "h0", "h1"}) {
    EXPECT_NE(told.find("ns/" + pod + " -> n"), std::string::npos) << pod;
  }
  EXPECT_EQ(told.find("ns/g2"), std::string::npos);
  EXPECT_EQ(told.find("ns/h2"), std::string::npos);
  for (int i = 0; i < 3; ++i) {
    narrator_.Transition(TransitionOf(GangTransitionKind::kWaiting, std::to_string(i)));
  }
  narrator_.Transition(TransitionOf(GangTransitionKind::kComplete, "binds 3"));
  EXPECT_EQ(Told(),
            "  0.000s  gangpack        gang ns/g Waiting: 0\n"
            "  0.000s  gangpack        gang ns/g Waiting: 1\n"
            "  0.000s  gangpack        gang ns/g Complete: binds 3\n");
}

TEST_F(NarratorTest, WhatIsCreatedOrDeletedTogetherIsToldTogether) {
  narrator_.Events({Change<NodeObject>{nullptr, NodeOf("n1", false)},
                    Change<NodeObject>{nullptr, NodeOf("n2", false)},
                    Change<PodObject>{nullptr, PodOf("g0", "", "g")},
                    Change<PodObject>{nullptr, PodOf("g1", "", "g")},
                    Change<PodObject>{nullptr, PodOf("g2", "", "g")},
                    Change<PodObject>{nullptr, PodOf("p", "n1")}});
  narrator_.Events({Change<PodObject>{PodOf("g0", ""), nullptr},
                    Change<NodeObject>{NodeOf("n1", false), nullptr},
                    Change<PodObject>{PodOf("g1", ""), nullptr}});
  EXPECT_EQ(Told(),
            "  0.000s  cluster         node n1 and node n2 are created\n"
            "  0.000s  cluster         pod ns/g0 and 2 more are created\n"
            "  0.000s  cluster         pod ns/p on n1 is created\n"
            "  0.000s  cluster         pod ns/g0 and pod ns/g1 are deleted\n"
            "  0.000s  cluster         node n1 is deleted\n");
}

TEST_F(NarratorTest, ACordonIsToldWhenItComesAndWhenItGoes) {
  narrator_.Events({Change<NodeObject>{NodeOf("n1", false), NodeOf("n1", true)}});
  narrator_.Events({Change<NodeObject>{NodeOf("n1", true), NodeOf("n1", true)}});
  narrator_.Events({Change<NodeObject>{NodeOf("n1", true), NodeOf("n1", false)}});
  EXPECT_EQ(Told(),
            "  0.000s  cluster         node n1 is cordoned\n"
            "  0.000s  cluster         node n1 is uncordoned\n");
}

TEST_F(NarratorTest, ALongTextGoesOnBelowItsBeginning) {
  narrator_.Say("demo", std::string(91, 'a') + " b " + std::string(93, 'c'));
  EXPECT_EQ(Told(), "  0.000s  demo            " + std::string(91, 'a') + "\n" +
                        std::string(26, ' ') + "b\n" + std::string(26, ' ') + std::string(93, 'c') +
                        "\n");
}

}  // namespace
}  // namespace gangpack::server
